import { describe, expect, it } from 'vitest'
import {
  EFFECT_TIME,
  END_SESSIONS,
  FIRST_AGE_CHECK,
  GONE_TIME,
  HIDDEN_PAGE_SAMPLE,
  LATE_ANSWER,
  LOST_ANSWER,
  NODE_CHECK,
  QUIET_TIME,
  SAMPLE_INTERVAL,
  SAMPLE_SHIFT,
  SILENCE,
  TRY_CHANGES,
} from '../pacing.ts'
import { createManualClock } from '../../../test/network/manual-clock.ts'
import { createFollowing } from './following.ts'
import type { FollowingState } from './hub.types.ts'

function startClock() {
  const clock = createManualClock(1_000_000)
  let ahead = 0
  return {
    now: () => clock.now() + ahead,
    setClock: (by: number): void => void (ahead += by),
    later: (ms: number, run: () => void) => clock.setTimer(run, ms),
    timers: () => clock.timers(),
    pass: (ms: number): void => clock.advance(ms),
  }
}

/** Unless `isAsking`, changes are followed after a prompt first state without running units. */
function start(isAsking = false) {
  const clock = startClock()
  const events: string[] = []
  const states: FollowingState[] = []
  let spread = 0
  let phase = 0
  const following = createFollowing({
    deps: clock,
    ask: () => events.push('ask'),
    follow: isFollowed => events.push(isFollowed ? 'follow' : 'end'),
    entered: state => states.push(state),
    dated: (_, asOf) => events.push(asOf === undefined ? 'current' : `${(clock.now() - asOf) / 1000} s old`),
    seen: (_, until) => events.push(`seen until ${(clock.now() - until) / 1000} s ago`),
    unanswered: () => events.push('unanswered'),
    gone: () => events.push('gone'),
    spread: () => spread,
    phase: () => phase,
    changesFollowed: () => (phase += 300),
  })
  if (!isAsking) {
    following.answered(clock.now())
    events.splice(0, 1)
    states.splice(0, 1)
  }
  const take = () => events.splice(0)
  /** Messages without a pause. */
  const busy = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      following.heard(clock.now())
      clock.pass(250)
    }
  }
  const answer = () => following.answered(clock.now())
  /** It is asked, and answers promptly. */
  const promptAnswer = () => {
    const before: string[] = []
    while (!before.includes('ask')) {
      clock.pass(100)
      before.push(...take())
    }
    clock.pass(900)
    answer()
    return before
  }
  const setSpread = (ms: number): void => void (spread = ms)
  return { ...clock, following, take, busy, answer, promptAnswer, states, setSpread }
}

/** Changes of this client have come late. */
function behind() {
  const session = start()
  session.busy(FIRST_AGE_CHECK + 250)
  session.pass(LATE_ANSWER)
  session.take()
  return session
}

/** The first state of this client has told how many units run. */
function answeredWith(running: number) {
  const session = start(true)
  session.pass(900)
  session.following.counted(running)
  session.answer()
  return session
}

