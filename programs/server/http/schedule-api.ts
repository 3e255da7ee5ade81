import * as v from 'valibot'
import { pricesIn } from '../../../src/folding/power/price.ts'
import type { Prices } from '../../../src/folding/schedule/conditions.ts'
import { SIGHT_MS, type Decision } from '../../../src/folding/schedule/decide.ts'
import type { PoweredClient } from '../../../src/folding/schedule/surplus.ts'
import { groupsOf } from '../../../src/folding/client/group.ts'
import { choiceText } from '../../../src/folding/schedule/schedule-text.ts'
import { cpuCounts, partsOf as processorsOf } from '../../../src/folding/schedule/parts.ts'
import { isPart, type Subject } from '../../../src/folding/schedule/schedule.ts'
import { MOST_SUBJECTS } from '../machines/schedules/schedules.machine.ts'
import type { CoordinationParts } from '../cluster/coordination.ts'
import type { ListedClient } from '../news.ts'
import { createPauses } from '../event-loop.ts'
import { partsOf } from '../store/rows.ts'
import type { ApiContext, ApiServices } from './handler.ts'
import type { Checked } from './routes.ts'
import type { SchedulesAnswer } from '../../../src/folding/schedule/server-answers.ts'
import { inputPath } from './schedule-routes.ts'

const MINUTE_MS = 60_000

/** The handlers of the routes of schedules. */
export function scheduleHandlers({
  coordinated,
  machines: clients,
  now,
}: Pick<ApiServices, 'coordinated' | 'machines' | 'now'>) {
  /** The client of the path and the group of the body; an answer when there is none, or it may not be changed. */
  const subjectOf = (context: ApiContext, group: string | undefined): Subject | Response => {
    const number = Number(context.req.param('number'))
    const client = clients().find(each => each.number === number)
    if (client === undefined) return context.json({ error: 'There is no such machine' }, 404)
    if (!client.commands.includes('state'))
      return context.json({ error: 'The settings of this machine do not allow state' }, 403)
    if (isPart(group) && !client.commands.includes('config'))
      return context.json({ error: 'The settings of this machine do not allow config' }, 403)
    const isThere =
      group === undefined ||
      Object.hasOwn(groupsOf(client.data), group) ||
      processorsOf(client.data).includes(group) ||
      cpuCounts(group) !== undefined
    if (!isThere) return context.json({ error: 'The machine has no such group' }, 404)
    return { machine: client.address, ...(group === undefined ? {} : { group }) }
  }

  return {
    schedules: async (_: unknown, context: ApiContext): Promise<Response> =>
      context.json(await answerOf(coordinated(), clients(), now())),
    saveSchedules: async ({ body }: Checked<'saveSchedules'>, context: ApiContext): Promise<Response> => {
      const { scheduling } = coordinated()
      const result = await scheduling.replace(body.revision, body.schedules)
      if (result === 'too-much')
        return context.json({ error: `They name more than ${MOST_SUBJECTS} machines and groups together` }, 400)
      return result === 'conflict'
        ? context.json({ error: 'The schedules were changed meanwhile' }, 409)
        : context.json({ revision: scheduling.revision() })
    },
    override: async ({ body, identity }: Checked<'override'>, context: ApiContext): Promise<Response> => {
      const subject = subjectOf(context, body.group)
      if (subject instanceof Response) return subject
      const until = body.minutes === undefined ? undefined : now() + body.minutes * MINUTE_MS
      await coordinated().scheduling.override(subject, body.state, until, identity.name)
      return context.json({ status: 'overridden' })
    },
    follow: async ({ body }: Checked<'follow'>, context: ApiContext): Promise<Response> => {
      const subject = subjectOf(context, body.group)
      if (subject instanceof Response) return subject
      return context.json({ status: (await coordinated().scheduling.follow(subject)) ? 'follows' : 'unscheduled' })
    },
    input: async ({ body }: Checked<'input'>, context: ApiContext): Promise<Response> => {
      const name = v.safeParse(inputPath, context.req.param('name'))
      if (!name.success) return context.json({ error: `The name ${name.issues[0].message}` }, 400)
      return (await coordinated().scheduling.receiveInput(name.output, body.value)) === 'full'
        ? context.json({ error: 'There are too many inputs' }, 409)
        : context.json({ status: 'received' })
    },
    removeInput: async (_: unknown, context: ApiContext): Promise<Response> => {
      const name = v.safeParse(inputPath, context.req.param('name'))
      if (!name.success) return context.json({ error: `The name ${name.issues[0].message}` }, 400)
      const { scheduling, power } = coordinated()
      const hadValue = await scheduling.removeInput(name.output)
      const hadPrices = await power.removePrices(name.output)
      return hadValue || hadPrices
        ? context.json({ status: 'removed' })
        : context.json({ error: 'There is no such input' }, 404)
    },
  }
}

