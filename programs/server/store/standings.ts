import type { Logger } from 'pino'
import type { Api } from '../../../src/actors/network/api.ts'
import { decodeDonor, decodeTeam } from '../../../src/protocol/api/api.ts'
import { pathPart } from '../../../src/protocol/url.ts'
import type { Standing, StandingStore } from './standing-store.ts'

/** What a client folds for. */
export type Folder = { readonly user: string; readonly team: number; readonly passkey: string }

export type StandingsDeps = {
  readonly store: StandingStore
  /** Of Folding@home. */
  readonly api: Api
  readonly folders: () => readonly Folder[]
  readonly log: Pick<Logger, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

const HOUR_MS = 3_600_000
/** The first time is a few minutes after the start, so that a server that keeps restarting sends no requests. */
const FIRST_MS = 60_000
const MOST_ASKED = 20
const ANONYMOUS = 'anonymous'

/** Points of the donors and teams of all clients, one record an hour. One call after another. */
export async function readStandings({ store, api, folders, log, now }: StandingsDeps): Promise<void> {
  const hour = Math.floor(now() / HOUR_MS) * HOUR_MS
  const existing = new Set(
    (await store.list({ from: hour }, 2 * MOST_ASKED)).map(({ kind, name }) => `${kind} ${name}`),
  )
  const all = folders()
  const donors = new Map(
    all.filter(({ user }) => user !== '' && user.toLowerCase() !== ANONYMOUS).map(folder => [folder.user, folder]),
  )
  const teams = new Set(all.flatMap(({ team }) => (team > 0 ? [team] : [])))
  const found: Standing[] = []
  let failure: string | undefined
  const note = (kind: Standing['kind'], name: string, score: number | undefined, wus: number | undefined): void => {
    if (score !== undefined && wus !== undefined) found.push({ kind, name, at: now(), score, wus })
  }
  for (const { user, passkey } of [...donors.values()].slice(0, MOST_ASKED)) {
    if (existing.has(`donor ${user}`)) continue
    const data = passkey === '' ? {} : { passkey }
    const answer = await api({ method: 'GET', path: `/user/${pathPart(user)}`, data }, decodeDonor)
    if (answer.ok) note('donor', user, answer.value.score, answer.value.wus)
    else failure = answer.fault.kind
  }
  for (const team of [...teams].slice(0, MOST_ASKED)) {
    if (existing.has(`team ${team}`)) continue
    const answer = await api({ method: 'GET', path: `/team/${team}` }, decodeTeam)
    if (answer.ok) note('team', String(team), answer.value.score, answer.value.wus)
    else failure = answer.fault.kind
  }
  if (failure !== undefined) log.warn({ reason: failure }, 'points of donors or teams could not be read')
  await store.add(found)
}

/** Reads them each hour, at a minute of this server's own, until the returned function is called. */
export function followStandings(deps: StandingsDeps): () => void {
  let timer: NodeJS.Timeout | undefined
  const next = (wait: number): void => {
    timer = setTimeout(() => {
      readStandings(deps)
        .catch((error: unknown) => deps.log.warn({ err: error }, 'points of donors or teams could not be stored'))
        .finally(() => {
          if (timer !== undefined) next(HOUR_MS)
        })
    }, wait)
  }
  next(FIRST_MS * (1 + deps.random() * 4))
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}
