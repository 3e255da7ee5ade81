import * as v from 'valibot'
import { daysFrom } from '../../../src/folding/schedule/spans.ts'
import type { Segment } from '../../../src/folding/power/energy.ts'
import type { Tariff } from '../../../src/folding/power/power.ts'
import type { PowerReport } from '../../../src/folding/power/report.ts'
import { settingsOf } from '../power/meter-discovery.ts'
import { readingOfValue } from '../power/meter-payloads.ts'
import { isMeterOf, type MeterStatus } from '../power/meters.ts'
import { HOUSE } from '../power/power.ts'
import { priceListOf } from '../power/price-lists.ts'
import type { StoredSegment } from '../store/power-store.ts'
import { pauseForMessages } from '../event-loop.ts'
import { csv } from './csv.ts'
import { answerInParts, jsonOfMany } from './answer-in-parts.ts'
import type { ApiContext, ApiServices } from './handler.ts'
import { namePath } from './power-routes.ts'
import type { Checked } from './routes.ts'

const DAY_MS = 86_400_000

type Services = Pick<ApiServices, 'coordinated' | 'store' | 'config' | 'machines' | 'now'>

/** The handlers of the routes of power. */
export function powerHandlers({ coordinated, store, config, machines: clients, now }: Services) {
  const nameOf = (context: ApiContext): string | Response => {
    const name = v.safeParse(namePath, context.req.param('name'))
    return name.success ? name.output : context.json({ error: `The name ${name.issues[0].message}` }, 400)
  }
  /** What machines used on each day of the zone of prices, by their keys. */
  const recordsFrom = async (begin: number, { days, machine }: Checked<'power'>['query']) => {
    const zone = coordinated().power.settings().tariffs?.timeZone ?? 'UTC'
    const records = new Map<string, Segment[]>()
    for (let at = begin, left = days; left > 0 && at <= now(); left--) {
      await pauseForMessages()
      const [day] = daysFrom(at, zone, 1)
      if (day === undefined) break
      at = day.end
      for (const { machine: client, ...segment } of await store.power.energySum(day.begin, day.end, machine))
        records.set(client, [...(records.get(client) ?? []), segment])
    }
    return records
  }
  return {
    power: ({ query }: Checked<'power'>, context: ApiContext): Response => {
      const { power } = coordinated()
      const { tariffs } = power.settings()
      const begin = now() - (query.days - 1) * DAY_MS
      const meters = power.meters()
      const answer: Omit<PowerReport, 'records' | 'houseRecord'> = {
        lists: listsFrom(power.lists(), [tariffs?.price, tariffs?.co2], begin),
        meters: readingsOf(clients(), meters),
        house: meters
          .filter(meter => isMeterOf(meter, undefined))
          .map(({ name, watts, at }) => ({ name, watts: watts ?? null, at: at ?? null })),
      }
      return answerInParts(
        context,
        powerText(answer, () => recordsFrom(begin, query)),
      )
    },
    energy: ({ query }: Checked<'energy'>, context: ApiContext): Promise<Response> | Response => {
      const filter = {
        from: query.from === undefined ? undefined : Date.parse(query.from),
        to: query.to === undefined ? undefined : Date.parse(query.to),
        machine: query.machine,
      }
      const load = () => store.power.energy(filter, query.limit)
      return query.format === 'csv'
        ? load().then(segments => csv(context, segments, energyOf, 'energy.csv'))
        : answerInParts(context, energyText(load))
    },
    prices: async ({ query, body }: Checked<'prices'>, context: ApiContext): Promise<Response> => {
      const name = nameOf(context)
      if (name instanceof Response) return name
      const intervals = priceListOf(body, query, now())
      if (typeof intervals === 'string') return context.json({ error: intervals }, 400)
      return (await coordinated().power.receivePrices(name, intervals)) === 'full'
        ? context.json({ error: 'There are too many lists of prices' }, 409)
        : context.json({ intervals: intervals.length })
    },
    reading: ({ body }: Checked<'reading'>, context: ApiContext): Response => {
      const name = nameOf(context)
      if (name instanceof Response) return name
      const meter = config.meters.find(each => each.name === name)
      if (meter === undefined) return context.json({ error: 'The settings have no such meter' }, 404)
      const reading = readingOfValue(meter, body)
      if (reading === undefined)
        return context.json({ error: `This is no reading of a meter of kind ${meter.kind}` }, 400)
      coordinated().power.receiveReading(name, reading)
      return context.json({ status: 'received' })
    },
    resetMeter: async (_: unknown, context: ApiContext): Promise<Response> => {
      const name = nameOf(context)
      if (name instanceof Response) return name
      return (await coordinated().power.resetMeter(name))
        ? context.json({ status: 'reset' })
        : context.json({ error: 'The settings have no such meter' }, 404)
    },
    foundMeters: (_: unknown, context: ApiContext): Response =>
      context.json({
        meters: coordinated()
          .alerts.foundMeters()
          .map(meter => ({ ...meter, settings: settingsOf(meter) })),
      }),
  }
}

type Records = ReadonlyMap<string, readonly Segment[]>

async function* powerText(answer: object, load: () => Promise<Records>): AsyncIterable<string> {
  yield JSON.stringify(answer).slice(0, -1)
  const records = await load()
  yield `,"houseRecord":${JSON.stringify(records.get(HOUSE) ?? [])},"records":{`
  const others = [...records].filter(([client]) => client !== HOUSE)
  yield* jsonOfMany(others, ([client, record]) => `${JSON.stringify(client)}:${JSON.stringify(record)}`)
  yield '}}'
}

async function* energyText(load: () => Promise<readonly StoredSegment[]>): AsyncIterable<string> {
  yield '{"energy":['
  yield* jsonOfMany(await load(), segment => JSON.stringify(energyOf(segment)))
  yield ']}'
}

function energyOf({ from, until, ...used }: StoredSegment) {
  return { ...used, from: new Date(from).toISOString(), until: new Date(until).toISOString() }
}

/** The lists that the settings use. */
function listsFrom(
  lists: ReturnType<ReturnType<ApiServices['coordinated']>['power']['lists']>,
  used: readonly (Tariff | null | undefined)[],
  from: number,
): PowerReport['lists'] {
  const names = new Set(used.map(tariff => (tariff?.kind === 'list' ? tariff.input : undefined)))
  return Object.fromEntries(
    Object.entries(lists).flatMap(([name, list]) =>
      names.has(name) ? [[name, list.filter(({ end }) => end > from)]] : [],
    ),
  )
}

/** What meters say of machines, together where several measure one; nothing while one of them has said nothing. */
function readingsOf(
  clients: ReturnType<ApiServices['machines']>,
  meters: readonly MeterStatus[],
): PowerReport['meters'] {
  return Object.fromEntries(
    clients.flatMap(client => {
      const { id } = client
      const ownMeters = meters.filter(meter => isMeterOf(meter, client))
      const readings = ownMeters.flatMap(({ watts, at }) =>
        watts === undefined || at === undefined ? [] : [{ watts, at }],
      )
      if (id === undefined || ownMeters.length === 0 || readings.length < ownMeters.length) return []
      const watts = Math.max(
        0,
        readings.reduce((sum, reading) => sum + reading.watts, 0),
      )
      return [[id, { watts, at: Math.min(...readings.map(({ at }) => at)) }]]
    }),
  )
}
