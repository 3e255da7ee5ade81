import { creditOf } from '../../folding/unit/credits.ts'
import type { CreditFound, CreditTask } from '../../machines/units/credits/credits.machine.ts'
import { decodeCredits } from '../../protocol/api/api.ts'
import type { Api } from '../network/api.ts'
import { creditsPath } from './resources.ts'

type Deps = {
  readonly api: Api
  /** Corrected epoch milliseconds. */
  readonly now: () => number
}

/** What the API logged for one unit. It answers with 404 or an error object where it has nothing. */
export async function askCredit(
  { api, now }: Deps,
  { name: { project, run, clone, gen }, donors, assigned }: CreditTask,
): Promise<CreditFound | undefined> {
  const path = creditsPath([project, run, clone, gen].map(String))
  const answer = await api({ method: 'GET', path, data: {} }, decodeCredits)
  if (answer.ok) return { at: now(), points: creditOf(answer.value, donors, assigned) }
  const { fault } = answer
  const isNone = fault.kind === 'unreadable' || (fault.kind === 'refused' && fault.status === 404)
  return isNone ? { at: now(), points: undefined } : undefined
}
