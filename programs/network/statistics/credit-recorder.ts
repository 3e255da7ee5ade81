import { isJsonObject, type JsonObject } from '../../../src/protocol/json.ts'
import { defaultProjects } from '../clients/index.ts'
import { numberOf, textOf } from '../clients/wire-value.ts'
import { insertCredits, machinesWithCredits, type CreditEntry } from '../store/credits.ts'
import type { Store } from '../store/store.ts'

export type Donor = { user: string; team: number; passkey: string }

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

/**
 * Base credit, plus a bonus for a quick return if there is a passkey. Computed for speed 1, so that higher speeds give
 * realistic numbers.
 */
function creditFor(assignment: JsonObject, passkey: string): number {
  const base = numberOf(assignment['credit'])
  const spec = defaultProjects.find(({ project }) => project === numberOf(assignment['project']))
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
  const result = textOf(row['result'])
  const code = Object.hasOwn(CODES, result) ? CODES[result] : undefined
  if (code === undefined || !isJsonObject(assignment) || !isJsonObject(wu)) return undefined
  return {
    machine: client,
    unit: textOf(row['id']),
    user: user === '' ? 'Anonymous' : user,
    team,
    passkey,
    project: numberOf(assignment['project']),
    run: numberOf(wu['run']),
    clone: numberOf(wu['clone']),
    gen: numberOf(wu['gen']),
    code,
    credit: code === 'Ok' ? creditFor(assignment, passkey) : 0,
    assign_time: textOf(assignment['time']),
    credit_time: textOf(row['end_time']),
  }
}

/** Stores the credits of ended units, in batches. */
export async function createCreditRecorder(store: Store, report: (line: string) => void) {
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
    /** Whether this client had credits at the start. */
    hasCredits: (client: string) => creditedMachines.has(client),
    record: (client: string, row: JsonObject, donor: Donor): void => {
      const entry = creditEntryOf(client, row, donor)
      if (entry === undefined) return
      pending.push(entry)
      writeLater()
    },
    /** Resolves when everything recorded so far is stored. */
    flush: () => write(),
    stop: async (): Promise<void> => {
      isStopped = true
      clearTimeout(timer)
      await write()
    },
  }
}

export type CreditRecorder = Awaited<ReturnType<typeof createCreditRecorder>>
