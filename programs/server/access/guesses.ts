/*
 * Wrong passwords, counted by account and by address: each makes the next attempt wait longer, and nobody is shut out for good.
 * Times are milliseconds of a clock that is never set.
 */

/** Attempts that need not wait. */
const FREE = 10
const LONGEST_WAIT = 60_000
/** An attempt is forgotten after this time. */
const KEPT = 900_000
/** Names and addresses that are remembered. */
const MOST_COUNTED = 10_000

export type Guesses = {
  /** Seconds until the next attempt; undefined: now. */
  readonly secondsToWait: (account: string, network: string) => number | undefined
  /** An attempt begins: it counts as wrong until it is found to be right. */
  readonly begin: (account: string, network: string) => { readonly right: () => void }
}

type Attempt = { readonly at: number; readonly account: string }

export function createGuesses(now: () => number): Guesses {
  const counted = new Map<string, readonly Attempt[]>()
  /** From where people have signed in: others’ guesses elsewhere do not make them wait. */
  const trusted = new Map<string, true>()

  const recent = (key: string): readonly Attempt[] => (counted.get(key) ?? []).filter(({ at }) => at > now() - KEPT)
  const waitOf = (attempts: readonly Attempt[]): number => {
    const last = attempts.at(-1)
    if (last === undefined || attempts.length < FREE) return 0
    return last.at + Math.min(LONGEST_WAIT, 1000 * 2 ** (attempts.length - FREE)) - now()
  }
  const ofAddress = (network: string): string => `address ${network}`
  const keysOf = (account: string, network: string): readonly string[] =>
    trusted.has(`${account} ${network}`) ? [ofAddress(network)] : [ofAddress(network), `account ${account}`]
  const keep = <Value>(entries: Map<string, Value>, key: string, value: Value): void => {
    entries.delete(key)
    entries.set(key, value)
    const [oldest] = entries.keys()
    if (entries.size > MOST_COUNTED && oldest !== undefined) entries.delete(oldest)
  }

  return {
    secondsToWait: (account, network) => {
      const wait = Math.max(...keysOf(account, network).map(key => waitOf(recent(key))))
      return wait > 0 ? Math.ceil(wait / 1000) : undefined
    },
    begin: (account, network) => {
      for (const key of keysOf(account, network)) keep(counted, key, [...recent(key), { at: now(), account }])
      return {
        // Guesses at other accounts from this address still count.
        right: () => {
          for (const key of [ofAddress(network), `account ${account}`])
            keep(
              counted,
              key,
              recent(key).filter(each => each.account !== account),
            )
          keep(trusted, `${account} ${network}`, true)
        },
      }
    },
  }
}
