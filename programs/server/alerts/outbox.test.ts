import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import { advance, newIncident } from '../../../src/machines/incidents/incident/incident.machine.ts'
import type { AlertRule } from '../config/alert-settings.ts'
import type { Attempt } from '../machines/delivery/delivery.events.ts'
import { openServerStore } from '../store/sqlite.ts'
import type { ServerStore } from '../store/store.ts'
import type { Channel } from './channels/channel.ts'
import type { Message } from './message.ts'
import { createOutbox } from './outbox.ts'
import { emptyMemory } from '../../../src/folding/incidents/client-memory.ts'

const MINUTE = 60_000
const NOON = Date.parse('2027-01-01T12:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'foldboard-alerts-'))
const stores: ServerStore[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  rmSync(folder, { recursive: true, force: true })
})
async function open(place?: string) {
  const store = await openServerStore(place)
  stores.push(store)
  return store
}

const EVERYTHING = { remaining: 0, mayPass: () => true }
const rules: readonly AlertRule[] = [
  {
    name: 'ana',
    channels: ['phone', 'mail'],
    together: false,
    'escalate-minutes': 30,
    least: 'warning',
    'digest-minutes': 0,
    recovery: true,
    quiet: { from: '22:00', until: '07:00', zone: 'UTC', except: ['grave'] },
  },
]
function incident(client: string, gravity: 'grave' | 'warning' = 'warning', at = NOON): StoredIncident {
  return newIncident({
    machine: client,
    name: client,
    owner: undefined,
    condition: { kind: 'failing', gravity, subject: '', since: at, evidence: { group: '', count: 2 } },
  })
}

function outboxOf(
  store: ServerStore,
  now: () => number,
  answer: (message: Message) => Promise<Attempt> = () => Promise.resolve({ kind: 'sent' }),
  repeatable: readonly string[] = [],
) {
  const sent: [string, Message][] = []
  const planned: string[] = []
  const settled: string[] = []
  let ids = 0
  const channel = (name: string): Channel => ({
    isRepeatable: repeatable.includes(name),
    send: message => {
      sent.push([name, message])
      return answer(message)
    },
  })
  /** Ids that are made a second time. */
  const repeated: string[] = []
  const newId = () => repeated.shift() ?? `${now()} ${++ids}`
  const outbox = createOutbox({
    store,
    channels: new Map(['phone', 'mail'].map(name => [name, channel(name)])),
    rules,
    languageOf: () => 'en',
    now,
    newId,
    page: 'https://folding.example.org/attention',
    onPlanned: deliveries => planned.push(...deliveries.map(({ id }) => id)),
    onSettled: (name, how) => settled.push(`${name} ${how}`),
    onError: error => {
      throw error
    },
  })
  const save = (put: readonly StoredIncident[], removed: readonly string[] = []) =>
    store.incidents.save({ put, removed, rules, at: now(), newId })
  return { outbox, sent, planned, settled, save, repeated }
}

