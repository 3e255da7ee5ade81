import { describe, expect, it } from 'vitest'
import { decodeClientContent } from '../../protocol/client/client-message.ts'
import { bad, good } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import {
  FIRST_AGE_CHECK,
  GONE_TIME,
  HIDDEN_PAGE_SAMPLE,
  LATE_ANSWER,
  LOG_BYTES_PER_SECOND,
  LOG_SAMPLE,
  MOLECULE_SHARE,
  NODE_CHECK,
  SAMPLE_INTERVAL,
} from '../pacing.ts'
import type { LinkReport } from './hub.types.ts'
import { createManualClock } from '../../../test/network/manual-clock.ts'
import { createSession } from './session.ts'

function unit(id: string, state = 'RUN'): Json {
  return { id, state, number: 1 }
}
function stateOf(...units: Json[]): Json {
  return { info: {}, config: {}, groups: {}, units }
}
const progress: Json = ['units', 0, 'wu_progress', 0.5]
const LOG = { cmd: 'log', enable: true }
const HISTORY = { cmd: 'wus', enable: true }

/** A session on a simulated clock; `sent` is what the client got, in order: in its session, and over the other connection. */
function startSession() {
  const clock = createManualClock(1_000_000)
  let ahead = 0
  const now = (): number => clock.now() + ahead
  const sent: string[] = []
  const reported: LinkReport[] = []
  let asked: readonly JsonObject[] = []
  const nameOf = ({ cmd }: JsonObject) => (typeof cmd === 'string' ? cmd : '')
  const session = createSession({
    cipher: {
      sealOpen: () => Promise.resolve('open'),
      sealCommand: command => Promise.resolve(nameOf(command)),
      open: () => Promise.resolve(good<Json>(null)),
    },
    sendText: text => sent.push(text),
    deps: { now, later: (ms, run) => clock.setTimer(run, ms) },
    decode: decodeClientContent,
    report: (_, facts) => reported.push(...facts),
    offset: () => 2000,
    ask: (commands, share) => {
      asked = commands
      sent.push(['ask', ...commands.map(nameOf), ...(share > 0 ? [`for ${share} ms`] : [])].join(' '))
    },
    endAtClient: () => sent.push('end'),
    unanswered: () => sent.push('unanswered'),
    spread: () => 20_000,
    phase: () => 0,
    changesFollowed: () => undefined,
  })
  /** Without the way in which changes are learned. */
  const newFacts = () => reported.splice(0).filter(({ type }) => type !== 'session.entered')
  const states = () => reported.flatMap(fact => (fact.type === 'session.entered' ? [fact.state] : []))
  session.watch(true)
  const settle = () => new Promise(setImmediate)
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await settle()
  }
  return {
    session,
    now,
    setClock: (by: number): void => void (ahead += by),
    states,
    pass,
    settle,
    says: async (content: Json) => {
      session.receive(Promise.resolve(good(content)), now())
      await settle()
    },
    answers: async (content: Json) => {
      session.receiveSample(Promise.resolve(good(content)), now())
      await settle()
    },
    answersUnusably: async (kind: 'undecryptable' | 'iv-reused') => {
      session.receiveSample(Promise.resolve(bad({ kind })), now())
      await settle()
    },
    loses: async () => {
      session.receive(Promise.resolve(bad({ kind: 'undecryptable' })), now())
      await settle()
    },
    types: () => newFacts().map(({ type }) => type),
    newFacts,
    asked: () => asked,
    ages: () => reported.splice(0).flatMap(fact => (fact.type === 'session.dated' ? [fact.asOf] : [])),
    take: () => sent.splice(0),
  }
}

async function started() {
  const session = startSession()
  await session.answers(stateOf(unit('u')))
  await session.says(stateOf(unit('u')))
  session.take()
  session.types()
  return session
}

