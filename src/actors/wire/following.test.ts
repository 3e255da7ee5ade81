import { describe, expect, it } from 'vitest'
import {
  BUSY_TIME,
  EFFECT_TIME,
  FIRST_AGE_CHECK,
  HIDDEN_PAGE_SAMPLE,
  LATE_ANSWER,
  LOST_ANSWER,
  QUIET_TIME,
  SAMPLE_INTERVAL,
  TRY_CHANGES,
} from '../pacing.ts'
import { createManualClock } from '../../../test/network/manual-clock.ts'
import { createFollowing } from './following.ts'

function startClock() {
  const clock = createManualClock(1_000_000)
  const running = new Set<object>()
  return {
    now: () => clock.now(),
    later: (ms: number, run: () => void) => {
      const timer = {}
      running.add(timer)
      const end = clock.setTimer(() => {
        running.delete(timer)
        run()
      }, ms)
      return () => {
        running.delete(timer)
        end()
      }
    },
    timers: () => running.size,
    pass: (ms: number): void => clock.advance(ms),
  }
}

function start() {
  const clock = startClock()
  const events: string[] = []
  const following = createFollowing({
    deps: clock,
    ask: () => events.push('ask'),
    follow: isFollowed => events.push(isFollowed ? 'follow' : 'end'),
    dated: (_, asOf) => events.push(asOf === undefined ? 'current' : `${(clock.now() - asOf) / 1000} s old`),
    interval: () => SAMPLE_INTERVAL,
  })
  const take = () => events.splice(0)
  /** Messages without a pause. */
  const busy = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      following.heard(clock.now())
      clock.pass(250)
    }
  }
  const answer = () => following.answered(clock.now())
  return { ...clock, following, take, busy, answer }
}

/** Changes of this client have come late. */
function behind() {
  const session = start()
  session.busy(BUSY_TIME + 250)
  session.pass(LATE_ANSWER)
  session.take()
  return session
}

describe('a client that answers at once', () => {
  it('is never asked while its messages leave pauses', () => {
    const { following, pass, take } = start()
    for (let second = 0; second < 120; second++) {
      following.heard(second * QUIET_TIME)
      pass(QUIET_TIME)
    }
    expect(take()).toEqual(['current'])
  })

  it('is asked after a second without a pause, and then less and less often, and its changes stay followed', () => {
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
    expect(Array.from({ length: 6 }, untilAsked)).toEqual([1, 10, 20, 40, 60, 60])
    expect(following.isFollowed()).toBe(true)
  })

  it('is asked soon again after a pause', () => {
    const { busy, answer, pass, take } = start()
    busy(BUSY_TIME + 250)
    answer()
    pass(QUIET_TIME)
    take()
    busy(FIRST_AGE_CHECK - QUIET_TIME)
    expect(take()).toEqual(['ask'])
  })
})

describe('a client whose messages are late', () => {
  it('is no longer followed, and its state is as old as when nothing was waiting', () => {
    const { busy, pass, take } = start()
    busy(BUSY_TIME + 250)
    take()
    pass(LATE_ANSWER - 251)
    expect(take()).toEqual([])
    pass(1)
    expect(take()).toEqual(['end', `${(BUSY_TIME + LATE_ANSWER) / 1000} s old`])
  })

  it('is the same where the first answer is late', () => {
    const { pass, take } = start()
    pass(LATE_ANSWER)
    expect(take()).toEqual(['end', '2.5 s old', 'ask'])
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
    const { pass, take } = behind()
    pass(LOST_ANSWER - LATE_ANSWER - 251)
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
    expect([take(), following.isFollowed()]).toEqual([['follow'], true])
  })

  it('asks at once where nothing is known', () => {
    const { following, take } = start()
    following.sampleEvery(HIDDEN_PAGE_SAMPLE)
    expect(take()).toEqual(['end', 'ask'])
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
  expect([take(), following.isFollowed()]).toEqual([[], false])
})

/**
 * Pages of one account that see a client through a node that takes 300 ms for each of its messages (docs/protocol.md §11.6).
 * Returns for each second and page the age of what is shown, and the age that the page says.
 */
function simulate(pages: number, changesPerSecond: number, minutes: number) {
  const { now, later, pass } = startClock()
  const queue: { readonly deliver: () => void }[] = []
  const shown = Array.from({ length: pages }, (_, page) => {
    const known: { madeAt: number | undefined; asOf: number | undefined } = { madeAt: undefined, asOf: undefined }
    let isOpen = false
    const send = (isState: boolean, isSample: boolean) => {
      const madeAt = now()
      queue.push({
        deliver: () => {
          if (isSample ? !following.isFollowed() : following.isFollowed()) known.madeAt = madeAt
          if (isSample && isState) following.answered(now())
          else following.heard(now())
        },
      })
    }
    const follow = (isFollowed: boolean) => {
      later(isFollowed ? 300 : 900, () => {
        isOpen = isFollowed
        if (isFollowed) send(true, false)
      })
    }
    const following = createFollowing({
      deps: { now, later },
      ask: () => later(300, () => send(true, true)),
      follow,
      dated: (_, asOf) => (known.asOf = asOf),
      interval: () => SAMPLE_INTERVAL,
    })
    follow(true)
    const change = () => {
      if (isOpen) send(false, false)
      later(1000 / changesPerSecond, change)
    }
    later(37 * page, change)
    return known
  })
  const node = () => {
    queue.shift()?.deliver()
    later(300, node)
  }
  node()
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
    [1, 2],
    [1, 10],
    [3, 10],
    [3, 40],
  ])('%i pages, %i changes a second: what is older than ten seconds says its age', (pages, changesPerSecond) => {
    const wrong = simulate(pages, changesPerSecond, 15)
      .flat()
      .filter(({ age = 0, said }) => age > (said ?? 10_000))
    expect(wrong).toEqual([])
  })

  it('shows six running units on three pages less than ten seconds old, most of the time', () => {
    const ages = simulate(3, 10, 30)
      .flat()
      .flatMap(({ age }) => (age === undefined ? [] : [age]))
      .sort((a, b) => a - b)
    expect(ages[Math.floor(ages.length * 0.75)]).toBeLessThan(10_000)
  })
})
