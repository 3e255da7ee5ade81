import { fromCallback } from 'xstate'
import { osText } from '../../../src/folding/client/client.ts'
import { unitResources } from '../../../src/folding/client/resources.ts'
import { finite, positive, text } from '../../../src/folding/shared/read.ts'
import { boundedKey, boundedText } from '../../../src/folding/text/vocabulary.ts'
import type { ArchivedClient } from '../../../src/folding/unit/archived-client.ts'
import { archivedUnit, endOf } from '../../../src/folding/unit/history.ts'
import { clientTime } from '../../../src/folding/unit/unit-meaning.ts'
import {
  assignedAt,
  coreOf,
  currentPpd,
  ppdOf,
  projectOf,
  tpfSeconds,
  workShare,
} from '../../../src/folding/unit/unit-progress.ts'
import type { Unit } from '../../../src/protocol/client/client-data.ts'
import type { RecorderCommand } from '../machines/server/server.events.ts'
import type { ClientStatus } from '../machines/server/server.selectors.ts'
import { createKeeper } from './keeper.ts'
import { DAY_SECONDS, HOUR_SECONDS } from './samples.ts'
import { partsOf } from './rows.ts'
import { AMOUNT } from './schema.ts'
import type { EndedUnit, Sample, ServerStore } from './store.ts'

export type RecorderDeps = {
  readonly store: ServerStore
  /** The clients that this server holds, each with its address. */
  readonly machines: () => readonly (ClientStatus & { readonly address: string })[]
  readonly sampleSeconds: number
  readonly keepSamplesDays: number
  readonly keepHoursDays: number
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Units that were not known before. */
  readonly onUnits: (units: readonly EndedUnit[]) => void
  readonly onError: (error: unknown) => void
  /** The clients that this server holds, by their own ids; undefined: all. */
  readonly held: () => ReadonlySet<string | undefined> | undefined
  /** Whether this server rolls up samples. */
  readonly rollsUp: () => boolean
}

/** What is counted under no resource, when a unit does not say what it uses. */
const UNKNOWN_RESOURCE = ''

/** As the rows are checked by when the server starts. */
const [, MOST_AMOUNT] = AMOUNT

/** What waits for a database that takes no writes: a client has 500 units, and one that folds has a row a minute. */
const MOST_UNITS = 50_000
const MOST_SAMPLES = 100_000
/** Units of one transaction. */
const UNITS_AT_ONCE = 2000

/**
 * Stores what clients report, one write after another. What could not be written is kept, the newest of it, and written
 * when the database takes it again.
 */
export function recorder(deps: RecorderDeps) {
  return fromCallback<RecorderCommand, undefined>(({ receive }) => {
    const { store, now, onError } = deps
    const keeper = createKeeper({ onError, most: 2 })
    let rolledUp = 0
    /** By their keys: the newest report wins. */
    const units = new Map<string, EndedUnit>()
    let samples: readonly Sample[] = []

    const addUnits = async (): Promise<void> => {
      // What a client that another server holds reports is stored there.
      const held = deps.held()
      for (const [key, { machine: client }] of units) if (held?.has(client) === false) units.delete(key)
      const written = [...units]
      const reporting = new Set(written.map(([, { machine: client }]) => client))
      const seen = deps.machines().filter(({ id }) => id !== undefined && reporting.has(id))
      await store.saw(seen.map(seenOf), now())
      for (const part of partsOf(written, UNITS_AT_ONCE)) {
        const fresh = await store.addUnits(part.map(([, unit]) => unit))
        for (const [key, unit] of part) if (units.get(key) === unit) units.delete(key)
        if (fresh.length > 0) deps.onUnits(fresh)
      }
    }

    const addSamples = async (): Promise<void> => {
      const written = new Set(samples)
      await store.addSamples(samples)
      samples = samples.filter(sample => !written.has(sample))
    }

    const sample = async (): Promise<void> => {
      const at = now()
      const clients = deps.machines().filter(({ isConnected }) => isConnected)
      await store.saw(clients.map(seenOf), at)
      await addSamples()
      if (!deps.rollsUp()) return
      await store.sumUp(at, deps.sampleSeconds)
      const hour = Math.floor(at / (HOUR_SECONDS * 1000))
      if (hour === rolledUp) return
      rolledUp = hour
      const day = DAY_SECONDS * 1000
      if (!(await store.rollUp(at - deps.keepSamplesDays * day, at - deps.keepHoursDays * day))) rolledUp = 0
    }

    receive(command => {
      switch (command.type) {
        case 'recorder.sample': {
          const at = now()
          // What is older says nothing of this span.
          const isOld = (asOf = at) => at - asOf > deps.sampleSeconds * 1000
          const connected = deps.machines().filter(({ isConnected, asOf }) => isConnected && !isOld(asOf))
          const newSamples = connected.flatMap(client => samplesOf(client, at, deps.sampleSeconds))
          samples = [...samples, ...newSamples].slice(-MOST_SAMPLES)
          void keeper.keep('samples', sample)
          break
        }
        case 'recorder.store':
          for (const reported of command.units) {
            const unit = endedUnit(command.machine, reported)
            if (unit !== undefined) units.set(unit.key, unit)
          }
          for (const oldest of units.keys()) {
            if (units.size <= MOST_UNITS) break
            units.delete(oldest)
          }
          void keeper.keep('units', addUnits)
          break
      }
    })
    return () => void keeper.stop()
  })
}