describe('the first full state', () => {
  it('is requested before changes are followed, so that none are sent that nobody can wait for', () => {
    const { take, states } = start(true)
    expect({ take: take(), states }).toEqual({ take: ['ask'], states: ['asking'] })
  })

  it.each([0, 1])('with %i running units has changes followed', running => {
    const { take, states, following, now } = answeredWith(running)
    expect({ take: take(), states }).toEqual({ take: ['ask', 'follow'], states: ['asking', 'following'] })
    following.heard(now())
    expect(take()).toEqual(['current'])
  })

  it('with two running units has full states taken, at once and for as long as they run', () => {
    const { take, states, following, promptAnswer, now } = answeredWith(2)
    expect({ take: take(), states }).toEqual({ take: ['ask', '0.9 s old'], states: ['asking', 'busy'] })
    for (let sample = 0; sample < 200; sample++) promptAnswer()
    following.counted(1)
    expect(promptAnswer()).toEqual(['0.9 s old', 'ask'])
    expect(take()).toEqual(['follow'])
    following.heard(now())
    expect(states).toEqual(['asking', 'busy', 'following'])
  })

  it('has later ones requested at another time where changes follow an answer', () => {
    const { take, pass, answer, following, now } = answeredWith(2)
    const times: number[] = []
    for (let count = 0; count < 4; count++) {
      take()
      while (!take().includes('ask')) pass(100)
      times.push(now())
      answer()
      pass(300)
      if (count === 1) for (let change = 0; change < 5; change++) following.heard(now())
    }
    expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual([
      SAMPLE_INTERVAL,
      SAMPLE_INTERVAL + 300,
      SAMPLE_INTERVAL,
    ])
  })

  it('has the next ones requested at the same intervals although answers take four seconds', () => {
    const { take, pass, answer, now } = answeredWith(2)
    const times: number[] = []
    while (times.length < 5) {
      take()
      while (!take().includes('ask')) pass(100)
      times.push(now())
      pass(4000)
      answer()
    }
    expect(times.map(at => at - (times[0] ?? 0))).toEqual([0, 1, 2, 3, 4].map(count => count * SAMPLE_INTERVAL))
  })

  it('with two running units has the next one requested sooner when the client becomes visible', () => {
    const { take, pass, answer, following, setSpread } = answeredWith(2)
    setSpread(20_000)
    take()
    pass(SAMPLE_INTERVAL + 900)
    expect(take()).toEqual(['ask'])
    answer()
    take()
    pass(SAMPLE_INTERVAL)
    expect(take()).toEqual([])
    setSpread(0)
    following.sampleSooner()
    pass(SAMPLE_INTERVAL)
    expect(take()).toEqual(['ask'])
  })

  it('that follows a late one has changes followed as soon as an answer is prompt', () => {
    const { take, states, pass, answer, promptAnswer } = start(true)
    pass(68_000)
    answer()
    expect({ take: take(), states }).toEqual({ take: ['ask', 'unanswered', '68 s old'], states: ['asking', 'late'] })
    promptAnswer()
    expect(take()).toEqual(['follow'])
  })

  it('of the session that follows changes ends that where two units run by then', () => {
    const { take, states, following, pass, now } = start()
    pass(900)
    following.counted(2)
    following.heard(now())
    expect(take()).toEqual(['follow', 'current', 'end', '0.9 s old'])
    expect(states).toEqual(['following', 'busy'])
  })

  it('that a later measurement brings ends that, too', () => {
    const { take, busy, following, answer } = start()
    busy(FIRST_AGE_CHECK + 250)
    following.counted(2)
    answer()
    expect(take()).toEqual(['follow', 'current', 'ask', 'end', '0.25 s old'])
  })
})

describe('a client with a running unit that says nothing', () => {
  const silent = () => {
    const session = answeredWith(1)
    session.following.heard(session.now())
    session.take()
    return session
  }

  it('is asked, and its age is said six seconds after its last message', () => {
    const { take, pass } = silent()
    pass(SILENCE - 1)
    expect(take()).toEqual([])
    pass(1)
    expect(take()).toEqual(['ask'])
    pass(LATE_ANSWER)
    expect(take()).toEqual(['end', '6 s old'])
  })

  it('stays followed as long as it answers', () => {
    const { take, promptAnswer, following } = silent()
    for (let asked = 0; asked < 5; asked++) promptAnswer()
    expect({ take: take(), isFollowed: following.isFollowed() }).toEqual({ take: [], isFollowed: true })
  })

  it('is not asked when none of its units runs', () => {
    const { take, pass, following } = silent()
    following.counted(0)
    pass(10 * SILENCE)
    expect(take()).toEqual([])
  })

  it('has the node checked once, and is gone after two minutes without any message', () => {
    const { take, pass, following, now } = silent()
    pass(SILENCE + NODE_CHECK - 1)
    expect(take()).not.toContain('unanswered')
    pass(1)
    expect(take()).toEqual(['unanswered'])
    pass(GONE_TIME - NODE_CHECK - 1)
    following.heard(now())
    pass(NODE_CHECK)
    expect(take()).toEqual(['unanswered'])
    pass(GONE_TIME - NODE_CHECK)
    expect(take()).toEqual(['gone'])
  })
})

it('asks again instead when the clock was set or the computer slept', () => {
  const { take, pass, setClock } = start(true)
  setClock(3_600_000)
  pass(NODE_CHECK)
  expect(take()).toEqual(['ask', 'ask'])
})

