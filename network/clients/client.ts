import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { createMoleculeLibrary } from '../molecules/index.ts'
import { bootLines } from './boot-log.ts'
import { chance } from './chance.ts'
import { obey, obeyBroadcast } from './commands.ts'
import { createCommandTimes } from './command-time.ts'
import { createDocument, infoGpus } from './document.ts'
import type { Change, ClientDocument } from './document.ts'
import { applyMachineConfig } from './group-commands.ts'
import { createHistory } from './history.ts'
import { loadInitialUnit } from './loaded-unit.ts'
import { createLog } from './log.ts'
import { createMolecules } from './molecule-feed.ts'
import { pastRows } from './past.ts'
import { createPort } from './port.ts'
import type { Port } from './port.ts'
import { defaultProjects } from './projects.ts'
import { readStored, restoreUnit, storeUnit, toJson } from './store.ts'
import type { StoredClient } from './store.ts'
import { createTicker } from './ticker.ts'
import type { ClientFaults, ClientPort, SimulatedClient, SimulatedClientOptions } from './types.ts'
import { planUnit, sendToUnit } from './unit-driver.ts'
import type { UnitLife } from './unit-life.ts'
import { showNumbers } from './unit-numbers.ts'
import { createUnitScheduler } from './unit-scheduler.ts'
import { say } from './world.ts'
import type { World } from './world.ts'

/** Frames of the largest molecules take seconds to make, so all clients share what has been made. */
const sharedLibrary = createMoleculeLibrary()

/**
 * A client that behaves as the real one does towards every reader (wire.md §2 to §9), with work that is only pretended.
 * Everything follows from the options and the schedule's clock: the same seed lives the same life.
 */
export const createSimulatedClient = (options: SimulatedClientOptions): SimulatedClient => {
  const { id, seed, profile, schedule, hooks = {} } = options
  const restored = readStored(options.restored)
  const born = restored?.born ?? schedule.now()
  const startedAt = schedule.now()
  const pid = 1000 + Math.floor(chance(seed, 'pid', startedAt) * 30_000)
  const ports = new Set<Port>()
  const lives: UnitLife[] = []
  const surroundings = { inUse: restored?.inUse ?? profile.inUse, onBattery: restored?.onBattery ?? profile.onBattery }
  let nextNumber = restored?.nextNumber ?? profile.history.length + profile.units.length + 1
  let depth = 0
  let mustLook = false
  let stopped = false

  const tell = (change: Change): void => {
    for (const port of ports) port.send(change)
    if (change[0] !== 'units' || change[2] !== 'frames' || ports.size === 0) return
    const life = lives.find(({ wire }) => wire === doc.units[Number(change[1])])
    if (life !== undefined) for (const port of ports) port.noticeFrames(life)
  }
  const doc: ClientDocument = createDocument(profile.version, tell)
  const quietLog = createLog(profile.logLines, () => bootLines({ id, name: nameOf(doc), seed, pid, at: startedAt, profile }))
  const log: typeof quietLog = {
    ...quietLog,
    add: (at, level, text) => {
      quietLog.add(at, level, text)
      for (const port of ports) port.noticeLog()
    },
  }
  const history = createHistory(() => restored?.history ?? pastRows(world, profile.history, born))
  const times = createCommandTimes(restored?.times)

  const lookNow = (): void => {
    if (depth > 0 || stopped) return
    depth++
    try {
      for (let round = 0; mustLook && round < 100; round++) {
        mustLook = false
        scheduler.look()
      }
    } finally {
      depth--
    }
  }

  const world: World = {
    id, seed, profile, schedule, doc, log, lives,
    speed: options.speed ?? 1,
    projects: options.projects ?? defaultProjects,
    faults: { unit: false, assignments: 0, downloads: 0, uploads: 0, rejection: false },
    requests: 0,
    isWatched: () => ports.size > 0,
    reschedule: () => {
      mustLook = true
      lookNow()
    },
    together: work => {
      depth++
      try {
        work()
      } finally {
        depth--
      }
      lookNow()
    },
    addHistory: (row: JsonObject) => {
      history.add(row)
      for (const port of ports) if (port.readsHistory()) port.send(['wus', -2, [row]])
    },
    changed: () => hooks.onChange?.(),
  }
  const scheduler = createUnitScheduler(world, () => ({ ...surroundings, cpus: profile.cpus, gpus: profile.gpus }), () => nextNumber++)
  const ticker = createTicker(world, options.changesEvery, () => {
    for (const port of ports) port.noticeLog()
  })
  const molecules = createMolecules(sharedLibrary, seed)
  const parts = { world, times, history, hooks }

  fillDocument(world, options, restored, pid)
  for (const life of startingUnits(world, restored)) {
    lives.push(life)
    doc.units.push(life.wire)
    planUnit(world, life)
  }
  world.reschedule()

  const attach = (send: (content: Json) => void): ClientPort => {
    if (ports.size === 0) for (const life of lives) showNumbers(world, life, schedule.now())
    const port = createPort({ send, schedule, log: quietLog, molecules, findUnit: unit => lives.find(({ wire }) => wire['id'] === unit) })
    send(doc.snapshot())
    ports.add(port)
    ticker.start()
    return {
      receive: command => (ports.has(port) ? obey(parts, port, command) : 'ok'),
      detach: () => {
        port.close()
        ports.delete(port)
        if (ports.size === 0) ticker.stop()
      },
    }
  }

  const setSurrounding = (key: keyof typeof surroundings, value: boolean): void => {
    surroundings[key] = value
    if (key === 'onBattery') doc.setInfo('on_battery', value)
    world.changed()
    world.reschedule()
  }

  return {
    id,
    profile,
    name: () => nameOf(doc),
    attach,
    receiveBroadcast: payload => obeyBroadcast(parts, payload),
    configureFromAccount: config => applyMachineConfig(world, { ...config }),
    rename: name => {
      doc.setInfo('mach_name', name)
      world.changed()
    },
    setAccount: account => {
      if (account !== '' && doc.info['account'] !== account) say(world, 'I1', 'Account linked')
      doc.setInfo('account', account)
      world.changed()
    },
    log: (level, text) => say(world, level, text),
    faults: createFaults(world, setSurrounding),
    snapshotForStore: () => storeClient(world, { born, history: history.snapshot(), times: times.snapshot(), nextNumber, ...surroundings }),
    stop: () => {
      stopped = true
      for (const port of ports) port.close()
      ports.clear()
      ticker.stop()
      scheduler.stop()
      for (const life of lives) life.cancelPlan()
    },
  }
}