test('a change is stored with its alerts, once, and incidents that ended at the same time share a message', async () => {
  const store = await open()
  let at = NOON
  const { outbox, sent, save } = outboxOf(store, () => at)
  const deliveries = await save([incident('a'), incident('b')])
  expect(deliveries.map(({ due }) => (due - NOON) / MINUTE)).toEqual([0, 30])
  expect(await save([incident('a'), incident('b')])).toEqual([])
  const [first, second] = deliveries
  expect(await outbox.examine(first?.id ?? '')).toEqual({ kind: 'send' })
  expect(await outbox.attempt(first?.id ?? '')).toEqual({ kind: 'sent' })
  expect(sent).toMatchObject([
    [
      'phone',
      {
        id: first?.id,
        gravity: 'warning',
        incidents: [{ machine: 'a', state: 'open' }, { machine: 'b' }],
      },
    ],
  ])
  expect(sent[0]?.[1].link).toBe('https://folding.example.org/attention')
  outbox.keep({ id: first?.id ?? '', state: 'delivered', failures: 0, error: undefined, wait: 0 })
  await outbox.settled()

  // Half an hour later one is acknowledged: the next channel hears of the other only.
  await save([advance(incident('a'), { type: 'incident.acknowledge' })])
  at += 30 * MINUTE
  expect(await outbox.examine(second?.id ?? '')).toEqual({ kind: 'send' })
  await outbox.attempt(second?.id ?? '')
  expect(sent[1]?.[1].incidents.map(({ machine: client }) => client)).toEqual(['b'])

  // Both end: the phone was told of both, the mail of one.
  const over = (name: string) => advance(incident(name), { type: 'incident.ended', at })
  outbox.keep({ id: second?.id ?? '', state: 'delivered', failures: 0, error: undefined, wait: 0 })
  await outbox.settled()
  const ends = await save([over('a'), over('b')], ['a failing ', 'b failing '])
  for (const { id } of ends) {
    await outbox.examine(id)
    await outbox.attempt(id)
  }
  expect(sent.slice(2).map(([name, { incidents, gravity }]) => [name, incidents.length, gravity])).toEqual([
    ['phone', 2, undefined],
    ['mail', 1, undefined],
  ])
  expect((await store.incidents.list({ state: 'ended' }, 10)).length).toBe(2)
  expect(await store.incidents.list({ state: 'active' }, 10)).toEqual([])
})

test('what follows waits while a message about the same is being sent, and is decided when that has ended', async () => {
  const store = await open()
  let at = NOON
  const { outbox, sent, save } = outboxOf(store, () => at)
  const first = (await save([incident('a')]))[0]?.id ?? ''
  const keep = async (state: 'retrying' | 'delivered', id = first): Promise<void> => {
    outbox.keep({ id, state, failures: 1, error: undefined, wait: MINUTE })
    await outbox.settled()
  }
  await outbox.examine(first)
  await keep('retrying')
  const over = (before: StoredIncident) => advance(before, { type: 'incident.ended', at })
  at += MINUTE
  const end = (await save([over(incident('a'))], ['a failing ']))[0]?.id ?? ''
  expect(await outbox.examine(end)).toEqual({ kind: 'later', remaining: MINUTE })
  // It returns before its end was told: nobody is told again, nor of the end.
  const condition = {
    kind: 'failing',
    gravity: 'warning',
    subject: '',
    since: at,
    evidence: { group: '', count: 2 },
  } as const
  const back = advance(over(incident('a')), { type: 'incident.found', at, condition, name: 'a' })
  at += MINUTE
  const again = (await save([back]))[0]?.id ?? ''
  expect(await outbox.examine(again)).toEqual({ kind: 'later', remaining: MINUTE })
  await keep('delivered')
  expect(await outbox.examine(end)).toEqual({ kind: 'nothing' })
  expect(await outbox.examine(again)).toEqual({ kind: 'nothing' })
  // Its last end is news, although the last return was not told.
  at += MINUTE
  const last = (await save([over(back)], ['a failing ']))[0]?.id ?? ''
  expect(await outbox.examine(last)).toEqual({ kind: 'send' })
  await outbox.attempt(last)
  expect(sent.map(([, { incidents }]) => incidents.map(({ state }) => state))).toEqual([['ended']])
  // A return after that is told.
  await keep('delivered', last)
  at += MINUTE
  const returned = advance(over(back), { type: 'incident.found', at, condition, name: 'a' })
  const third = (await save([returned]))[0]?.id ?? ''
  expect(await outbox.examine(third)).toEqual({ kind: 'send' })
})