/** A session whose client's messages are late. */
async function behind() {
  const session = await started()
  for (let each = 0; each <= FIRST_AGE_CHECK; each += 500) {
    await session.says(progress)
    await session.pass(500)
  }
  await session.pass(LATE_ANSWER)
  session.take()
  session.types()
  return session
}

describe('a session that begins', () => {
  it('with a full state follows changes after it, without a word of its age', async () => {
    const { pass, answers, says, take, types } = startSession()
    await pass(900)
    expect(take()).toEqual(['ask'])
    await answers(stateOf(unit('u')))
    expect({ take: take(), types: types() }).toEqual({ take: ['open'], types: ['session.opened', 'snapshot.received'] })
    await says(stateOf(unit('u')))
    await says(progress)
    expect(types()).toEqual(['snapshot.received', 'changes.received'])
  })

  it('with a state of two running units does not follow them, and says its age', async () => {
    const { pass, answers, take, newFacts, now } = startSession()
    await pass(900)
    take()
    await answers(stateOf(unit('u'), unit('v')))
    const facts = newFacts()
    expect(take()).toEqual([])
    expect(facts.map(({ type }) => type)).toEqual(['session.opened', 'snapshot.received', 'session.dated'])
    expect(facts.at(-1)).toEqual({ type: 'session.dated', asOf: now() - 900 })
  })

  it('tells how its changes are learned, for the inspector', async () => {
    const { answers, pass, states } = startSession()
    await answers(stateOf(unit('u'), unit('v')))
    await pass(5000)
    await answers(stateOf(unit('u')))
    expect(states()).toEqual(['asking', 'busy', 'following'])
  })

  it('counts no unit that is paused', async () => {
    const { answers, take } = startSession()
    await answers(stateOf(unit('u'), { id: 'v', state: 'RUN', number: 2, pause_reason: 'Paused' }))
    expect(take()).toEqual(['ask', 'open'])
  })
})

describe('a session that follows changes', () => {
  it('asks over the other connection how late its client is, and takes nothing from the answer', async () => {
    const { says, pass, answers, take, types } = await started()
    for (let each = 0; each <= FIRST_AGE_CHECK; each += 500) {
      await says(progress)
      await pass(500)
    }
    expect(take()).toEqual(['ask'])
    types()
    await answers(stateOf(unit('v')))
    expect(types()).toEqual([])
  })

  it('opens again with its streams after the account has logged in again', async () => {
    const { session, settle, take } = await started()
    session.send(LOG)
    session.send(HISTORY)
    await settle()
    expect(take()).toEqual(['log', 'wus'])
    session.ended()
    await settle()
    expect(take()).toEqual(['open', 'log', 'wus'])
  })

  it('ends at the client when the page closes it, once', async () => {
    const { session, pass, take } = await started()
    session.close()
    session.close()
    await pass(LATE_ANSWER)
    expect(take()).toEqual(['end'])
  })
})

