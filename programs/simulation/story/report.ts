import { DAY } from '../time/durations.ts'
import type { Report } from '../run.ts'

function timeOf(at: number): string {
  const date = new Date(at)
  return `day ${Math.floor(at / DAY) + 1}, ${date.toISOString().slice(11, 19)}`
}

/** Lines of the story that are shown. */
const MOST = 40
const LAST_OF_JOURNAL = 25

function counts(story: Report['story']): readonly string[] {
  const found = new Map<string, number>()
  for (const { text } of story) {
    const what = text.replace(/tells \S+ to/, 'tells a machine to')
    found.set(what, (found.get(what) ?? 0) + 1)
  }
  return [...found]
    .sort(([, one], [, other]) => other - one)
    .map(([what, count]) => `${String(count).padStart(6)} × ${what}`)
}

/** A page of words: what happened, and the invariant and the moment when one failed. */
export function reportText(
  { digest, story, failure, last }: Report,
  { seed, days, machines }: { readonly seed: string; readonly days: string; readonly machines: string },
): string {
  const shown =
    failure === undefined ? counts(story) : story.slice(-MOST).map(({ at, text }) => `${timeOf(at)}  ${text}`)
  return [
    `Seed ${seed}: ${machines} machines, ${days} days.`,
    '',
    ...shown,
    '',
    ...(failure === undefined
      ? ['Everything held.']
      : [
          `FAILED on ${timeOf(failure.at)}: ${failure.invariant}`,
          failure.reason,
          failure.what,
          '',
          'What came before:',
          ...last.slice(-LAST_OF_JOURNAL).map(line => line.trimEnd().slice(0, 160)),
        ]),
    `Journal ${digest}`,
  ].join('\n')
}
