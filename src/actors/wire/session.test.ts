import { describe, expect, it } from 'vitest'
import { decodeClientContent } from '../../protocol/client-message.ts'
import { good } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import {
  AGE_CHECK,
  AGE_CHECK_OF_STREAMS,
  BEHIND_INTERVAL,
  BEHIND_PER_WAIT,
  EFFECT_TIME,
  FIRST_AGE_CHECK,
  HIDDEN_PAGE_SAMPLE,
  LATE_ANSWER,
  TRY_CHANGES,
} from '../pacing.ts'
import type { LinkReport } from './hub.types.ts'
import { createSession } from './session.ts'

const unit = (id: string, state = 'RUN'): Json => ({ id, state, number: 1 })
const stateOf = (...units: Json[]): Json => ({ info: {}, config: {}, groups: {}, units })
const progress: Json = ['units', 0, 'wu_progress', 0.5]

/** A session on a simulated clock; `sent` is what the client got, in order. */
const startSession = () => {
  let now = 1_000_000
  let timers: { at: number; run: () => void }[] = []
  const sent: unknown[] = []
  const reported: LinkReport[] = []
  let ends = 0
  const cipherOf = (name: string) => ({
    sealOpen: () => Promise.resolve(`open ${name}`),
    sealCommand: (content: JsonObject) => Promise.resolve(`${content['cmd'] as string} ${name}`),
    open: () => Promise.resolve(good<Json>(null)),
  })
  const session = createSession({
    sendText: text => sent.push(text),
    deps: { now: () => now, later: (ms, run) => timers.push({ at: now + ms, run }) },
    decode: decodeClientContent,
    report: (_, facts) => reported.push(...facts),
    wantsEnd: () => (ends += 1),
    ageCheck: () => AGE_CHECK,
  })
  const settle = () => new Promise(setImmediate)
  const pass = async (ms: number): Promise<void> => {
    const until = now + ms
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      timers = timers.filter(timer => timer !== next)
      now = Math.max(now, next.at)
      next.run()
    }
    now = until
    await settle()
  }
  return {
    session,
    sent,
    pass,
    now: () => now,
    ends: () => ends,
    attach: async (name = 'a') => {
      session.attach(cipherOf(name))
      await settle()
    },
    says: async (...contents: Json[]) => {
      for (const content of contents) session.receive(Promise.resolve(good(content)), now)
      await settle()
    },
    /** Ages reported since the last call. */
    ages: () =>
      reported.splice(0).flatMap(fact => (fact.type === 'session.dated' ? [fact.asOf && fact.asOf - now] : [])),
    types: () => reported.splice(0).map(({ type }) => type),
    take: () => sent.splice(0),
  }
}

const started = async () => {
  const session = startSession()
  await session.attach()
  await session.pass(900)
  await session.says(stateOf(unit('u')))
  session.take()
  session.ages()
  return session
}

/** A session whose client's messages are late. */
const behind = async () => {
  const session = await started()
  await session.says(progress)
  await session.pass(FIRST_AGE_CHECK + LATE_ANSWER)
  await session.attach('b')
  session.take()
  return session
}

