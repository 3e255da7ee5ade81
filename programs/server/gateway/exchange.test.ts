import { describe, expect, test } from 'vitest'
import { isoTime } from '../../../src/protocol/iso-time.ts'
import type { Json, JsonObject } from '../../../src/protocol/json.ts'
import { createExchange } from './exchange.ts'
import { readPageContent, readPageMessage } from './page-command.ts'
import type { Outcome } from './pacer.ts'

function unit(id: string, frames = 0) {
  return { id, group: '', state: 'RUN', frames }
}
function state(...units: Json[]): JsonObject {
  return {
    info: { version: '8.5.7', id: 'machine', unknown_field: 1 },
    config: { user: 'Anonymous' },
    groups: { '': { config: { paused: false } }, night: { config: { paused: true } } },
    units,
  }
}

/** An exchange whose client and pages are in the hands of the test, with a clock that it moves. */
function start() {
  let now = 1_000_000
  const timers: { at: number; run: () => void }[] = []
  const exchange = createExchange({
    now: () => now,
    later: (ms, run) => {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
    },
  })
  const sent: JsonObject[] = []
  return {
    exchange,
    sent,
    /** Without times. */
    commands: () => sent.splice(0).map(({ time: _, ...command }) => command),
    open: (first: JsonObject = state()) => {
      exchange.open(
        message => sent.push(message),
        () => undefined,
      )
      exchange.receive(first)
    },
    page: () => {
      const received: Json[] = []
      let closed = 0
      let isStalled = false
      let takeOne: (() => void) | undefined
      const reading = exchange.join({
        sendText: (text, onSent) => {
          received.push(JSON.parse(text) as Json)
          if (isStalled) takeOne = onSent
          else onSent?.()
        },
        close: () => closed++,
      })
      if (reading === undefined) throw new Error('There is no state yet.')
      return {
        ...reading,
        take: () => received.splice(0),
        closed: () => closed,
        /** From now on it takes a message only when the test says so. */
        stall: () => {
          isStalled = true
        },
        takeOne: () => takeOne?.(),
      }
    },
    now: () => now,
    wait: (ms: number) => {
      const until = now + ms
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        timers.splice(timers.indexOf(next), 1)
        now = next.at
        next.run()
      }
      now = until
    },
  }
}

describe('the state', () => {
  test('a page gets the current state, then every change, as from the client itself', () => {
    const { exchange, open, page } = start()
    expect(exchange.join({ sendText: () => undefined, close: () => undefined })).toBeUndefined()
    open(state(unit('a')))
    exchange.receive(['units', 0, 'wu_progress', 0.5])
    const first = page()
    expect(first.take()).toEqual([state({ ...unit('a'), wu_progress: 0.5 })])
    exchange.receive(['units', 0, 'wu_progress', 0.6])
    const second = page()
    exchange.receive(['units', 0, null])
    expect(first.take()).toEqual([
      ['units', 0, 'wu_progress', 0.6],
      ['units', 0, null],
    ])
    expect(second.take()).toEqual([state({ ...unit('a'), wu_progress: 0.6 }), ['units', 0, null]])
    expect(exchange.data()?.units).toEqual([])
    first.leave()
    exchange.receive(['config', 'user', 'x'])
    expect(first.take()).toEqual([])
    expect(exchange.readers()).toBe(1)
  })

  test('pages are closed with the connection of the client, once, and nothing of it is kept', () => {
    const { exchange, open, page } = start()
    open()
    const reader = page()
    exchange.close()
    exchange.close()
    expect(reader.closed()).toBe(1)
    expect(exchange.data()).toBeUndefined()
    expect(exchange.readers()).toBe(0)
    reader.request({ cmd: 'log', enable: true })
    reader.leave()
    expect(reader.take()).toHaveLength(1)
  })

  test('pages are told how old it is, also those that come later, and when it is current again', () => {
    const { exchange, open, page, now, wait } = start()
    open()
    const first = page()
    exchange.date(now())
    exchange.date(now())
    wait(18_000)
    const second = page()
    exchange.date(undefined)
    const third = page()
    expect(first.take()).toEqual([state(), ['age', 0], ['age', null]])
    expect(second.take()).toEqual([state(), ['age', 18_000], ['age', null]])
    expect(third.take()).toEqual([state()])
  })

  test('the statechart gets the facts of each message, and of logs and molecules only that it is there', () => {
    const { exchange, open } = start()
    open()
    expect(exchange.receive(['config', 'user', 'x'])).toEqual([
      { type: 'changes.received', changes: [['config', 'user', 'x']] },
    ])
    expect(exchange.receive(['log', ['12:00:00:I1:a line']])).toEqual([{ type: 'ping.received' }])
    expect(exchange.receive(['viz', 'a', 'topology', {}])).toEqual([{ type: 'ping.received' }])
    expect(exchange.receive('ping')).toEqual([{ type: 'ping.received' }])
    expect(exchange.receive(['wus', [{ id: 'old' }]])).toMatchObject([{ type: 'history.received', replace: true }])
  })
})

