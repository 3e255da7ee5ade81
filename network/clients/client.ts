import type { Json } from '../../src/protocol/json.ts'
import { createMoleculeLibrary } from '../molecules/index.ts'
import { fillDocument, nameOf, startingUnits, storeClient } from './restore.ts'
import { bootLines } from './boot-log.ts'
import { chance } from './random.ts'
import { createCheckpoints } from './unit/checkpoints.ts'
import { createCommandTimes } from './command-time.ts'
import { obey, obeyBroadcast } from './commands.ts'
import type { CommandParts } from './commands.ts'
import { createDocument } from './document.ts'
import type { ClientDocument } from './document.ts'
import { createFaults } from './faults.ts'
import { applyMachineConfig } from './group-commands.ts'
import { createHistory } from './history.ts'
import { createLog } from './log.ts'
import { createLookOut } from './rescan.ts'
import { createMolecules } from './unit/molecule-feed.ts'
import { pastRows } from './unit/seed-history.ts'
import { createPort } from './port.ts'
import { defaultProjects } from './projects.ts'
import { createReaders } from './readers.ts'
import { readStored } from './store.ts'
import { createTicker } from './ticker.ts'
import type { ClientPort, SimulatedClient, SimulatedClientOptions } from './types.ts'
import { planUnit } from './unit/unit-driver.ts'
import type { UnitLife } from './unit/unit-life.ts'
import { showNumbers } from './unit/unit-numbers.ts'
import { createUnitScheduler } from './unit/unit-scheduler.ts'
import { say } from './world.ts'
import type { World } from './world.ts'

/** Frames of the largest molecules take long to make, so all clients share what has been made. */
const sharedLibrary = createMoleculeLibrary()

/** The parts of one client, ready to go: what it knows, what it folds, who reads. */
const createParts = (options: SimulatedClientOptions) => {
  const { id, seed, profile, schedule, hooks = {} } = options
  const restored = readStored(options.restored)
  const now = schedule.now()
  const born = restored?.born ?? now
  const pid = 1000 + Math.floor(chance(seed, 'pid', now) * 30_000)
  const lives: UnitLife[] = []
  const circumstances = { inUse: restored?.inUse ?? profile.inUse, onBattery: restored?.onBattery ?? profile.onBattery }
  let nextNumber = restored?.nextNumber ?? profile.history.length + profile.units.length + 1

  const readers = createReaders(lives, () => doc)
  const doc: ClientDocument = createDocument(profile.version, readers.tell)
  const lines = createLog(profile.logLines, () => bootLines({ id, name: nameOf(doc), seed, pid, at: now, profile }))
  const past = () => pastRows(world, profile.history, born)
  const history = createHistory(() => restored?.history ?? past())
  const times = createCommandTimes(restored?.times)
  const lookOut = createLookOut(() => scheduler.look())

  const world: World = {
    id,
    seed,
    profile,
    schedule,
    doc,
    lives,
    log: {
      ...lines,
      add: (at, level, text) => {
        lines.add(at, level, text)
        readers.noticeLog()
      },
    },
    speed: options.speed ?? 1,
    projects: options.projects ?? defaultProjects,
    faults: { unit: false, assignments: 0, downloads: 0, uploads: 0, rejection: false },
    requests: 0,
    isWatched: () => readers.ports.size > 0,
    reschedule: lookOut.want,
    together: lookOut.together,
    addHistory: row => {
      history.add(row)
      readers.tellRow(row)
      const { user, team, passkey } = doc.config
      hooks.onUnitEnd?.(row, { user, team, passkey })
    },
    changed: () => hooks.onChange?.(),
  }
  const scheduler = createUnitScheduler(
    world,
    () => ({ ...circumstances, cpus: profile.cpus, gpus: profile.gpus }),
    () => nextNumber++,
  )
  const checkpoints = createCheckpoints(world)
  const ticker = createTicker(world, options.changesEvery, readers.noticeLog)

  fillDocument(doc, options, restored, pid)
  for (const life of startingUnits(world, restored)) {
    lives.push(life)
    doc.units.push(life.wire)
  }
  return {
    world,
    readers,
    ticker,
    circumstances,
    lines,
    history,
    past,
    times,
    hooks,
    stored: (): Json =>
      storeClient(world, { born, history: history.snapshot(), times: times.snapshot(), nextNumber, ...circumstances }),
    end: (): void => {
      lookOut.end()
      readers.close()
      ticker.stop()
      scheduler.stop()
      checkpoints.stop()
      for (const life of lives) life.cancelPlan()
    },
  }
}

type Parts = ReturnType<typeof createParts>

const attachReader = (
  { world, readers, ticker, lines, history, times, hooks }: Parts,
  send: (content: Json) => void,
): ClientPort => {
  const { doc, lives, schedule } = world
  const commandParts: CommandParts = { world, times, history, hooks }
  if (!world.isWatched()) for (const life of lives) showNumbers(world, life, schedule.now())
  const port = createPort({
    send,
    schedule,
    log: lines,
    molecules: createMolecules(sharedLibrary, world.seed),
    findUnit: unit => lives.find(({ wire }) => wire['id'] === unit),
  })
  send(doc.snapshot())
  readers.ports.add(port)
  ticker.start()
  return {
    receive: command => (readers.ports.has(port) ? obey(commandParts, port, command) : 'ok'),
    detach: () => {
      port.close()
      readers.ports.delete(port)
      if (!world.isWatched()) ticker.stop()
    },
  }
}

/**
 * A client that behaves as the real one does towards every reader (docs/protocol.md §2 to §9), with work that is only
 * pretended. Everything follows from the options and the schedule's clock: the same seed lives the same life.
 */
export const createSimulatedClient = (options: SimulatedClientOptions): SimulatedClient => {
  const parts = createParts(options)
  const { world } = parts
  const { doc } = world
  for (const life of world.lives) planUnit(world, life)
  world.reschedule()
  return {
    id: options.id,
    profile: options.profile,
    name: () => nameOf(doc),
    attach: send => attachReader(parts, send),
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
    past: parts.past,
    faults: createFaults(world, parts.circumstances),
    snapshotForStore: parts.stored,
    stop: parts.end,
  }
}