function seenOf({ id, name, address, data }: ClientStatus & { readonly address: string }) {
  return {
    id: boundedKey(id ?? address),
    name: boundedText(name),
    address,
    os: boundedText(osText(data?.info)),
    version: boundedText(text(data?.info.version) ?? ''),
  }
}

/** A unit as it is stored; undefined for one without an end, or with one before 1970. */
export function endedUnit(client: ArchivedClient, reported: Unit): EndedUnit | undefined {
  const { key, unit } = archivedUnit(client, reported)
  const ended = positive(endOf(unit))
  if (ended === undefined) return undefined
  return {
    key,
    machine: client.id,
    unit: unit.id ?? '',
    number: integer(unit.number),
    group_name: unit.group ?? '',
    resource: boundedKey(text(Reflect.get(unit, 'resources')) ?? UNKNOWN_RESOURCE),
    project: integer(projectOf(unit)),
    run: integer(unit.wu?.run),
    clone: integer(unit.wu?.clone),
    gen: integer(unit.wu?.gen),
    core: coreOf(unit) ?? null,
    result: unit.result ?? '',
    credit: amount(positive(unit.assignment?.credit)),
    ppd: amount(ppdOf(unit)),
    run_time: amount(positive(unit.run_time)),
    assigned: integer(positive(assignedAt(unit))),
    ended,
    tpf: amount(tpfSeconds(unit, ended)),
    progress: amount(workShare(unit)),
  }
}

/** The points per day of a client's units, those of the same group, project and resource added. */
export function samplesOf(
  { id, data }: Pick<ClientStatus, 'id' | 'data'> & { readonly address: string },
  at: number,
  sampleSeconds: number,
): readonly Sample[] {
  const width = sampleSeconds * 1000
  const begin = Math.floor(at / width) * width
  const rows = new Map<string, Sample>()
  const time = clientTime(data, at)
  for (const unit of data?.units ?? []) {
    const ppd = amount(currentPpd(unit, time)) ?? 0
    if (ppd <= 0 || id === undefined) continue
    const row: Sample = {
      at: begin,
      span: sampleSeconds,
      machine: boundedKey(id),
      group_name: boundedKey(unit.group ?? ''),
      project: integer(projectOf(unit)) ?? 0,
      resource: boundedKey(unitResources(unit, data?.info) ?? UNKNOWN_RESOURCE),
      ppd,
    }
    const key = JSON.stringify([row.group_name, row.project, row.resource])
    rows.set(key, { ...row, ppd: Math.min(ppd + (rows.get(key)?.ppd ?? 0), MOST_AMOUNT) })
  }
  return [...rows.values()]
}

function integer(value: number | undefined): number | null {
  const number = finite(value)
  return number === undefined || Math.abs(number) > MOST_AMOUNT ? null : Math.trunc(number)
}

/** Values that no client can have would overflow in sums. */
function amount(value: number | undefined): number | null {
  const number = finite(value)
  return number === undefined ? null : Math.min(number, MOST_AMOUNT)
}
