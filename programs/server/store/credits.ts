import type { Logger } from 'pino'
import type { Api } from '../../../src/actors/network/api.ts'
import { askCredit } from '../../../src/actors/resources/credits.ts'
import { CREDIT_PACE, creditRow, MOST_CREDIT_REQUESTS, nextQuestion } from '../../../src/folding/unit/credits.ts'
import { excerptOf } from '../../../src/folding/unit/server-history.ts'
import { servedUnit } from '../http/history-handlers.ts'
import { pauseForMessages } from '../event-loop.ts'
import type { ServerStore } from './store.ts'

export type CreditsDeps = {
  readonly store: Pick<ServerStore, 'units' | 'keepCredit'>
  /** Of Folding@home. */
  readonly api: Api
  /** Names of the donors that clients fold for. */
  readonly donors: () => readonly string[]
  readonly log: Pick<Logger, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

const HOUR_MS = 3_600_000
/** A server that keeps restarting sends no requests. */
const FIRST_MS = 60_000
const UNITS_AT_ONCE = 500

type Pass = { readonly rows: ReturnType<typeof creditRow>[]; readonly next: string | undefined; count: number }

/** Asks what the units of the history were credited with, by the rules of pages, newest first, each hour from there again. */
export function followCredits({ store, api, donors, log, now }: CreditsDeps): () => void {
  const passFrom = async (after: string | undefined, count: number): Promise<Pass> => {
    const { units, next } = await store.units({}, UNITS_AT_ONCE, after)
    const { units: archived } = excerptOf({ machines: [], units: units.map(servedUnit), next: null, mayGive: false })
    return { rows: archived.map(creditRow), next, count }
  }
  let pass: Pass | undefined
  const answered = new Set<string>()
  /** One request at most. Resolves with the milliseconds until the next one. */
  const step = async (): Promise<number> => {
    pass ??= await passFrom(undefined, 0)
    let question = nextQuestion(pass.rows, answered, now())
    while (question === undefined && pass.next !== undefined) {
      await pauseForMessages()
      if (timer === undefined) break
      pass = await passFrom(pass.next, pass.count)
      question = nextQuestion(pass.rows, answered, now())
    }
    const names = donors()
    if (question === undefined || names.length === 0 || pass.count++ >= MOST_CREDIT_REQUESTS) {
      pass = undefined
      answered.clear()
      return HOUR_MS
    }
    const found = await askCredit({ api, now }, { ...question, donors: names })
    if (found === undefined) return CREDIT_PACE.failure
    await store.keepCredit({ ...found, key: question.key })
    answered.add(question.key)
    return CREDIT_PACE.request
  }
  let timer: NodeJS.Timeout | undefined
  const follow = (wait: number): void => {
    timer = setTimeout(() => {
      void step()
        .catch((error: unknown) => {
          log.warn({ err: error }, 'points of units could not be read')
          return CREDIT_PACE.failure
        })
        .then(next => {
          if (timer !== undefined) follow(next)
        })
    }, wait)
  }
  follow(FIRST_MS)
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}