describe('the log', () => {
  test('is asked of the client once, for any number of pages, and ended when none has read it for half a minute', () => {
    const { exchange, open, page, commands, wait } = start()
    open()
    const [first, second] = [page(), page()]
    first.take()
    second.take()
    first.request({ cmd: 'log', enable: true })
    expect(commands()).toEqual([{ cmd: 'log', enable: true }])
    exchange.receive(['log', ['one', 'two']])
    second.request({ cmd: 'log', enable: true })
    exchange.receive(['log', -2, ['three']])
    const all = [
      ['log', ['one', 'two']],
      ['log', -2, ['three']],
    ]
    expect(first.take()).toEqual(all)
    expect(second.take()).toEqual(all)
    expect(commands()).toEqual([])
    first.request({ cmd: 'log', enable: false })
    expect(commands()).toEqual([])
    second.leave()
    wait(29_999)
    expect(commands()).toEqual([])
    wait(1)
    expect(commands()).toEqual([{ cmd: 'log', enable: false }])
  })

  test('pages that turn it on and off all the time have the client asked for it once', () => {
    const { open, page, commands, wait } = start()
    open()
    const pages = Array.from({ length: 5 }, page)
    for (let round = 0; round < 60; round++) {
      for (const each of pages) each.request({ cmd: 'log', enable: round % 2 === 0 })
      wait(1_000)
    }
    expect(commands()).toEqual([{ cmd: 'log', enable: true }])
  })

  test('a page that reads slowly has one part of a long log on its way, and gets what was written meanwhile at once', () => {
    const { exchange, open, page } = start()
    open()
    const [slow, quick] = [page(), page()]
    for (const each of [slow, quick]) each.take()
    slow.stall()
    const lines = Array.from({ length: 1000 }, (_, line) => `${line} ${'x'.repeat(1000)}`)
    for (const each of [slow, quick]) each.request({ cmd: 'log', enable: true })
    exchange.receive(['log', lines])
    for (let line = 0; line < 100; line++) exchange.receive(['log', -2, [`new ${line}`]])
    const linesOf = (messages: readonly Json[]) =>
      messages.flatMap(message => (Array.isArray(message) ? (message.at(-1) as readonly string[]) : []))
    const first = slow.take()
    expect({ first: first.length, lines: linesOf(first).length }).toEqual({ first: 1, lines: 262 })
    const rest: Json[] = []
    for (let part = 0; part < 3; part++) {
      slow.takeOne()
      rest.push(...slow.take())
    }
    expect(rest).toHaveLength(3)
    const all = [...lines, ...Array.from({ length: 100 }, (_, line) => `new ${line}`)]
    expect([...linesOf(first), ...linesOf(rest)]).toEqual(all)
    expect(linesOf(quick.take())).toEqual(all)
  })

  test('a page that asks again gets only the lines that it missed', () => {
    const { exchange, open, page } = start()
    open()
    const [first, second] = [page(), page()]
    second.request({ cmd: 'log', enable: true })
    first.request({ cmd: 'log', enable: true })
    exchange.receive(['log', ['one']])
    first.take()
    first.request({ cmd: 'log', enable: false })
    exchange.receive(['log', -2, ['two', 3, 'three']])
    expect(first.take()).toEqual([])
    first.request({ cmd: 'log', enable: true })
    expect(first.take()).toEqual([['log', -2, ['two', 'three']]])
  })

  test('keeps at most 100,000 lines', () => {
    const { exchange, open, page } = start()
    open()
    page().request({ cmd: 'log', enable: true })
    exchange.receive(['log', Array.from({ length: 100_000 }, (_, line) => String(line))])
    exchange.receive(['log', -2, ['last']])
    const late = page()
    late.take()
    late.request({ cmd: 'log', enable: true })
    const lines = late.take().flatMap(message => (Array.isArray(message) ? (message.at(-1) as readonly string[]) : []))
    expect(lines).toHaveLength(100_000)
    expect({ firstLines: lines[0], lastLines: lines.at(-1) }).toEqual({ firstLines: '1', lastLines: 'last' })
  })
})

test('units that ended: the whole list for each page that asks, newest first, then what ends', () => {
  const { exchange, open, page } = start()
  open()
  exchange.receive(['wus', [{ id: 'b' }, { id: 'a' }]])
  exchange.receive(['wus', -2, [{ id: 'c' }]])
  const reader = page()
  reader.take()
  reader.request({ cmd: 'wus', enable: true })
  exchange.receive(['wus', -2, [{ id: 'd' }]])
  expect(reader.take()).toEqual([
    ['wus', [{ id: 'c' }, { id: 'b' }, { id: 'a' }]],
    ['wus', -2, [{ id: 'd' }]],
  ])
})

