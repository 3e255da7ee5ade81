import type { Json, JsonObject } from '../../../src/protocol/json.ts'
import { defaultProjects } from '../clients/index.ts'
import { insertCredits, machinesWithCredits, type CreditEntry } from '../store/credits.ts'
import type { Store } from '../store/store.ts'

export type Donor = { user: string; team: number; passkey: string }

/** Stores the credits of ended units, in batches. */
export type CreditRecorder = {
  /** Whether this client had credits at the start. */
  hasCredits(client: string): boolean
  record(client: string, row: JsonObject, donor: Donor): void
  /** Resolves when everything recorded so far is stored. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const EVERY_MS = 250
/** Maximum delay after failed writes; it doubles with each failure. */
const MAX_PAUSE_MS = 30_000
/** Maximum number of credits in one transaction, so that a large fleet's history does not block other writes. */
const BATCH_SIZE = 500

/** The work server's code for each result that is reported to it. */
const CODES: Readonly<Record<string, string>> = {
  credited: 'Ok',
  dumped: 'Dumped',
  failed: 'Faulty',
  rejected: 'Rejected',
  expired: 'Expired',
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
function numberIn(object: JsonObject, key: string): number {
  return typeof object[key] === 'number' ? object[key] : 0
}
function textIn(object: JsonObject, key: string): string {
  return typeof object[key] === 'string' ? object[key] : ''
}

/**
 * Base credit, plus a bonus for a quick return if there is a passkey. Computed for speed 1, so that higher speeds give
 * realistic numbers.
 */
function creditFor(assignment: JsonObject, passkey: string): number {
  const base = numberIn(assignment, 'credit')
  const spec = defaultProjects.find(({ project }) => project === numberIn(assignment, 'project'))
  if (passkey === '' || spec === undefined) return base
  return Math.round(base * Math.max(1, Math.sqrt((0.75 * spec.deadline) / (spec.hours * 3_600))))
}

/** Undefined for a unit that was never assigned, or whose end is not reported to a work server. */
export function creditEntryOf(
  client: string,
  row: JsonObject,
  { user, team, passkey }: Donor,
): CreditEntry | undefined {
  const { assignment, wu } = row
  const result = textIn(row, 'result')
  const code = Object.hasOwn(CODES, result) ? CODES[result] : undefined
  if (code === undefined || !isObject(assignment) || !isObject(wu)) return undefined
  return {
    machine: client,
    unit: textIn(row, 'id'),
    user: user === '' ? 'Anonymous' : user,
    team,
    passkey,
    project: numberIn(assignment, 'project'),
    run: numberIn(wu, 'run'),
    clone: numberIn(wu, 'clone'),
    gen: numberIn(wu, 'gen'),
    code,
    credit: code === 'Ok' ? creditFor(assignment, passkey) : 0,
    assign_time: textIn(assignment, 'time'),
    credit_time: textIn(row, 'end_time'),
  }
}

export async function createCreditRecorder(store: Store, report: (line: string) => void): Promise<CreditRecorder> {
  const creditedMachines = await machinesWithCredits(store)
  const pending: CreditEntry[] = []
  let writing: Promise<void> = Promise.resolve()
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** Credits are removed from `pending` only after they are stored. */
  const writeSome = async (most: number): Promise<void> => {
    const entries = pending.slice(0, most)
    try {
      await insertCredits(store, entries)
      pending.splice(0, entries.length)
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1)
        report(`Credits could not be stored; retrying: ${error instanceof Error ? error.message : 'unknown reason'}`)
    }
  }
  const write = (most = Infinity): Promise<void> => {
    writing = writing.then(() => writeSome(most))
    return writing
  }
  const writeLater = (): void => {
    if (isStopped || pending.length === 0) return
    timer ??= setTimeout(
      () => {
        void write(BATCH_SIZE).then(() => {
          timer = undefined
          writeLater()
        })
      },
      Math.min(MAX_PAUSE_MS, EVERY_MS * 2 ** failures),
    )
  }

  return {
    hasCredits: client => creditedMachines.has(client),
    record: (client, row, donor) => {
      const entry = creditEntryOf(client, row, donor)
      if (entry === undefined) return
      pending.push(entry)
      writeLater()
    },
    flush: () => write(),
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await write()
    },
  }
}