describe('a session whose client’s messages are late', () => {
  it('ends, says as of when its state is, and drops what was sent before the full state that follows', async () => {
    const session = await started()
    for (let each = 0; each < FIRST_AGE_CHECK + LATE_ANSWER; each += 500) {
      await session.says(progress)
      await session.pass(500)
    }
    expect({ take: session.take(), ages: session.ages() }).toEqual({ take: ['ask', 'end'], ages: [1_000_000] })
    await session.says(progress)
    expect(session.types()).toEqual(['changes.received'])
    await session.answers(stateOf(unit('u')))
    expect(session.types()).toEqual(['snapshot.received', 'session.dated'])
    await session.says(progress)
    expect(session.types()).toEqual([])
    await session.answers(progress)
    expect(session.types()).toEqual(['changes.received'])
  })

  it('does not open when the account logs in again, and ends nothing when the page closes it', async () => {
    const { session, settle, take } = await behind()
    session.ended()
    session.close()
    await settle()
    expect(take()).toEqual([])
  })

  it('sends commands with a request of its state, and requests what they changed', async () => {
    const { session, pass, answers, take } = await behind()
    session.send({ cmd: 'state' })
    session.send({ cmd: 'config' })
    expect(take()).toEqual(['ask state', 'ask config'])
    for (let each = 0; each < 3; each++) await answers(stateOf())
    await pass(1000)
    expect(take()).toEqual(['ask'])
  })

  it.each([
    ['short', 1000, SAMPLE_INTERVAL],
    ['long', 100 * LOG_BYTES_PER_SECOND, LOG_SAMPLE],
  ])('requests a %s log that is shown so often that it takes its share', async (_, bytes, interval) => {
    const { session, pass, answers, take } = await behind()
    session.send(LOG)
    expect(take()).toEqual(['ask log'])
    let latest = ['ask log']
    let ofLog = 0
    for (let passed = 0; passed < LOG_SAMPLE + SAMPLE_INTERVAL; passed += 1000) {
      if (latest.length > 0) await answers(stateOf())
      if (latest.includes('ask log')) await answers(['log', ['x'.repeat(bytes)]])
      await pass(1000)
      latest = take()
      if (latest.includes('ask log')) ofLog++
    }
    expect(ofLog).toBeGreaterThanOrEqual(Math.floor(LOG_SAMPLE / interval / 2))
    expect(ofLog).toBeLessThanOrEqual(LOG_SAMPLE / interval + 1)
    session.send({ cmd: 'log', enable: false })
    await pass(LOG_SAMPLE)
    expect(take()).not.toContain('ask log')
  })

  it('requests the log again where this computer’s clock was set back', async () => {
    const { session, setClock, pass, answers, take } = await behind()
    session.send(LOG)
    for (let each = 0; each < 2; each++) await answers(stateOf())
    setClock(-3_600_000)
    take()
    await pass(2 * SAMPLE_INTERVAL)
    expect(take()).toEqual(['ask log'])
  })

  it('requests a molecule that is shown until all of its frames have come, and keeps its session open meanwhile', async () => {
    const { session, pass, answers, take, asked } = await behind()
    const molecule = { id: 'u', state: 'RUN', number: 1, frames: 3 }
    const next = async () => {
      await answers(stateOf(molecule))
      await pass(2 * SAMPLE_INTERVAL)
      return take()
    }
    await next()
    session.send({ cmd: 'viz', unit: 'u', frame: 0 })
    expect(take()).toEqual([`ask viz for ${MOLECULE_SHARE} ms`])
    await answers(['viz', 'u', 'frames', 0, [[1, 2, 3]]])
    await answers(stateOf(molecule))
    expect(await next()).toEqual([`ask viz for ${MOLECULE_SHARE} ms`])
    expect(asked()).toEqual([{ cmd: 'viz', unit: 'u', frame: 1 }])
    await answers(['viz', 'u', 'frames', 1, [[1, 2, 3]]])
    await answers(['viz', 'u', 'frames', 2, [[1, 2, 3]]])
    expect(await next()).toEqual(['ask'])
    molecule.frames = 4
    await next()
    expect(asked()).toEqual([{ cmd: 'viz', unit: 'u', frame: 3 }])
    session.send({ cmd: 'viz', unit: '', frame: 0 })
    expect(await next()).toEqual(['ask'])
  })

  it('asks less often where the account has many clients and this one is not visible', async () => {
    const { session, pass, answers, take } = await behind()
    const asked = async () => {
      let count = 0
      for (let second = 0; second < 200; second++) {
        await pass(1000)
        if (take().length === 0) continue
        count++
        await answers(stateOf())
      }
      return count
    }
    expect(await asked()).toBeGreaterThan(25)
    session.watch(false)
    expect(await asked()).toBeLessThan(16)
  })

  it('tells until when all is known that its client said, by the clock that commands are stamped with', async () => {
    const { session, answers, newFacts, now } = await behind()
    await answers(stateOf())
    newFacts()
    session.check()
    await answers(stateOf())
    expect(newFacts()).toContainEqual({ type: 'session.seen', until: now() + 2000 })
  })

  it('ends as one that does not answer, when nothing has come for two minutes', async () => {
    const { pass, take, types } = await behind()
    await pass(NODE_CHECK)
    expect({ take: take(), types: types() }).toEqual({ take: ['unanswered'], types: [] })
    await pass(GONE_TIME)
    expect(types()).toEqual(['session.closed'])
  })

  it('requests the history again only when a unit has ended', async () => {
    const { session, pass, answers, take } = await behind()
    session.send(HISTORY)
    expect(take()).toEqual(['ask wus'])
    const next = async (...units: Json[]) => {
      await answers(stateOf(...units))
      await pass(2 * SAMPLE_INTERVAL)
      return take()
    }
    await next(unit('u'))
    expect(await next(unit('u'), unit('v', 'ASSIGN'))).toEqual(['ask'])
    expect(await next(unit('u'), unit('w', 'ASSIGN'))).toEqual(['ask'])
    expect(await next(unit('v'))).toEqual(['ask wus'])
    expect(await next(unit('v'))).toEqual(['ask'])
  })

  it('still waits for an answer after a message that came twice', async () => {
    const { pass, answers, answersUnusably, take, ages } = await behind()
    await answersUnusably('iv-reused')
    await pass(1000)
    await answers(stateOf(unit('u')))
    expect(ages()).toHaveLength(1)
    await pass(1.5 * SAMPLE_INTERVAL)
    expect(take()).toEqual(['ask'])
  })

  it('asks again after an unreadable answer, and is as old as that request', async () => {
    const { pass, answers, answersUnusably, take, ages, now } = await behind()
    await answersUnusably('undecryptable')
    await pass(3000)
    const askedAt = now()
    expect(take()).toEqual(['ask'])
    await pass(1000)
    await answers(stateOf(unit('u')))
    expect(askedAt - (ages().at(-1) ?? 0)).toBeLessThanOrEqual(3000)
    await pass(1.5 * SAMPLE_INTERVAL)
    expect(take()).toEqual(['ask'])
  })

  it('requests the full state at once after a message that cannot be decrypted', async () => {
    const { pass, answers, loses, take } = await behind()
    await answers(stateOf())
    await loses()
    await pass(0)
    expect(take()).toEqual(['ask'])
  })

  it('answers a request of the page with a full state', async () => {
    const { session, take } = await behind()
    session.open()
    expect(take()).toEqual(['ask'])
  })

  it('takes changes again from the full state that they begin with', async () => {
    const { says, pass, answers, take, types, ages } = await behind()
    for (let each = 0; !take().includes('open') && each < 1000; each++) {
      await answers(stateOf())
      await pass(1000)
    }
    types()
    await says(progress)
    expect(types()).toEqual([])
    await says(stateOf(unit('u')))
    expect(ages()).toEqual([undefined])
    await says(progress)
    expect(types()).toEqual(['changes.received'])
  })
})

it('says as of when its first state is, in a hidden page on a slow network too', async () => {
  const { session, pass, answers, types } = startSession()
  session.sample(HIDDEN_PAGE_SAMPLE)
  await pass(LATE_ANSWER)
  await answers(stateOf(unit('u')))
  const reportedTypes = types()
  expect(reportedTypes.slice(reportedTypes.indexOf('session.opened'))).toContain('session.dated')
})

it('takes full states while the page is hidden', async () => {
  const { session, pass, answers, take, ages } = await started()
  session.sample(HIDDEN_PAGE_SAMPLE)
  expect({ take: take(), ages: ages() }).toEqual({ take: ['end'], ages: [1_000_000] })
  await pass(HIDDEN_PAGE_SAMPLE)
  expect(take()).toEqual(['ask'])
  await answers(stateOf(unit('u')))
  expect(ages()).toEqual([1_000_000 + HIDDEN_PAGE_SAMPLE])
  session.sample(undefined)
  expect(take()).toEqual(['ask'])
  await answers(stateOf(unit('u')))
  expect(take()).toEqual(['open'])
})
