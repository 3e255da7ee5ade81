import type { Json } from '../../../src/protocol/json.ts'
import { createMoleculeCache } from '../molecules/molecule-cache.ts'
import { fillDocument, nameOf, startingUnits, storeClient } from './restore.ts'
import { bootLines } from './boot-log.ts'
import { chance } from './random.ts'
import { createCheckpoints } from './unit/checkpoints.ts'
import { createCommandTimes } from './command-time.ts'
import { runCommand, runBroadcast, type CommandTargets } from './commands.ts'
import { createDocument, type ClientDocument } from './document.ts'
import { createFaults, presentGpus } from './faults.ts'
import { applyClientConfig } from './group-commands.ts'
import { createHistory } from './history.ts'
import { createLog } from './log.ts'
import { createRescan } from './rescan.ts'
import { createMolecules } from './unit/molecule-feed.ts'
import { seedHistoryRows } from './unit/seed-history.ts'
import { createReaderConnection } from './reader-connection.ts'
import { defaultProjects } from './projects.ts'
import { createReaders } from './readers.ts'
import { readStored } from './store.ts'
import { createTicker } from './ticker.ts'
import type { ClientConnection, SimulatedClient, SimulatedClientOptions } from './types.ts'
import { planUnit } from './unit/unit-driver.ts'
import type { SimulatedUnit } from './unit/simulated-unit.ts'
import { updateNumbers } from './unit/unit-numbers.ts'
import { createUnitScheduler } from './unit/unit-scheduler.ts'
import { logClient, type ClientContext } from './client-context.ts'

/** Shared by all clients: the frames of large molecules take long to compute. */
const sharedMolecules = createMoleculeCache()

function createParts(options: SimulatedClientOptions) {
  const { id, seed, profile, schedule, hooks = {} } = options
  const restored = readStored(options.restored)
  const now = schedule.now()
  const born = restored?.born ?? now
  const pid = 1000 + Math.floor(chance(seed, 'pid', now) * 30_000)
  const units: SimulatedUnit[] = []
  const hostConditions = {
    inUse: restored?.inUse ?? profile.inUse,
    onBattery: restored?.onBattery ?? profile.onBattery,
  }
  let nextNumber = restored?.nextNumber ?? profile.history.length + profile.units.length + 1

  const readers = createReaders(units, () => doc)
  const doc: ClientDocument = createDocument(profile.version, readers.sendChange)
  const lines = createLog(profile.logLines, () => bootLines({ id, name: nameOf(doc), seed, pid, at: now, profile }))
  const seedHistory = () => seedHistoryRows(context, profile.history, born)
  const history = createHistory(() => restored?.history ?? seedHistory())
  const times = createCommandTimes(restored?.times)
  const rescan = createRescan(() => scheduler.run())

  const context: ClientContext = {
    id,
    seed,
    profile,
    schedule,
    doc,
    units,
    log: {
      ...lines,
      add: (at, level, text) => {
        lines.add(at, level, text)
        readers.scheduleLog()
      },
    },
    speed: options.speed ?? 1,
    projects: options.projects ?? defaultProjects,
    faults: {
      unit: false,
      assignments: 0,
      downloads: 0,
      uploads: 0,
      rejection: false,
      lostGpus: new Set(),
      isStalled: false,
      slowness: 1,
      clockAhead: 0,
    },
    requests: 0,
    isWatched: () => readers.ports.size > 0,
    reschedule: rescan.request,
    batch: rescan.batch,
    addHistory: row => {
      history.add(row)
      readers.sendHistoryRow(doc.reportedUnit({ ...row }))
      const { user, team, passkey } = doc.config
      hooks.onUnitEnd?.(row, { user, team, passkey })
    },
    changed: () => hooks.onChange?.(),
  }
  const scheduler = createUnitScheduler(
    context,
    () => ({ ...hostConditions, cpus: profile.cpus, gpus: presentGpus(context) }),
    () => nextNumber++,
  )
  const checkpoints = createCheckpoints(context, options.saveMs)
  const ticker = createTicker(context, options.changesEvery, readers.scheduleLog)

  fillDocument(doc, options, restored, pid)
  for (const unit of startingUnits(context, restored)) {
    units.push(unit)
    doc.units.push(unit.wire)
  }
  return {
    context,
    readers,
    ticker,
    circumstances: hostConditions,
    lines,
    history,
    past: seedHistory,
    times,
    hooks,
    stored: (): Json =>
      storeClient(context, {
        born,
        history: history.snapshot(),
        times: times.snapshot(),
        nextNumber,
        ...hostConditions,
      }),
    end: (): void => {
      rescan.stop()
      readers.close()
      ticker.stop()
      scheduler.stop()
      checkpoints.stop()
      for (const unit of units) unit.cancelPlan()
    },
  }
}

type Parts = ReturnType<typeof createParts>

function attachConnection(
  { context, readers, ticker, lines, history, times, hooks }: Parts,
  send: (content: Json) => void,
): ClientConnection {
  const { doc, units, schedule } = context
  const commandParts: CommandTargets = { context, times, history, hooks }
  if (!context.isWatched()) for (const unit of units) updateNumbers(context, unit, schedule.now())
  const port = createReaderConnection({
    send,
    schedule,
    log: lines,
    molecules: createMolecules(sharedMolecules, context.seed),
    findUnit: unitId => units.find(({ wire }) => wire['id'] === unitId),
  })
  send(doc.snapshot())
  readers.ports.add(port)
  ticker.start()
  return {
    receive: command => (readers.ports.has(port) ? runCommand(commandParts, port, command) : 'ok'),
    detach: () => {
      port.close()
      readers.ports.delete(port)
      if (!context.isWatched()) ticker.stop()
    },
  }
}

/**
 * A simulated client that sends what a real one would send (docs/protocol.md §2 to §9). The output depends on the
 * options and the schedule's clock alone: the same seed gives the same messages.
 */
export function createSimulatedClient(options: SimulatedClientOptions): SimulatedClient {
  const parts = createParts(options)
  const { context } = parts
  const { doc } = context
  for (const unit of context.units) planUnit(context, unit)
  context.reschedule()
  return {
    id: options.id,
    profile: options.profile,
    name: () => nameOf(doc),
    attach: send => attachConnection(parts, send),
    receiveBroadcast: payload => runBroadcast(parts, payload),
    configureFromAccount: config => applyClientConfig(context, { ...config }),
    rename: name => {
      doc.setInfo('mach_name', name)
      context.changed()
    },
    setAccount: account => {
      if (account !== '' && doc.info['account'] !== account) logClient(context, 'I1', 'Account linked')
      doc.setInfo('account', account)
      context.changed()
    },
    setClientBehind: isThere => doc.setInfo('client_behind', isThere),
    log: (level, text) => logClient(context, level, text),
    seedHistory: parts.past,
    faults: createFaults(context, parts.circumstances),
    snapshotForStore: parts.stored,
    stop: parts.end,
  }
}
