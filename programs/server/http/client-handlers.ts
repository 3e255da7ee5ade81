import type { Json } from '../../../src/protocol/json.ts'
import { distinctNames } from '../../../src/folding/client/identity.ts'
import { idOfKey, traitsOf } from '../../../src/folding/client/client-key.ts'
import { readPageContent } from '../gateway/page-command.ts'
import type { PointsRow } from '../store/points-store.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../store/samples.ts'
import type { EndedUnit } from '../store/store.ts'
import { clientAnswer, unitAnswer } from './answers.ts'
import { csv } from './csv.ts'
import type { ApiServices, Handlers } from './handler.ts'

type ClientServices = Pick<ApiServices, 'command' | 'coordinated' | 'machines' | 'store'>

const STEP_SECONDS = { minute: 60, hour: HOUR_SECONDS, day: DAY_SECONDS } as const

/** Handlers of the routes of clients, their commands, their units and their points. */
export function clientHandlers({
  command,
  machines: clients,
  coordinated,
  store,
}: ClientServices): Pick<Handlers, 'machines' | 'client' | 'command' | 'processor' | 'units' | 'points'> {
  const labels = async (): Promise<ReadonlyMap<string, string>> => {
    const clients = await store.machines()
    const names = distinctNames(
      clients.map(({ id, name, address }) => ({ name, id: idOfKey(id), address, traits: traitsOf(undefined) })),
    )
    return new Map(clients.map(({ id, name }, index) => [id, names[index] ?? name]))
  }

  return {
    machines: (_, context) => context.json({ machines: clients().map(clientAnswer) }),
    client: (_, context) => {
      const [first] = clients()
      return first === undefined
        ? context.json({ error: 'There are no machines' }, 404)
        : context.json({ client: first.address, peer: first.isConnected ? 'client' : 'none' })
    },
    command: async ({ identity, body }, context) => {
      const number = Number(context.req.param('number'))
      const client = clients().find(each => each.number === number)
      if (client === undefined) return context.json({ error: 'There is no such machine' }, 404)
      const message = readPageContent(body.command as Json, client.isConnected ? client.data : undefined)
      if (message.kind !== 'control') return context.json({ error: 'The command is not valid' }, 400)
      const outcome = await command(number, message.request, identity, body.reason === '' ? 'HTTP API' : body.reason)
      if (outcome === 'forbidden')
        return context.json({ error: `The settings of this machine do not allow ${message.request.cmd}` }, 403)
      return context.json({ outcome })
    },
    processor: async ({ identity, body }, context) => {
      const number = Number(context.req.param('number'))
      const client = clients().find(each => each.number === number)
      if (client === undefined) return context.json({ error: 'There is no such machine' }, 404)
      const { group, gpu, state, preview, reason } = body
      const processor = { group, ...(gpu === undefined ? {} : { gpu }) }
      const answer = client.commands.includes('config')
        ? await coordinated().processors.command(
            { which: { kind: 'one', processor, name: '' }, state, isPreview: preview, by: identity.name },
            number,
            request => command(number, request, identity, reason === '' ? 'HTTP API' : reason),
          )
        : undefined
      if (answer === undefined || (answer.kind === 'done' && answer.outcome === 'forbidden'))
        return context.json({ error: 'The settings of this machine do not allow config' }, 403)
      if (answer.kind === 'impossible') return context.json({ error: answer.because }, 409)
      return context.json({ outcome: answer.outcome, costs: answer.costs })
    },

    units: async ({ query }, context) => {
      const { units, next } = await store.units(
        { ...spanOf(query), machine: query.machine, project: query.project },
        query.limit,
        query.after,
      )
      const names = await labels()
      const answerOf = (unit: EndedUnit) => unitAnswer(unit, names)
      if (query.format === 'csv') return csv(context, units, answerOf, 'units.csv', next)
      return context.json({ units: units.map(answerOf), next: next ?? null })
    },
    points: async ({ query }, context) => {
      const rows = await store.points({
        ...spanOf(query),
        machine: query.machine,
        by: query.by,
        step: STEP_SECONDS[query.step],
      })
      const names = query.by === 'machine' ? await labels() : new Map<string, string>()
      const pointOf = ({ at, name, ppd }: PointsRow) => ({
        at: new Date(at).toISOString(),
        name: names.get(name) ?? name,
        pointsPerDay: Math.round(ppd),
      })
      return query.format === 'csv'
        ? csv(context, rows, pointOf, 'points.csv')
        : context.json({ points: rows.map(pointOf) })
    },
  }
}

function spanOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  return {
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { to: Date.parse(to) }),
  }
}