test('in quiet hours only what the rule allows is sent, and the rest when they end', async () => {
  const store = await open()
  let at = Date.parse('2027-01-01T23:00:00Z')
  const { outbox, sent, planned, save } = outboxOf(store, () => at)
  const [quiet] = await save([incident('a', 'warning', at)])
  expect(await outbox.examine(quiet?.id ?? '')).toEqual({ kind: 'later', remaining: 8 * 60 * MINUTE })
  at += 10_000
  const [grave] = await save([incident('b', 'grave', at)])
  expect(await outbox.examine(grave?.id ?? '')).toEqual({ kind: 'send' })
  await outbox.attempt(grave?.id ?? '')
  expect(sent.map(([, { incidents }]) => incidents.map(({ machine: client }) => client))).toEqual([['b']])
  expect(planned).toHaveLength(1)
  at = Date.parse('2027-01-02T07:00:00Z')
  expect(await outbox.examine(planned[0] ?? '')).toEqual({ kind: 'send' })
  // The other delivery that was held finds nothing left.
  expect(await outbox.examine(quiet?.id ?? '')).toEqual({ kind: 'nothing' })
})

test('what is sent in quiet hours, and the delivery of what they hold, are stored together', async () => {
  const store = await open()
  let at = Date.parse('2027-01-01T23:00:00Z')
  const { outbox, planned, save, repeated } = outboxOf(store, () => at)
  await save([incident('a', 'warning', at)])
  at += 10_000
  const [grave] = await save([incident('b', 'grave', at)])
  repeated.push(grave?.id ?? '')
  await expect(outbox.examine(grave?.id ?? '')).rejects.toThrow('UNIQUE')
  expect(planned).toEqual([])
  expect(await outbox.examine(grave?.id ?? '')).toEqual({ kind: 'send' })
  at = Date.parse('2027-01-02T07:00:00Z')
  expect(await outbox.examine(planned[0] ?? '')).toEqual({ kind: 'send' })
})

test('alerts are sent, and what is held is sent later, where the connection ended when both had been stored', async () => {
  const store = await open()
  let at = Date.parse('2027-01-01T23:00:00Z')
  const take: typeof store.alerts.take = async (...args) => {
    await store.alerts.take(...args)
    throw new Error('The connection ended.')
  }
  const broken = outboxOf({ ...store, alerts: { ...store.alerts, take } }, () => at)
  await broken.save([incident('a', 'warning', at)])
  at += 10_000
  const [grave] = await broken.save([incident('b', 'grave', at)])
  await expect(broken.outbox.examine(grave?.id ?? '')).rejects.toThrow('The connection ended.')
  at += 30_000
  const { outbox, planned } = outboxOf(store, () => at)
  expect(await outbox.examine(grave?.id ?? '')).toEqual({ kind: 'send' })
  at = Date.parse('2027-01-02T07:00:00Z')
  expect(await outbox.examine(planned[0] ?? '')).toEqual({ kind: 'send' })
})

test('after a crash what was waiting goes on, and what was being sent is repeated only where that is recognized', async () => {
  const before = await open(folder)
  const never = new Promise<Attempt>(() => undefined)
  const first = outboxOf(
    before,
    () => NOON,
    () => never,
  )
  const [phone, mail] = await first.save([incident('a')])
  for (const delivery of [phone, mail]) {
    await before.alerts.take(delivery?.id ?? '', NOON, EVERYTHING, randomUUID)
    void first.outbox.attempt(delivery?.id ?? '')
  }
  await first.save([incident('b')])
  while (first.sent.length < 2) await new Promise(resolve => setImmediate(resolve))
  // The process ends here: nothing is closed.
  const after = await open(folder)
  const second = outboxOf(after, () => NOON, undefined, ['mail'])
  const restored = await second.outbox.restore()
  expect(second.settled).toEqual(['phone unknown'])
  expect(restored).toMatchObject([
    { wasTried: false, wait: 0 },
    { id: mail?.id, wasTried: true },
    { wasTried: false, wait: 30 * MINUTE },
  ])
  await second.outbox.attempt(mail?.id ?? '')
  expect(second.sent.map(([name, { id }]) => [name, id])).toEqual([['mail', mail?.id]])
  expect(await after.alerts.delivery(mail?.id ?? '')).toMatchObject({ attempted: NOON })
  const [, queuedDelivery] = [...(await after.alerts.list(10))].sort((a, b) => (a.state < b.state ? -1 : 1))
  expect(queuedDelivery).toMatchObject({ state: 'queued' })
})

