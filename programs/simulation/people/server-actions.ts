import { groupsOf, groupState } from '../../../src/folding/client/group.ts'
import { isScheduled, VIEWER_TOKEN } from '../server-settings.ts'
import type { PlannedRule, PlannedSchedule } from '../invariants/server-books.ts'
import type { Scene } from '../story/scene.ts'
import { MINUTE, SECOND } from '../time/durations.ts'

type ServerScene = Scene & { readonly world: { readonly servers: NonNullable<Scene['world']['servers']> } }
type ServerAction = (scene: Scene) => string | undefined

/** What somebody does by the API of a server; nothing in a world without one. */
function withServers(act: (scene: ServerScene) => string | undefined): ServerAction {
  return scene => {
    const { servers } = scene.world
    return servers === undefined ? undefined : act({ ...scene, world: { ...scene.world, servers } })
  }
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]

/** Boundaries at night, also in the hours that are skipped and repeated, and on some days of the week only. */
const RULES: readonly PlannedRule[] = [
  { kind: 'week', days: EVERY_DAY, from: '22:00', until: '02:30', state: 'fold' },
  { kind: 'week', days: EVERY_DAY, from: '02:30', until: '03:30', state: 'pause' },
  { kind: 'week', days: [6, 7], from: '00:00', until: '24:00', state: 'fold' },
  { kind: 'week', days: [1, 2, 3, 4, 5], from: '12:15', until: '13:00', state: 'finish' },
  { kind: 'week', days: EVERY_DAY, from: '17:00', until: '19:00', state: 'pause' },
  { kind: 'week', days: [1, 3, 5], from: '09:00', until: '21:00', state: 'fold' },
]
const ZONES = ['Europe/Berlin', 'Europe/Helsinki', 'America/New_York', 'Australia/Lord_Howe', 'UTC'] as const

function scheduleOf({ timeZone, rules, otherwise }: PlannedSchedule): object {
  return {
    id: 'nights',
    name: 'Nights',
    isEnabled: true,
    targets: [{ kind: 'tag', name: 'scheduled' }],
    timeZone,
    rules,
    otherwise,
    finishMinutes: 0,
  }
}

function anyServer({ world: { servers }, chance }: ServerScene): number {
  return chance.whole(1, servers.processes.length)
}

/** Tries until the schedule is saved: what is not answered may have been saved. */
const saveSchedules = withServers(scene => {
  const { world, chance } = scene
  const { servers, scheduler } = world
  const schedule: PlannedSchedule = {
    timeZone: chance.oneOf(ZONES) ?? 'UTC',
    rules: RULES.filter(() => chance.isTrue(0.6)),
    otherwise: chance.oneOf(['fold', 'pause'] as const) ?? 'fold',
  }
  const { books } = servers
  books.beginSaving()
  const attempt = async (): Promise<void> => {
    const server = anyServer(scene)
    const current = await servers.call(server, 'GET', '/api/server/schedules')
    const { revision } = (current.json ?? {}) as { readonly revision?: string }
    if (current.status !== 200 || revision === undefined) throw new Error('The schedules cannot be read.')
    const saved = await servers.call(server, 'POST', '/api/server/schedules', {
      revision,
      schedules: [scheduleOf(schedule)],
    })
    if (saved.status !== 200) throw new Error(`The schedules were not saved: ${saved.status}.`)
  }
  let isOver = false
  const again = (): void => {
    // An answer that is lost never comes.
    let isSettled = false
    const settle = (isSaved: boolean): void => {
      if (isSettled || isOver) return
      isSettled = true
      isOver = isSaved
      if (isSaved) books.saved(schedule)
      else scheduler.after(20 * SECOND, 'operator', 'tries again', again)
    }
    scheduler.after(MINUTE, 'operator', 'no answer', () => settle(false))
    attempt().then(
      () => settle(true),
      () => settle(false),
    )
  }
  again()
  return 'saves a schedule'
})

