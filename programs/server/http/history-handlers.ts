import { osText } from '../../../src/folding/client/client.ts'
import { text } from '../../../src/folding/shared/read.ts'
import type { HistoryAnswer } from '../../../src/folding/unit/server-history.ts'
import { fileClient, readingOf } from '../../../src/folding/unit/unit-file.ts'
import type { Json } from '../../../src/protocol/json.ts'
import { mayUse } from '../access/access.ts'
import { endedUnit } from '../store/recorder.ts'
import { pauseForMessages } from '../event-loop.ts'
import { partsOf } from '../store/rows.ts'
import type { Standing } from '../store/standing-store.ts'
import type { EndedUnit } from '../store/store.ts'
import { csv } from './csv.ts'
import type { ApiServices, Handlers } from './handler.ts'
import type { historyRoutes } from './history-routes.ts'

type HistoryServices = Pick<ApiServices, 'store' | 'metrics' | 'machines' | 'now'>

/** Handlers of the routes by which pages read the history, and give their own. */
export function historyHandlers({
  store,
  metrics,
  machines: current,
  now,
}: HistoryServices): Pick<Handlers, keyof typeof historyRoutes> {
  /** Those that were ever seen, and those that are connected since a moment. */
  const knownClients = async (): Promise<ReadonlyMap<string, HistoryAnswer['machines'][number]>> => {
    const stored = (await store.machines()).map(({ id, name, os, version }) => ({ id, name, os, version }))
    const connected = current().flatMap(({ id, name, data }) =>
      id === undefined || data === undefined
        ? []
        : [{ id, name, os: osText(data.info), version: text(data.info.version) ?? '' }],
    )
    return new Map([...stored, ...connected].map(client => [client.id, client]))
  }

  return {
    history: async ({ identity, query: { limit, after } }, context) => {
      const { units, next } = await store.units({}, limit, after)
      const clients = after === undefined ? [...(await knownClients()).values()] : []
      return context.json({
        machines: clients,
        units: units.map(servedUnit),
        next: next ?? null,
        mayGive: mayUse(identity, 'control'),
      } satisfies HistoryAnswer)
    },
    standings: async ({ query: { kind, name, from, to, limit, format } }, context) => {
      const rows = await store.standings.list({ kind, name, from: parsed(from), to: parsed(to) }, limit)
      return format === 'csv'
        ? csv(context, rows, standingOf, 'standings.csv')
        : context.json({ standings: rows.map(standingOf) })
    },
    takeHistory: async ({ identity, body }, context) => {
      const names = new Map([...(await knownClients())].map(([id, { name }]) => [id, name]))
      const clients = new Map(
        body.machines
          .filter(({ id }) => names.has(id))
          .map(client => [client.id, fileClient(client.id, client.name, Reflect.get(client, 'info'))]),
      )
      const rows = body.units.flatMap(row => {
        const client = clients.get(row.machine)
        // It was read from JSON.
        return client === undefined ? [] : [{ machine: client, row: row as Json }]
      })
      const units: EndedUnit[] = []
      for (const part of partsOf(rows)) {
        await pauseForMessages()
        const reading = readingOf(part)
        for (const { machine: client, unit } of reading.ok ? reading.excerpt.units : []) {
          const owner = clients.get(client)
          const ended = owner === undefined ? undefined : endedUnit(owner, unit)
          if (ended !== undefined) units.push(ended)
        }
      }
      const added = await store.imports.addMissing(units)
      metrics.countUnits(added)
      if (added.length > 0) {
        const id = await store.addAction({
          at: now(),
          who: identity.name,
          machine: [...new Set(added.map(({ machine: client }) => names.get(client) ?? client))].slice(0, 3).join(', '),
          command: `take in ${added.length} units of a page`,
          reason: 'history of a browser',
        })
        await store.settleAction(id, 'confirmed')
      }
      return context.json({ taken: added.length, known: units.length - added.length })
    },
  }
}

function parsed(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time)
}

function standingOf({ at, kind, name, score, wus }: Standing) {
  return { at: new Date(at).toISOString(), kind, name, points: score, units: wus }
}

/** The fields of a unit in each answer with ended units. */
export function unitFields(unit: EndedUnit) {
  return {
    unit: unit.unit,
    group: unit.group_name,
    resource: unit.resource,
    project: unit.project,
    run: unit.run,
    clone: unit.clone,
    gen: unit.gen,
    core: unit.core,
    result: unit.result,
    credit: unit.credit,
    loggedCredit: unit.logged_credit ?? null,
    pointsPerDay: unit.ppd,
  }
}

/** As pages read it. */
export function servedUnit(unit: EndedUnit): HistoryAnswer['units'][number] {
  return {
    key: unit.key,
    machine: unit.machine,
    ...unitFields(unit),
    number: unit.number,
    tpf: unit.tpf ?? null,
    progress: unit.progress ?? null,
    runTime: unit.run_time,
    assigned: unit.assigned,
    ended: unit.ended,
    creditAsked: unit.credit_asked ?? null,
  }
}