describe('when this computer’s clock is set back', () => {
  it('a client that is asked from time to time is asked on', () => {
    const { following, setClock, pass, take, now } = answeredWith(2)
    following.heard(now())
    take()
    setClock(-3_600_000)
    pass(2 * SAMPLE_INTERVAL)
    expect(take()).toContain('ask')
  })

  it('a client whose messages were late is followed again at once', () => {
    const { following, setClock, answer, take } = behind()
    answer()
    setClock(-3_600_000)
    take()
    following.request()
    answer()
    expect(take()).toEqual(['ask', 'follow'])
  })

  it('a client that says nothing is still asked, and gone after two minutes', () => {
    const { following, setClock, pass, take, now } = answeredWith(1)
    following.heard(now())
    take()
    setClock(-3_600_000)
    pass(2 * SILENCE)
    expect(take()).toEqual(['ask'])
    pass(NODE_CHECK + GONE_TIME)
    expect(take().at(-1)).toBe('gone')
  })

  it('it is still measured how late messages are', () => {
    const { setClock, busy, take } = start()
    busy(1000)
    setClock(-3_600_000)
    take()
    busy(FIRST_AGE_CHECK + 250)
    expect(take()).toEqual(['ask'])
  })
})

describe('what a command caused', () => {
  it('is seen when a request that came after it is answered', () => {
    const { following, take, pass, answer } = behind()
    answer()
    take()
    following.request('command')
    pass(EFFECT_TIME)
    answer()
    pass(EFFECT_TIME)
    answer()
    expect(take().filter(event => event.startsWith('seen'))).toEqual(['seen until 1 s ago'])
  })

  it('is seen while changes are followed, too, when it is asked for', () => {
    const { following, take, pass, answer, now } = start()
    following.heard(now())
    following.request('check')
    pass(900)
    answer()
    expect(take()).toEqual(['follow', 'current', 'ask', 'seen until 0.9 s ago'])
  })
})

describe('a client that answers at once', () => {
  it('is never asked while its messages leave pauses', () => {
    const { following, pass, take } = start()
    for (let second = 0; second < 120; second++) {
      following.heard(second * QUIET_TIME)
      pass(QUIET_TIME)
    }
    expect(take()).toEqual(['follow', 'current'])
  })

  it('is asked after four seconds without a pause, and then less often, and its changes stay followed', () => {
    const { following, busy, answer, take } = start()
    const untilAsked = () => {
      for (let seconds = 0; seconds < 100; seconds += 0.5) {
        busy(500)
        if (take().includes('ask')) {
          answer()
          return Math.round(seconds)
        }
      }
      return undefined
    }
    expect(Array.from({ length: 6 }, untilAsked)).toEqual([4, 8, 10, 10, 10, 10])
    expect(following.isFollowed()).toBe(true)
  })

  it('is asked soon again after a pause', () => {
    const { busy, answer, pass, take } = start()
    busy(FIRST_AGE_CHECK + 250)
    answer()
    pass(QUIET_TIME)
    take()
    busy(FIRST_AGE_CHECK - QUIET_TIME + 250)
    expect(take()).toEqual(['ask'])
  })
})