describe('molecules', () => {
  const topology = { atoms: [1] }

  test('two pages see one unit through one stream, and a late page gets what is here', () => {
    const { exchange, open, page, commands } = start()
    open(state(unit('a', 2)))
    const first = page()
    first.take()
    first.request({ cmd: 'viz', unit: 'a', frame: 0 })
    expect(commands()).toEqual([{ cmd: 'viz', unit: 'a', frame: 0 }])
    exchange.receive(['viz', 'a', 'topology', topology])
    exchange.receive(['viz', 'a', 'frames', 0, [0]])
    exchange.receive(['viz', 'a', 'frames', 1, [1]])
    const all = [
      ['viz', 'a', 'topology', topology],
      ['viz', 'a', 'frames', 0, [0]],
      ['viz', 'a', 'frames', 1, [1]],
    ]
    expect(first.take()).toEqual(all)
    const [late, partial] = [page(), page()]
    late.take()
    partial.take()
    late.request({ cmd: 'viz', unit: 'a', frame: 0 })
    partial.request({ cmd: 'viz', unit: 'a', frame: 1 })
    expect(late.take()).toEqual(all)
    expect(partial.take()).toEqual([['viz', 'a', 'frames', 1, [1]]])
    expect(commands()).toEqual([])
    for (const reader of [first, late, partial]) reader.leave()
    expect(commands()).toEqual([{ cmd: 'viz', unit: '', frame: 0 }])
  })

  test('one that is larger than any client sends, or has frames without end, is not passed on beyond that', () => {
    const { exchange, open, page } = start()
    open(state(unit('a', 1_000_000_000), unit('b', 1)))
    const reader = page()
    reader.take()
    reader.request({ cmd: 'viz', unit: 'a', frame: 0 })
    exchange.receive(['viz', 'a', 'topology', topology])
    exchange.receive(['viz', 'a', 'frames', Array.from({ length: 20_000 }, () => [])])
    expect(reader.take()).toHaveLength(10_001)
    reader.request({ cmd: 'viz', unit: 'b', frame: 0 })
    exchange.receive(['viz', 'b', 'topology', { atoms: Array.from({ length: 4_500_000 }, () => 1) }])
    exchange.receive(['viz', 'b', 'topology', topology])
    expect(reader.take()).toEqual([])
  })

  test('pages that look at different units take turns on the one stream', () => {
    const { exchange, open, page, commands, wait } = start()
    open(state(unit('a', 1), unit('b', 1)))
    const [first, second] = [page(), page()]
    first.request({ cmd: 'viz', unit: 'a', frame: 0 })
    second.request({ cmd: 'viz', unit: 'b', frame: 0 })
    expect(commands()).toEqual([{ cmd: 'viz', unit: 'a', frame: 0 }])
    exchange.receive(['viz', 'a', 'topology', topology])
    exchange.receive(['viz', 'a', 'frames', 0, [0]])
    expect(commands()).toEqual([{ cmd: 'viz', unit: 'b', frame: 0 }])
    exchange.receive(['viz', 'b', { topology, frames: [[5]] }])
    expect(second.take().slice(1)).toEqual([
      ['viz', 'b', 'topology', topology],
      ['viz', 'b', 'frames', 0, [5]],
    ])
    // A new frame of the unit that is not streamed now.
    exchange.receive(['units', 0, 'frames', 2])
    expect(commands()).toEqual([{ cmd: 'viz', unit: 'a', frame: 1 }])
    // It cannot be read yet: after its time the other one is next.
    exchange.receive(['units', 1, 'frames', 2])
    expect(commands()).toEqual([])
    wait(15_000)
    expect(commands()).toEqual([{ cmd: 'viz', unit: 'b', frame: 1 }])
  })

  test('a first request that came before the first frame is repeated', () => {
    const { exchange, open, page, commands, wait } = start()
    open(state(unit('a', 0)))
    page().request({ cmd: 'viz', unit: 'a', frame: 0 })
    commands()
    wait(15_000)
    expect(commands()).toEqual([{ cmd: 'viz', unit: 'a', frame: 0 }])
    exchange.close()
    wait(60_000)
    expect(commands()).toEqual([])
  })
})