test('alerts whose delivery is due are sent although the clock was set back since they were planned', async () => {
  const store = await open()
  let at = NOON
  const { outbox, save } = outboxOf(store, () => at)
  const [phone] = await save([incident('a')])
  at = NOON - 60 * MINUTE
  expect(await outbox.examine(phone?.id ?? '')).toEqual({ kind: 'send' })
})

test('an attempt of unknown outcome is a failed one only where a repetition is recognized', async () => {
  const store = await open()
  const answer = (): Promise<Attempt> => Promise.resolve({ kind: 'unknown', reason: 'no answer in time' })
  const { outbox, save } = outboxOf(store, () => NOON, answer, ['mail'])
  const outcomes = []
  for (const { id } of await save([incident('a')])) {
    await store.alerts.take(id, NOON, EVERYTHING, randomUUID)
    outcomes.push((await outbox.attempt(id)).kind)
  }
  expect(outcomes).toEqual(['unknown', 'failed'])
})

test('the end of an incident is sent to those who may have received its beginning', async () => {
  const store = await open()
  const { outbox, save, settled } = outboxOf(store, () => NOON)
  const [phone] = await save([incident('a')])
  expect(await outbox.examine(phone?.id ?? '')).toEqual({ kind: 'send' })
  outbox.keep({ id: phone?.id ?? '', state: 'unknown', failures: 1, error: 'no answer in time', wait: 0 })
  await outbox.settled()
  expect(settled).toEqual(['phone unknown'])
  const [end] = await save([advance(incident('a'), { type: 'incident.ended', at: NOON })], ['a failing '])
  expect(await outbox.examine(end?.id ?? '')).toEqual({ kind: 'send' })
})

test('what became of a message is stored when the database takes it again', async () => {
  vi.useFakeTimers()
  try {
    const store = await open()
    const { save } = outboxOf(store, () => NOON)
    const [phone] = await save([incident('a')])
    let isFull = true
    const errors: unknown[] = []
    const settled: string[] = []
    const outbox = createOutbox({
      store: {
        alerts: {
          ...store.alerts,
          keep: (...args) => (isFull ? Promise.reject(new Error('full')) : store.alerts.keep(...args)),
        },
      },
      channels: new Map(),
      rules,
      languageOf: () => 'en',
      now: () => NOON,
      newId: () => 'x',
      page: undefined,
      onPlanned: () => undefined,
      onSettled: (name, how) => settled.push(`${name} ${how}`),
      onError: error => errors.push(error),
    })
    outbox.keep({ id: phone?.id ?? '', state: 'retrying', failures: 1, error: 'down', wait: 5 })
    outbox.keep({ id: phone?.id ?? '', state: 'delivered', failures: 1, error: undefined, wait: 0 })
    await vi.advanceTimersByTimeAsync(11_000)
    expect(settled).toEqual([])
    expect(errors.length > 1).toBe(true)
    isFull = false
    await vi.advanceTimersByTimeAsync(5000)
    await outbox.settled()
    expect(settled).toEqual(['phone delivered'])
    expect((await store.alerts.delivery(phone?.id ?? ''))?.state).toBe('delivered')
  } finally {
    vi.useRealTimers()
  }
})

test('a channel that the settings no longer have gets nothing', async () => {
  const store = await open()
  const { outbox, save, settled } = outboxOf(store, () => NOON)
  await save([incident('a')])
  const without = createOutbox({
    store,
    channels: new Map(),
    rules,
    languageOf: () => 'en',
    now: () => NOON,
    newId: () => 'x',
    page: undefined,
    onPlanned: () => undefined,
    onSettled: (name, how) => settled.push(`${name} ${how}`),
    onError: () => undefined,
  })
  expect(await without.restore()).toEqual([])
  expect(settled).toEqual(['phone given-up', 'mail given-up'])
  expect(await outbox.restore()).toEqual([])
  expect(await outbox.examine('unknown')).toEqual({ kind: 'nothing' })
  expect(await outbox.attempt('unknown')).toMatchObject({ kind: 'refused' })
})

