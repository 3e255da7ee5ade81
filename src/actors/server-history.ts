import * as v from 'valibot'
import { MAX_STORED_UNITS } from '../folding/shared/memory-limits.ts'
import type { Excerpt } from '../folding/unit/history.ts'
import { excerptOf, historyAnswer, UNITS_A_PAGE, UNITS_A_REQUEST } from '../folding/unit/server-history.ts'
import { callServer, type CallDeps } from './server-call.ts'

/** `mayGive`: whether the server takes units of this page's user. */
export type ServedHistory = Excerpt & { readonly mayGive: boolean }

/** The history that the server of this page keeps. */
export type ServerHistory = {
  /** The newest units, as many as a page keeps. Undefined when the server does not answer. */
  readonly load: () => Promise<ServedHistory | undefined>
  /** Gives the server units that it does not know. Resolves with whether it took all. */
  readonly send: (excerpt: Excerpt) => Promise<boolean>
}

const PATH = '/api/server/history'
const PAGE_MS = 30_000

export const serverHistory = (deps: CallDeps): ServerHistory => ({
  load: async () => {
    const found: { machines: Excerpt['machines']; units: Excerpt['units'][number][]; mayGive: boolean } = {
      machines: [],
      units: [],
      mayGive: false,
    }
    for (let after: string | null = ''; after !== null && found.units.length < MAX_STORED_UNITS;) {
      const position: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
      const got = await callServer(deps, `${PATH}?limit=${UNITS_A_PAGE}${position}`, undefined, PAGE_MS)
      const answer = v.safeParse(historyAnswer, got?.content)
      if (!answer.success) return undefined
      const { machines, units } = excerptOf(answer.output)
      if (after === '') found.machines = machines
      found.units.push(...units)
      found.mayGive = answer.output.mayGive
      after = answer.output.next
    }
    return found
  },
  send: async ({ machines, units }) => {
    const byId = new Map(machines.map(machine => [machine.id, machine]))
    for (let at = 0; at < units.length; at += UNITS_A_REQUEST) {
      const part = units.slice(at, at + UNITS_A_REQUEST)
      const own = [...new Set(part.map(({ machine }) => machine))].flatMap(id => byId.get(id) ?? [])
      const got = await callServer(deps, PATH, {
        machines: own.map(({ id, name, info }) => ({ id, name, info })),
        units: part.map(({ machine, unit }) => ({ machine, ...unit })),
      })
      if (got?.status !== 200) return false
    }
    return true
  },
})