describe('a client whose messages are late', () => {
  it('is no longer followed, and its state is as old as when nothing was waiting', () => {
    const { busy, pass, take } = start()
    busy(FIRST_AGE_CHECK + 250)
    take()
    pass(LATE_ANSWER - 251)
    expect(take()).toEqual([])
    pass(1)
    expect(take()).toEqual(['end', `${(FIRST_AGE_CHECK + LATE_ANSWER) / 1000} s old`])
  })

  it('is the same where the first answer is late', () => {
    const { pass, take } = start()
    pass(LATE_ANSWER)
    expect(take()).toEqual(['follow', 'end', '2.5 s old', 'ask'])
  })

  it('is asked every five seconds, once what was waiting has passed, and its state is as old as the request', () => {
    const { pass, busy, answer, take } = behind()
    pass(4000)
    answer()
    expect(take()).toEqual([`${(4000 + LATE_ANSWER + 250) / 1000} s old`])
    busy(12_000)
    expect(take()).toEqual([])
    while (take().length === 0) pass(50)
    pass(900)
    answer()
    expect(take()).toEqual(['0.9 s old'])
    pass(1.5 * SAMPLE_INTERVAL)
    expect(take()).toEqual(['ask'])
  })

  it('is asked when an answer has not come within ten minutes', () => {
    const { pass, take, following, now } = behind()
    const end = now() + LOST_ANSWER - LATE_ANSWER - 251
    while (now() + QUIET_TIME < end) {
      pass(QUIET_TIME)
      following.heard(now())
    }
    pass(end - now())
    expect(take()).toEqual([])
    pass(1)
    expect(take()).toEqual(['ask'])
  })

  it('is followed again after five minutes, and after ten when that was late', () => {
    const { following, pass, answer, take } = behind()
    const untilFollowed = () => {
      let seconds = 0
      while (!following.isFollowed() && seconds < 3600) {
        answer()
        pass(1000)
        seconds += 1
      }
      return seconds
    }
    expect(untilFollowed()).toBeCloseTo(TRY_CHANGES / 1000, -1.5)
    expect(take().at(-1)).toBe('follow')
    pass(LATE_ANSWER)
    expect(untilFollowed()).toBeCloseTo((2 * TRY_CHANGES) / 1000, -1.5)
    take()
    following.heard(0)
    expect(take()).toEqual(['current'])
  })

  it('is asked again, not at once, where the connection for it has ended', () => {
    const { following, pass, take } = behind()
    following.lost()
    expect(take()).toEqual([])
    pass(1.5 * SAMPLE_INTERVAL)
    expect(take()).toEqual(['ask'])
    following.lost()
    following.lost()
    pass(1.5 * SAMPLE_INTERVAL)
    expect(take()).toEqual(['ask'])
  })

  it('is asked for the effect of a command', () => {
    const { following, pass, answer, take } = behind()
    following.request('command')
    pass(900)
    answer()
    answer()
    pass(EFFECT_TIME + SAMPLE_INTERVAL)
    expect(take().filter(event => event === 'ask')).toEqual(['ask', 'ask'])
  })
})

describe('a hidden page', () => {
  it('asks every five minutes, and follows changes again when it is shown', () => {
    const { following, pass, answer, take } = start()
    following.heard(0)
    take()
    following.sampleEvery(HIDDEN_PAGE_SAMPLE)
    following.sampleEvery(HIDDEN_PAGE_SAMPLE)
    expect(take()).toEqual(['end', '0 s old'])
    pass(HIDDEN_PAGE_SAMPLE - 1)
    expect(take()).toEqual([])
    pass(1)
    expect(take()).toEqual(['ask'])
    pass(1000)
    answer()
    expect(take()).toEqual(['1 s old'])
    following.sampleEvery(undefined)
    expect(take()).toEqual(['ask'])
    answer()
    expect({ take: take(), isFollowed: following.isFollowed() }).toEqual({ take: ['follow'], isFollowed: true })
  })

  it('asks at once where nothing is known', () => {
    const { following, take } = start()
    following.sampleEvery(HIDDEN_PAGE_SAMPLE)
    expect(take()).toEqual(['follow', 'end', 'ask'])
  })

  it('asks at once when it is shown before changes are to be followed again', () => {
    const { following, pass, answer, take } = behind()
    answer()
    following.sampleEvery(HIDDEN_PAGE_SAMPLE)
    take()
    pass(1000)
    following.sampleEvery(undefined)
    expect(take()).toEqual(['ask'])
  })
})

it('waits for all answers with one timer, however many there were', () => {
  const { answer, pass, take, timers } = behind()
  for (let count = 0; count < 50; count++) {
    pass(SAMPLE_INTERVAL)
    answer()
  }
  expect(take().filter(event => event === 'ask').length).toBeGreaterThan(15)
  expect(timers()).toBeLessThan(5)
})

it('does nothing after its end', () => {
  const { following, pass, take, timers } = behind()
  following.stop()
  pass(LATE_ANSWER)
  expect(timers()).toBe(0)
  pass(LOST_ANSWER)
  expect({ take: take(), isFollowed: following.isFollowed() }).toEqual({ take: [], isFollowed: false })
})

/** Of a client and a node that have nothing else to do (docs/protocol.md §11.6), milliseconds. */
const PER_MESSAGE = 300
/** What a client sends of each running unit once a second, of all at the same time. */
const MESSAGES_PER_UNIT = 3

