import { dailySpans } from '../../../src/folding/schedule/spans.ts'

/** Quiet hours by a wall clock: `from` and `until` as 'HH:MM' in an IANA time zone. Equal ones are no quiet hours. */
export type QuietHours = { readonly from: string; readonly until: string; readonly zone: string }

/** Milliseconds until the quiet hours end; 0 outside of them. `at`: epoch milliseconds. */
export function quietRemaining(quiet: QuietHours | undefined, at: number): number {
  if (quiet === undefined || quiet.from === quiet.until) return 0
  const [now] = dailySpans(quiet, quiet.zone, at, at + 1)
  return now === undefined ? 0 : Math.max(1000, now.end - at)
}
