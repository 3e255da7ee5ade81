import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { defaultProjects } from '../clients/index.ts'
import { insertCredits, machinesWithCredits } from '../store/credits.ts'
import type { CreditEntry } from '../store/credits.ts'
import type { Store } from '../store/store.ts'

export type Donor = { user: string; team: number; passkey: string }

/** Books what units bring, a little after they end. */
export type CreditRecorder = {
  /** Whether anything of this machine was booked at the start. */
  hasCredits(machine: string): boolean
  record(machine: string, row: JsonObject, donor: Donor): void
  /** Everything noted so far is booked. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const EVERY_MS = 250
/** The pause after a write that failed, doubled with each further one. */
const MAX_PAUSE_MS = 30_000
/** A large fleet's past is booked bit by bit, so that others have their turn. */
const BATCH_SIZE = 500

/** What a work server writes for each result that it hears of. */
const CODES: Readonly<Record<string, string>> = {
  credited: 'Ok',
  dumped: 'Dumped',
  failed: 'Faulty',
  rejected: 'Rejected',
  expired: 'Expired',
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const numberIn = (object: JsonObject, key: string): number => (typeof object[key] === 'number' ? object[key] : 0)
const textIn = (object: JsonObject, key: string): string => (typeof object[key] === 'string' ? object[key] : '')

/** Base credit, with a passkey more for a quick return; as quick as at speed 1, so that a fast world stays believable. */
const creditFor = (assignment: JsonObject, passkey: string): number => {
  const base = numberIn(assignment, 'credit')
  const spec = defaultProjects.find(({ project }) => project === numberIn(assignment, 'project'))
  if (passkey === '' || spec === undefined) return base
  return Math.round(base * Math.max(1, Math.sqrt((0.75 * spec.deadline) / (spec.hours * 3_600))))
}

/** undefined: nobody heard of this unit's end, or it never began. */
export const creditEntryOf = (
  machine: string,
  row: JsonObject,
  { user, team, passkey }: Donor,
): CreditEntry | undefined => {
  const { assignment, wu } = row
  const result = textIn(row, 'result')
  const code = Object.hasOwn(CODES, result) ? CODES[result] : undefined
  if (code === undefined || !isObject(assignment) || !isObject(wu)) return undefined
  return {
    machine,
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

export const createCreditRecorder = async (store: Store, report: (line: string) => void): Promise<CreditRecorder> => {
  const known = await machinesWithCredits(store)
  const pending: CreditEntry[] = []
  let writing: Promise<void> = Promise.resolve()
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** Credits leave the list only when they are on the disk. */
  const writeSome = async (most: number): Promise<void> => {
    const entries = pending.slice(0, most)
    try {
      await insertCredits(store, entries)
      pending.splice(0, entries.length)
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1)
        report(
          `Credits could not be booked and will be tried again: ${error instanceof Error ? error.message : 'unknown reason'}`,
        )
    }
  }
  const write = (most = Infinity): Promise<void> => {
    writing = writing.then(() => writeSome(most))
    return writing
  }
  const writeLater = (): void => {
    if (isStopped) return
    timer = setTimeout(
      () => {
        void write(BATCH_SIZE).then(writeLater)
      },
      Math.min(MAX_PAUSE_MS, EVERY_MS * 2 ** failures),
    )
  }
  writeLater()

  return {
    hasCredits: machine => known.has(machine),
    record: (machine, row, donor) => {
      const entry = creditEntryOf(machine, row, donor)
      if (entry !== undefined) pending.push(entry)
    },
    flush: () => write(),
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await write()
    },
  }
}
