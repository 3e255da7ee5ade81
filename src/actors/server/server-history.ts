import { MAX_STORED_UNITS } from '../../folding/shared/memory-limits.ts'
import type { Excerpt } from '../../folding/unit/history.ts'
import { excerptOf, readHistory, UNITS_A_PAGE, UNITS_A_REQUEST } from '../../folding/unit/server-history.ts'
import { callServer, type CallDeps } from './server-call.ts'

/** `mayGive`: whether the server takes units of this page's user; `unusable`: rows that could not be read. */
export type ServedHistory = Excerpt & { readonly mayGive: boolean; readonly unusable: number }

export type ServerHistory = {
  /** The newest units, as many as a page keeps. Undefined when the server does not answer. */
  readonly load: () => Promise<ServedHistory | undefined>
  /** Gives the server units that it does not know. Resolves with whether it took all. */
  readonly send: (excerpt: Excerpt) => Promise<boolean>
}

const PATH = '/api/server/history'
const PAGE_MS = 30_000

export function serverHistory(deps: CallDeps): ServerHistory {
  return {
    load: async () => {
      const units: Excerpt['units'][number][] = []
      let clients: Excerpt['machines'] = []
      let mayGive = false
      let unusable = 0
      for (let after: string | null = ''; after !== null && units.length < MAX_STORED_UNITS;) {
        const position: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
        const got = await callServer(deps, `${PATH}?limit=${UNITS_A_PAGE}${position}`, undefined, PAGE_MS)
        const answer = readHistory(got?.content)
        if (answer === undefined) return undefined
        const part = excerptOf(answer)
        if (after === '') ({ machines: clients } = part)
        units.push(...part.units)
        unusable += answer.unusable
        ;({ mayGive, next: after } = answer)
      }
      return { machines: clients, units, mayGive, unusable }
    },
    send: async ({ machines: clients, units }) => {
      const byId = new Map(clients.map(client => [client.id, client]))
      for (let at = 0; at < units.length; at += UNITS_A_REQUEST) {
        const part = units.slice(at, at + UNITS_A_REQUEST)
        const partClients = [...new Set(part.map(({ machine: client }) => client))].flatMap(id => byId.get(id) ?? [])
        const got = await callServer(deps, PATH, {
          machines: partClients.map(({ id, name, info }) => ({ id, name, info })),
          units: part.map(({ machine: client, unit }) => ({ machine: client, ...unit })),
        })
        if (got?.status !== 200) return false
      }
      return true
    },
  }
}