/**
 * Pages of one account that see a client through a node, both slow (docs/protocol.md §11.6). `running`: its units that run. Page
 * `index` is loaded after `loadedAt[index]` milliseconds. Returns for each second and page the age of what is shown, and the age that
 * the page says.
 */
function simulate(loadedAt: readonly number[], running: number, minutes: number) {
  const { now, later, pass } = startClock()
  const every = (ms: number, run: () => void): void => {
    run()
    later(ms, () => every(ms, run))
  }
  const atClient: (() => void)[] = []
  const atNode: (() => void)[] = []
  const sessions = new Set<{ readonly send: (isState: boolean) => void }>()
  let random = 1
  const startPage = () => {
    const observed: { madeAt: number | undefined; asOf: number | undefined } = { madeAt: undefined, asOf: undefined }
    const nextRandom = () => (random = (random * 16_807) % 2_147_483_647) / 2_147_483_647
    let phase = SAMPLE_INTERVAL * nextRandom()
    const session = (isSample: boolean) => ({
      send(isState: boolean) {
        const madeAt = now()
        atNode.push(() => {
          if (isState) following.counted(running)
          if (isSample !== following.isFollowed()) observed.madeAt = madeAt
          following.heard(now())
          if (isSample && isState) following.answered(now())
        })
      },
    })
    const [sampled, followed] = [session(true), session(false)]
    const open = (one: typeof sampled) =>
      atClient.push(() => {
        sessions.add(one)
        one.send(true)
      })
    const close = (one: typeof sampled) => atClient.push(() => sessions.delete(one))
    const following = createFollowing({
      deps: { now, later },
      ask: () => {
        open(sampled)
        later(END_SESSIONS, () => close(sampled))
      },
      follow: isFollowed => void (isFollowed ? open(followed) : close(followed)),
      entered: () => undefined,
      dated: (_, asOf) => (observed.asOf = asOf),
      seen: () => undefined,
      unanswered: () => undefined,
      gone: () => undefined,
      spread: () => 0,
      phase: () => phase,
      changesFollowed: () => (phase = (phase + SAMPLE_SHIFT * nextRandom()) % SAMPLE_INTERVAL),
    })
    return observed
  }
  const shown: ReturnType<typeof startPage>[] = []
  for (const at of loadedAt) later(at, () => shown.push(startPage()))
  every(PER_MESSAGE, () => atClient.shift()?.())
  every(PER_MESSAGE, () => atNode.shift()?.())
  every(1000, () => {
    for (const { send } of sessions) for (let count = 0; count < MESSAGES_PER_UNIT * running; count++) send(false)
  })
  return Array.from({ length: minutes * 60 }, () => {
    pass(1000)
    return shown.map(({ madeAt, asOf }) => ({
      age: madeAt === undefined ? undefined : now() - madeAt,
      said: asOf === undefined ? undefined : now() - asOf,
    }))
  })
}

describe('pages that see a client through a slow node', () => {
  it.each([
    [1, 1],
    [1, 2],
    [1, 6],
    [3, 1],
    [3, 4],
    [3, 24],
  ])('%i pages, %i running units: what is older than six seconds says its age', (pages, running) => {
    const loadedAt = Array.from({ length: pages }, (_, page) => 37 * page)
    const wrong = simulate(loadedAt, running, 15)
      .flat()
      .filter(({ age = 0, said }) => age > (said ?? 6000))
    expect(wrong).toEqual([])
  })

  it.each([2, 4])(
    'three pages, %i running units: half of what is shown is less than five seconds old, and all less than twelve',
    running => {
      const ages = simulate([0, 1000, 2100], running, 30)
        .flat()
        .flatMap(({ age }) => (age === undefined ? [] : [age]))
        .sort((a, b) => a - b)
      expect(ages[Math.floor(ages.length / 2)]).toBeLessThan(5000)
      expect(ages.at(-1)).toBeLessThan(12_000)
    },
  )

  it('a page that is loaded delays the others by less than three seconds', () => {
    const oldest = (seconds: ReturnType<typeof simulate>) =>
      Math.max(...seconds.flatMap(pages => pages.slice(0, 3).map(({ age }) => age ?? 0)))
    const seconds = simulate([0, 1000, 2100, 90_000], 4, 2)
    expect(oldest(seconds.slice(90)) - oldest(seconds.slice(30, 90))).toBeLessThan(3000)
  })
})