function timeText(at: number | undefined): string | null {
  return at === undefined || at <= 0 ? null : new Date(at).toISOString()
}

function expectedWatts(client: PoweredClient | undefined) {
  const { idle, watts, drawn = 0, isGuess = false, used } = client ?? {}
  return {
    ...(idle === undefined || watts === undefined ? {} : { watts: { idle, folding: watts, drawn, isGuess } }),
    ...(used === undefined ? {} : { used }),
  }
}

function pricesAhead(prices: Prices | undefined, at: number): SchedulesAnswer['prices'] {
  return prices === undefined
    ? []
    : pricesIn(prices.tariff, prices, at, at + SIGHT_MS).map(({ begin, end, price }) => ({
        begin,
        end,
        ...(price === undefined ? {} : { price }),
      }))
}

/** What becomes of each of thousands, in parts: other messages are answered meanwhile. */
async function mapInParts<T, R>(all: readonly T[], map: (each: T) => readonly R[]): Promise<R[]> {
  const results: R[] = []
  const pause = createPauses()
  for (const part of partsOf(all)) {
    await pause()
    results.push(...part.flatMap(map))
  }
  return results
}

async function answerOf(
  { scheduling, power: { lists, meters } }: CoordinationParts,
  clients: readonly ListedClient[],
  at: number,
): Promise<SchedulesAnswer> {
  const { revision, schedules, inputs, conditions, power, subjects, paused, lengths } = scheduling.overview()
  const watts = new Map(power.clients?.map(client => [client.address, client]))
  const byAddress = new Map(clients.map(client => [client.address, client]))
  const reasons = new Map<string, string | null>()
  const reasonOf = (decision: Decision): string | null => {
    const key = JSON.stringify([decision.schedule, decision.rule, decision.state])
    const reason = reasons.get(key) ?? choiceText(decision, schedules) ?? null
    reasons.set(key, reason)
    return reason
  }
  return {
    revision,
    schedules: [...schedules],
    inputs: Object.entries(inputs).map(([name, { value, at }]) => ({ name, value, at: new Date(at).toISOString() })),
    lists: Object.keys(lists()),
    meters: meters().map(({ name }) => name),
    conditions: { ...conditions },
    prices: pricesAhead(power.prices, at),
    ...(power.prices === undefined ? {} : { currency: power.prices.currency }),
    machines: await mapInParts(clients, ({ number, name, address, tags, data, commands }) => [
      {
        number,
        name,
        address,
        tags: [...tags],
        groups: [...Object.keys(groupsOf(data)), ...processorsOf(data)],
        paused: [...(paused.get(address) ?? [])],
        mayAct: commands.includes('state'),
        ...expectedWatts(watts.get(address)),
      },
    ]),
    subjects: await mapInParts(subjects, ({ subject, condition, wanted, decision, override, idle }) => {
      const client = byAddress.get(subject.machine)
      if (client === undefined) return []
      return [
        {
          machine: client.number,
          name: client.name,
          group: subject.group ?? null,
          condition,
          wanted: wanted ?? null,
          schedule: decision.schedule ?? null,
          rule: decision.rule ?? null,
          because: reasonOf(decision),
          since: timeText(decision.since),
          until: timeText(decision.until),
          ...(idle === undefined
            ? {}
            : { idle: { at: idle.at, until: idle.until, lengths: { ...lengths.get(subject.machine)?.usual } } }),
          override:
            override === undefined
              ? null
              : {
                  state: override.state,
                  by: override.by,
                  since: new Date(override.at).toISOString(),
                  until: timeText(override.until),
                },
        },
      ]
    }),
  }
}