test('after a restart everything waits as long as was meant, wherever the clock was when it was stored', async () => {
  const store = await open()
  const ahead = NOON + 20 * 24 * 60 * MINUTE
  const { outbox, save } = outboxOf(store, () => ahead)
  const [phone, mail] = await save([incident('a', 'warning', ahead)])
  await store.alerts.take(phone?.id ?? '', ahead, EVERYTHING, randomUUID)
  await outbox.attempt(phone?.id ?? '')
  outbox.keep({ id: phone?.id ?? '', state: 'retrying', failures: 3, error: 'busy', wait: 4 * MINUTE })
  await outbox.settled()
  const waits = async (now: number) =>
    Object.fromEntries((await outboxOf(store, () => now).outbox.restore()).map(({ id, wait }) => [id, wait / MINUTE]))
  expect(await waits(NOON)).toEqual({ [phone?.id ?? '']: 4, [mail?.id ?? '']: 30 })
  expect(await waits(ahead + 3 * MINUTE)).toEqual({ [phone?.id ?? '']: 1, [mail?.id ?? '']: 27 })
})

test('what is remembered of clients, and incidents, survive a restart; settled messages are deleted after a while', async () => {
  const store = await open()
  const memory = { ...emptyMemory(1), gpus: new Map([['gpu:01', { name: 'GPU', at: 2 }]]) }
  await store.incidents.writeMemories(new Map([['m', { owner: undefined, memory }]]))
  expect((await store.incidents.readMemories()).get('m')).toEqual({ owner: undefined, memory })

  let at = NOON
  const { outbox, save } = outboxOf(store, () => at)
  const [delivery] = await save([incident('a')])
  await outbox.examine(delivery?.id ?? '')
  outbox.keep({ id: delivery?.id ?? '', state: 'delivered', failures: 0, error: undefined, wait: 0 })
  await outbox.settled()
  expect(await store.incidents.load(10)).toEqual([incident('a')])
  at += 100 * 86_400_000
  await outbox.restore()
  await outbox.settled()
  // The incident lasts, and its end will be told to who was told of it.
  expect(await store.alerts.list(10)).toHaveLength(2)
  const over = advance(incident('a'), { type: 'incident.ended', at })
  await save([over], ['a failing '])
  await store.alerts.prune(at - 1)
  expect((await store.alerts.list(10)).map(({ state }) => state)).not.toContain('delivered')
  expect(
    await store.incidents.list({ state: 'all', machine: 'a', kind: 'failing', from: NOON, to: NOON + 1 }, 10),
  ).toEqual([over])
})

test('messages that were settled long ago are deleted while the server runs, however many alerts they had', async () => {
  const store = await open()
  let at = NOON
  const { outbox, save } = outboxOf(store, () => at)
  const deliver = async (deliveries: readonly { readonly id: string }[]) => {
    for (const { id } of deliveries) {
      expect(await outbox.examine(id)).toEqual({ kind: 'send' })
      outbox.keep({ id, state: 'delivered', failures: 0, error: undefined, wait: 0 })
      await outbox.settled()
    }
    return (await store.alerts.list(10)).map(({ alerts }) => alerts)
  }
  const many = Array.from({ length: 1100 }, (_, number) => incident(`m${number}`))
  expect(await deliver(await save(many))).toEqual([1100, 1100])
  at += MINUTE
  const over = many.map(each => advance(each, { type: 'incident.ended', at }))
  const keys = many.map(({ key }) => key)
  expect(await deliver(await save(over, keys))).toEqual([1100, 1100, 1100, 1100])
  at += 91 * 86_400_000
  expect(await deliver(await save([incident('late', 'warning', at)]))).toEqual([1, 1])
})
