import type { Json } from '../../../src/protocol/json.ts'
import type { IncidentKind } from '../../../src/folding/incidents/incident.ts'
import { HOUR, MINUTE } from '../time/durations.ts'

/** A client of a report from the field, as ../shared/cases/lib.mjs serves it. */
type Served = { readonly state: Json; readonly restart: (state?: Json) => Promise<void> }
type ServeOptions = {
  readonly history?: readonly Json[]
  readonly onCommand?: (command: Readonly<Record<string, unknown>>, socket: { terminate: () => void }) => unknown
}

/** What the program of the cases exports. */
export type CasesProgram = {
  readonly serve: (port: number, state: Json, options: ServeOptions) => Promise<Served>
  readonly states: Readonly<Record<string, ((phase: number) => Json) | readonly Json[]>>
}

/** A report, and what is right. */
export type FieldReport = {
  readonly name: string
  /** The incidents that a page must open, each within so many milliseconds of its visit. */
  readonly expects: Readonly<Partial<Record<IncidentKind, number>>>
  /** Grave incidents that are right, besides those. */
  readonly graves?: readonly IncidentKind[]
  /** Milliseconds after its start at which it starts again, in its next phase. */
  readonly phases?: readonly number[]
}

/** Those of ../shared/cases/README.md. */
export const fieldReports: readonly FieldReport[] = [
  { name: 'driverLost', phases: [5 * MINUTE, 10 * MINUTE], expects: { 'gpu-driver': 9 * MINUTE } },
  { name: 'slept', expects: {} },
  { name: 'noFraction', expects: {} },
  { name: 'gpuStarved', expects: { starved: 19 * MINUTE } },
  { name: 'slowLine', expects: { full: 9 * MINUTE, unsent: 34 * MINUTE } },
  { name: 'oddGpus', expects: {} },
  // A unit that needs a year is late, and one never gets beyond 99.9 %.
  { name: 'oddEstimates', expects: {}, graves: ['deadline', 'stalled'] },
  { name: 'historian', expects: {} },
]

const FRACTION = /\.\d/

/** A build that closes the connection on a time with a fraction of a second. */
const refusesFractions: NonNullable<ServeOptions['onCommand']> = ({ cmd, time }, socket) => {
  if (!FRACTION.test(String(time)) || !['state', 'config'].includes(String(cmd))) return undefined
  socket.terminate()
  return false
}

/** Starts the client of a report; returns what it would tell now. */
export function startReport(
  { serve, states }: CasesProgram,
  { name, phases = [] }: FieldReport,
  port: number,
  after: (ms: number, what: string, run: () => void) => void,
): () => Json {
  const make = states[name]
  if (typeof make !== 'function') throw new Error(`There is no case ${name}.`)
  const history = states['oddHistory']
  let served: Served | undefined
  const first = make(0)
  void serve(port, first, {
    ...(name === 'historian' && Array.isArray(history) ? { history: history as readonly Json[] } : {}),
    ...(name === 'noFraction' ? { onCommand: refusesFractions } : {}),
  }).then(running => {
    served = running
  })
  for (const [index, ms] of phases.entries()) after(ms, 'next phase', () => void served?.restart(make(index + 1)))
  return () => served?.state ?? first
}

/** How long a page looks at reports: the incidents that are expected need less. */
export const LONGEST_LOOK = 0.75 * HOUR