/** Gives an input a value, or a machine a tag, under names that nobody else uses. */
const storeValue = withServers(scene => {
  const { world, chance } = scene
  const { servers, scheduler } = world
  const at = scheduler.now()
  const store = (path: string, body: object, sql: string, text: string): void => {
    servers.call(anyServer(scene), 'POST', `/api/server/${path}`, body).then(
      ({ status }) => {
        if (status === 200) servers.books.values.push({ sql, text })
      },
      () => undefined,
    )
  }
  if (chance.isTrue(0.5)) {
    const value = chance.whole(1000, 9999)
    store(`inputs/at${at}`, { value }, `SELECT value AS stored FROM inputs WHERE name = 'at${at}'`, String(value))
    return 'gives an input a value'
  }
  const change = { type: 'tags.add', machines: [`m${at}`], tag: 'attic' }
  store('shared', change, `SELECT content AS stored FROM shared WHERE name = 'tags'`, `"m${at}":["attic"]`)
  return 'gives a machine a tag'
})

const sendByServer = withServers(scene => {
  const { world, chance } = scene
  const machines = world.network.clients().filter(({ slot }) => !isScheduled(slot))
  const machine = chance.oneOf(machines)
  const state = chance.oneOf(['fold', 'pause', 'finish'] as const)
  if (machine === undefined || state === undefined) return undefined
  const { servers } = world
  const groups = Object.values(groupsOf(scene.books.stateOf(machine)))
  const wasSet = groups.every(group => groupState(group) === state)
  const asked = servers.books.ask(machine.slot, state, wasSet)
  servers
    .call(anyServer(scene), 'POST', `/api/server/machines/${machine.slot + 1}/commands`, {
      command: { cmd: 'state', state },
      reason: 'simulated',
    })
    .then(
      ({ status, json }) => {
        asked.outcome = status === 200 ? (json as { readonly outcome: string }).outcome : `status ${status}`
      },
      () => {
        asked.outcome = 'none'
      },
    )
  return `tells a machine by a server to ${state}`
})

/** Gives the account to the first server, which reaches its machines through the node from then on. */
const enrollServer = withServers(({ world }) => {
  const { servers, network } = world
  if (servers.processes.length > 1) return undefined
  const form = new URLSearchParams(network.account).toString()
  servers.call(1, 'POST', '/api/server/enroll', form).then(
    ({ status }) => {
      if (status === 200) servers.books.enrolled()
    },
    () => undefined,
  )
  return 'enrolls the account at a server'
})

/** Somebody who may only look gives commands: none of them is in the books. */
const sendAsViewer = withServers(scene => {
  const { world, chance } = scene
  const machine = chance.oneOf(world.network.clients().filter(({ slot }) => !isScheduled(slot)))
  const state = chance.oneOf(['fold', 'pause'] as const)
  if (machine === undefined || state === undefined) return undefined
  const path = `/api/server/machines/${machine.slot + 1}/commands`
  const asks = { command: { cmd: 'state', state }, reason: 'simulated' }
  world.servers.call(anyServer(scene), 'POST', path, asks, VIEWER_TOKEN).catch(() => undefined)
  return `may only look, and tells a machine by a server to ${state}`
})

const PATHS = [
  '/api/server/units?limit=1000',
  '/api/server/points?by=machine',
  '/api/server/actions?limit=1000',
  '/api/server/incidents',
  '/api/server/session',
  '/api/server/openapi.json',
  '/api/server/users',
  '/metrics',
  '/readyz',
]

const readServer = withServers(scene => {
  const { servers } = scene.world
  for (const path of PATHS) servers.call(anyServer(scene), 'GET', path).catch(() => undefined)
  return 'reads what a server knows'
})

/** Everything that people do with servers, by name. */
export const serverActions = { saveSchedules, storeValue, enrollServer, sendByServer, sendAsViewer, readServer }