describe('a session', () => {
  it('measures how late its client is while that sends anything: soon, then from time to time', async () => {
    const { says, pass, take, ages, ends } = await started()
    await pass(FIRST_AGE_CHECK)
    expect(take()).toEqual([])
    await says(progress)
    await pass(AGE_CHECK)
    expect(take()).toEqual(['open a'])
    await says(stateOf(unit('u')), progress)
    await pass(AGE_CHECK - 1)
    expect(take()).toEqual([])
    await pass(1)
    expect([take(), ages(), ends()]).toEqual([['open a'], [], 0])
  })

  it('measures it seldom while the client would send its log again', async () => {
    const { session, says, pass, take } = await started()
    session.send({ cmd: 'log', enable: true })
    await says(progress)
    await pass(FIRST_AGE_CHECK)
    expect(take()).toEqual(['log a', 'open a', 'log a'])
    await says(stateOf(unit('u')), progress)
    await pass(AGE_CHECK_OF_STREAMS - 1)
    expect(take()).toEqual([])
    session.send({ cmd: 'log', enable: false })
    await pass(1)
    expect(take()).toEqual(['log a', 'open a'])
  })

  it('says the age of what is shown as soon as an answer is late, and ends', async () => {
    const { says, pass, take, ages, ends } = await started()
    await says(progress)
    await pass(FIRST_AGE_CHECK)
    expect([take(), ages()]).toEqual([['open a'], []])
    await pass(LATE_ANSWER - 1)
    await says(progress)
    expect([ages(), ends()]).toEqual([[], 0])
    await pass(1)
    expect([ages(), ends()]).toEqual([[-LATE_ANSWER], 1])
  })

  it('then requests full states only, whose age is that of their request', async () => {
    const { attach, says, pass, take, ages, ends } = await behind()
    ages()
    await pass(LATE_ANSWER * BEHIND_PER_WAIT)
    expect(take()).toEqual(['open b'])
    await pass(1000)
    await says(stateOf(unit('u')))
    expect([ages(), ends()]).toEqual([[-1000], 2])
    await attach('c')
    expect(take()).toEqual([])
    await pass(BEHIND_INTERVAL - 1)
    expect(take()).toEqual([])
    await pass(1)
    expect(take()).toEqual(['open c'])
  })

  it('leaves the longer between two requests the longer an answer took', async () => {
    const { attach, says, pass, take } = await behind()
    await pass(LATE_ANSWER * BEHIND_PER_WAIT)
    await pass(7000)
    await says(stateOf(unit('u')))
    await attach('c')
    take()
    await pass(7000 * BEHIND_PER_WAIT - 1)
    expect(take()).toEqual([])
    await pass(1)
    expect(take()).toEqual(['open c'])
  })

  it('ends where an answer does not come, and waits twice as long for the next one', async () => {
    const { session, attach, pass, take, types, ends } = startSession()
    await attach()
    await pass(LATE_ANSWER)
    expect([types(), ends(), session.isAwaiting()]).toEqual([[], 1, false])
    await attach('b')
    take()
    await pass(LATE_ANSWER * BEHIND_PER_WAIT)
    expect(take()).toEqual(['open b'])
    await pass(2 * LATE_ANSWER - 1)
    expect([ends(), session.isAwaiting()]).toEqual([1, true])
    await pass(1)
    expect([ends(), session.isAwaiting()]).toEqual([2, false])
  })

  it('follows changes again after some minutes, when an answer is prompt', async () => {
    const { session, says, pass, take, ages } = await behind()
    const poll = async () => {
      await pass(BEHIND_INTERVAL)
      take()
      await says(stateOf(unit('u')))
    }
    await pass(LATE_ANSWER * BEHIND_PER_WAIT - BEHIND_INTERVAL)
    for (let passed = LATE_ANSWER * BEHIND_PER_WAIT; passed < TRY_CHANGES; passed += BEHIND_INTERVAL) {
      expect(session.isFollowed()).toBe(false)
      await poll()
    }
    ages()
    await poll()
    expect([ages(), session.isFollowed()]).toEqual([[undefined], true])
    await says(progress)
    await pass(AGE_CHECK)
    expect(take()).toEqual(['open b'])
  })

  it('waits before it asks again where the relay was renewed before a late answer', async () => {
    const { pass, attach, take } = await behind()
    await pass(LATE_ANSWER * BEHIND_PER_WAIT)
    expect(take()).toEqual(['open b'])
    await attach('c')
    expect(take()).toEqual([])
    await pass(LATE_ANSWER * BEHIND_PER_WAIT)
    expect(take()).toEqual(['open c'])
  })

  it('opens for a command, and stays open until the effect is seen', async () => {
    const { session, says, pass, take, ends } = await behind()
    const before = ends()
    session.send({ cmd: 'state' })
    await pass(500)
    expect(take()).toEqual(['open b', 'state b'])
    await says(stateOf(unit('u')))
    expect([ends() - before, session.isAwaiting()]).toEqual([0, true])
    await pass(EFFECT_TIME)
    expect([ends() - before, session.isAwaiting()]).toEqual([1, false])
  })

  it('sends commands after the renewal of its relay that were given during it', async () => {
    const { session, attach, take } = await started()
    session.attach(undefined)
    session.send({ cmd: 'state' })
    session.open()
    expect(take()).toEqual([])
    await attach('b')
    expect(take()).toEqual(['open b', 'state b'])
  })

  it('takes a full state every few minutes while the page is hidden, without the log', async () => {
    const { session, attach, says, pass, take, ages, ends } = await started()
    session.send({ cmd: 'log', enable: true })
    await pass(EFFECT_TIME)
    take()
    session.sample(HIDDEN_PAGE_SAMPLE)
    session.sample(HIDDEN_PAGE_SAMPLE)
    await says()
    expect([ages(), ends()]).toEqual([[0], 1])
    await attach('b')
    expect(take()).toEqual([])
    await pass(HIDDEN_PAGE_SAMPLE)
    expect(take()).toEqual(['open b'])
    await says(stateOf(unit('u')))
    expect([ages(), ends()]).toEqual([[0], 2])
    session.sample(undefined)
    await says(stateOf(unit('u')))
    expect([take(), ages(), session.isFollowed()]).toEqual([['open b', 'log b'], [undefined], true])
  })

  it('is asked for its first state also while the page is hidden, and during a renewal when it is shown', async () => {
    const { session, attach, says, take, ages } = startSession()
    session.sample(HIDDEN_PAGE_SAMPLE)
    await attach()
    expect(take()).toEqual(['open a'])
    await says(stateOf(unit('u')))
    session.attach(undefined)
    session.sample(undefined)
    await attach('b')
    expect(take()).toEqual(['open b'])
    ages()
    await says(stateOf(unit('u')))
    expect(ages()).toEqual([undefined])
  })

  it('requests the history again only when a unit has ended', async () => {
    const { session, says, pass, take } = await started()
    const measure = async (ms = AGE_CHECK) => {
      await says(progress)
      await pass(ms)
      return take()
    }
    session.send({ cmd: 'wus', enable: true })
    expect(await measure(FIRST_AGE_CHECK)).toEqual(['wus a', 'open a'])
    await says(stateOf(unit('u'), unit('v')))
    expect(take()).toEqual([])
    await says(['units', 1, null])
    expect(take()).toEqual(['wus a'])
    await says(['units', 0, null])
    expect(take()).toEqual([])
    expect(await measure()).toEqual(['open a'])
    await says(stateOf(unit('w'), unit('x', 'ASSIGN')))
    expect(take()).toEqual([])
    expect(await measure()).toEqual(['open a'])
    await says(stateOf(unit('w'), unit('y', 'ASSIGN')))
    expect(take()).toEqual([])
    expect(await measure()).toEqual(['open a'])
    await says(stateOf(unit('z')))
    expect(take()).toEqual(['wus a'])
  })

  it('wants its end at the client when the page closes it', async () => {
    const { session, ends, pass, take } = await started()
    session.close()
    session.close()
    await pass(AGE_CHECK)
    expect([ends(), take(), session.isAwaiting(), session.isFollowed()]).toEqual([1, [], false, false])
  })
})