describe('commands', () => {
  test('one that changes a group names all groups that there are when it is sent', () => {
    const { exchange, open, commands, wait } = start()
    open()
    const outcomes: Outcome[] = []
    const change = (groups: object) => {
      const message = readPageContent({ cmd: 'config', config: { groups } } as Json, exchange.data())
      if (message.kind === 'control') exchange.command(message.request, outcome => outcomes.push(outcome))
    }
    change({ night: { cpus: 1 } })
    change({ night: { cpus: 2 } })
    expect(commands()).toEqual([{ cmd: 'config', config: { groups: { '': {}, night: { cpus: 1 } } } }])
    exchange.receive(['groups', 'day', { config: {} }])
    wait(1000)
    expect(commands()).toEqual([{ cmd: 'config', config: { groups: { '': {}, night: { cpus: 2 }, day: {} } } }])
    exchange.receive(['groups', 'night', 'config', 'cpus', 2])
    expect(outcomes).toEqual(['confirmed', 'confirmed'])
  })

  test('of two pages that add a group at the same time, both groups stay; one that is left out is deleted', () => {
    const { exchange, open, commands, wait } = start()
    open()
    const outcomes: Outcome[] = []
    const say = (groups: object) => {
      const message = readPageMessage(JSON.stringify({ cmd: 'config', config: { groups } }), exchange.data())
      if (message.kind === 'control') exchange.command(message.request, outcome => outcomes.push(outcome))
    }
    const groupsSent = () => commands().map(({ config }) => Object.keys((config as { groups: object }).groups))
    say({ '': {}, night: {}, first: {} })
    say({ '': {}, night: {}, second: {} })
    expect(groupsSent()).toEqual([['', 'night', 'first']])
    exchange.receive(['groups', 'first', { config: {} }])
    wait(1000)
    expect(groupsSent()).toEqual([['', 'night', 'first', 'second']])
    exchange.receive(['groups', 'second', { config: {} }])
    // This page has not yet seen the groups that the others added.
    say({ '': {}, night: {}, third: {} })
    wait(1000)
    expect(groupsSent()).toEqual([['', 'night', 'first', 'second', 'third']])
    exchange.receive(['groups', 'third', { config: {} }])
    wait(4000)
    say({ '': {}, night: {}, second: {}, third: {} })
    expect(groupsSent()).toEqual([['', 'night', 'second', 'third']])
    exchange.receive(['groups', 'first', null])
    expect(outcomes).toEqual(['confirmed', 'confirmed', 'confirmed', 'confirmed'])
  })

  const fold = (group: string) => ({ cmd: 'state', state: 'fold', group }) as const

  test('of all pages are spaced by a second for each kind, stamped here, and confirmed by the data', () => {
    const { exchange, open, sent, commands, wait } = start()
    open()
    const outcomes: Outcome[] = []
    exchange.command(fold('night'), outcome => outcomes.push(outcome))
    exchange.command({ cmd: 'state', state: 'pause', group: '' }, outcome => outcomes.push(outcome))
    exchange.command({ cmd: 'config', config: { user: 'ana' } }, outcome => outcomes.push(outcome))
    expect(sent[0]).toMatchObject({ time: isoTime(1_000_000) })
    expect(commands()).toEqual([fold('night')])
    wait(1000)
    expect(commands()).toEqual([
      { cmd: 'state', state: 'pause', group: '' },
      { cmd: 'config', config: { user: 'ana' } },
    ])
    expect(outcomes).toEqual([])
    exchange.receive(['groups', 'night', 'config', 'paused', false])
    expect(outcomes).toEqual(['confirmed'])
    exchange.receive(['config', 'user', 'ana'])
    expect(outcomes).toEqual(['confirmed', 'confirmed'])
    wait(10_000)
    expect(outcomes).toEqual(['confirmed', 'confirmed', 'ignored'])
  })

  test('are refused without a connection, when it is lost, and when too many wait', () => {
    const { exchange, open, wait } = start()
    const outcomes: Outcome[] = []
    const note = (outcome: Outcome) => outcomes.push(outcome)
    exchange.command(fold('night'), note)
    expect(outcomes).toEqual(['refused'])
    open()
    for (let at = 0; at < 40; at++) exchange.command(fold('night'), note)
    expect(outcomes.filter(outcome => outcome === 'refused')).toHaveLength(8)
    exchange.close()
    expect(outcomes).toHaveLength(41)
    expect(outcomes.filter(outcome => outcome === 'ignored')).toHaveLength(1)
    wait(60_000)
    expect(outcomes).toHaveLength(41)
  })

  test('a command is not ignored while what is known of the client is older, for two minutes at most', () => {
    const { exchange, open, now, wait } = start()
    open()
    const asOf = now()
    exchange.date(asOf)
    const outcomes: Outcome[] = []
    const give = () => exchange.command(fold('night'), outcome => outcomes.push(outcome))
    give()
    wait(30_000)
    expect(outcomes).toEqual([])
    exchange.date(now())
    wait(1000)
    expect(outcomes).toEqual(['ignored'])
    exchange.date(asOf)
    give()
    wait(119_000)
    expect(outcomes).toHaveLength(1)
    wait(2000)
    expect(outcomes).toEqual(['ignored', 'ignored'])
  })
})