const nameOf = (doc: ClientDocument): string => String(doc.info['mach_name'])

const fillDocument = ({ doc, profile, id }: World, options: SimulatedClientOptions, restored: StoredClient | undefined, pid: number): void => {
  const name = restored?.name ?? options.name
  Object.assign(doc.info, {
    version: profile.version,
    url: 'https://v8-5.foldingathome.org/',
    os: profile.os,
    os_version: profile.osVersion,
    cpu: profile.cpu,
    cpu_brand: profile.cpuBrand,
    cpus: profile.cpus,
    gpus: infoGpus(profile.gpus),
    mach_name: name,
    hostname: options.name,
    pid,
    cwd: '/var/lib/fah-client',
    mode: 'Release',
    revision: '0000000000000000000000000000000000000000',
    has_battery: profile.hasBattery,
    on_battery: restored?.onBattery ?? profile.onBattery,
    id,
    account: options.account ?? restored?.account ?? '',
  })
  Object.assign(doc.config, restored?.config ?? profile.config)
  const groups = restored?.groups ?? storyGroups(profile)
  if (!groups.some(group => group.name === '')) doc.addGroup('')
  for (const group of groups) {
    doc.addGroup(group.name)
    const made = doc.groups.get(group.name)
    if (made !== undefined) Object.assign(made.config, group.config)
    if (made !== undefined) Object.assign(made.extra, group.extra)
  }
}

const storyGroups = (profile: SimulatedClientOptions['profile']) =>
  Object.entries(profile.groups).map(([name, config]) => ({ name, config, extra: profile.failures[name] ?? {} }))

const startingUnits = (world: World, restored: StoredClient | undefined): readonly UnitLife[] => {
  const now = world.schedule.now()
  if (restored !== undefined) return restored.units.map(unit => restoreUnit(unit, world.projects, now))
  const first = world.profile.history.length + 1
  return world.profile.units.map((unit, index) => loadInitialUnit(world, unit, first + index, now))
}

type Kept = Pick<StoredClient, 'born' | 'times' | 'nextNumber' | 'inUse' | 'onBattery'> & { readonly history: readonly JsonObject[] | undefined }

const storeClient = ({ doc, lives, schedule }: World, kept: Kept): Json => {
  const now = schedule.now()
  return toJson({
    format: 1,
    ...kept,
    history: kept.history === undefined ? undefined : [...kept.history],
    name: nameOf(doc),
    account: String(doc.info['account']),
    config: doc.config,
    groups: [...doc.groups].map(([name, { config, extra }]) => ({ name, config, extra })),
    units: lives.flatMap(life => storeUnit(life, now) ?? []),
  })
}

const createFaults = (world: World, setSurrounding: (key: 'inUse' | 'onBattery', value: boolean) => void): ClientFaults => ({
  failNextUnit: () => {
    const running = world.lives.find(life => life.snapshot.matches({ RUN: 'running' }))
    if (running === undefined) world.faults.unit = true
    else sendToUnit(world, running, { type: 'work.failed', at: world.schedule.now() })
  },
  failNextAssignments: count => {
    world.faults.assignments = count
  },
  failNextDownloads: count => {
    world.faults.downloads = count
  },
  failNextUploads: count => {
    world.faults.uploads = count
  },
  rejectNextResults: () => {
    world.faults.rejection = true
  },
  expireUnit: id => {
    const life = world.lives.find(({ wire }) => wire['id'] === id)
    if (life !== undefined) sendToUnit(world, life, { type: 'deadline.passed', at: world.schedule.now() })
  },
  setOnBattery: onBattery => setSurrounding('onBattery', onBattery),
  setInUse: inUse => setSurrounding('inUse', inUse),
})
