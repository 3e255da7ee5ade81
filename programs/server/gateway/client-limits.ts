import type { Excess } from '../../../src/folding/client/client-excess.ts'

/** `perSecond`: what comes back each second of an amount that may be used at once; missing where `most` is a size. */
export type ExcessLimit = { readonly most: number; readonly perSecond?: number; readonly reason: string }

const MEBIBYTE = 1_048_576

/**
 * What one client may send: what the largest real ones send, times ten. Sizes are of docs/protocol.md §1 to §8. The table
 * of docs/server.md has the same values.
 */
export const CLIENT_LIMITS = {
  bytes: {
    most: 256 * MEBIBYTE,
    perSecond: MEBIBYTE,
    reason: 'ten molecules of 25 MB at once; a hundred running units send 14 kB a second',
  },
  messages: {
    most: 50_000,
    perSecond: 2500,
    reason: 'a hundred running units send 230 a second; after a standstill they arrive together',
  },
  state: { most: 2 * MEBIBYTE, reason: 'a hundred units and twenty groups are 130 kB' },
  values: { most: 50_000, reason: 'a hundred units and twenty groups have 5,000 keys and elements' },
  keys: { most: 400, reason: 'a unit has 35 keys' },
  list: { most: 1000, reason: 'a unit names a few GPUs and servers' },
  groups: { most: 200, reason: 'twenty groups' },
  units: { most: 1000, reason: 'a hundred units' },
  additions: {
    most: 20_000,
    perSecond: 10,
    reason: 'a hundred units and twenty groups, reported anew every half a minute, are four a second',
  },
  text: { most: 40_960, reason: 'the longest path has 4,096 characters, the longest line of a log 3,000' },
  log: {
    most: 64 * MEBIBYTE,
    perSecond: 100_000,
    reason: 'a client keeps 100,000 lines, some 9 MB, and sends them to each new connection',
  },
  history: {
    most: 20_000,
    perSecond: 1,
    reason: 'a client keeps 500 units that ended, and a unit takes minutes; units that are known count little',
  },
  processor: {
    most: 5000,
    perSecond: 100,
    reason: 'milliseconds; a log of 100,000 lines takes 200, a running unit less than 1 a second',
  },
} as const satisfies Readonly<Record<Excess, ExcessLimit>>

/** How long a client that sent too much is left alone, the first time and at most. It doubles each time. */
export const FIRST_WAIT_MS = 60_000
export const LONGEST_WAIT_MS = 3_600_000
/** After so long without sending too much, it counts as the first time again. */
export const FORGIVEN_MS = 2 * LONGEST_WAIT_MS
