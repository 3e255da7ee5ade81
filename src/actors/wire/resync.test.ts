import { describe, expect, it } from 'vitest'
import { createResync, createStreams, isLoss } from './resync.ts'

function resyncByHand() {
  let now = 1_000_000
  const asked: number[] = []
  const timers: { readonly at: number; readonly run: () => void }[] = []
  const later = (ms: number, run: () => void) => {
    timers.push({ at: now + ms, run })
    return () => undefined
  }
  const request = createResync({ now: () => now, later }, () => asked.push(now))
  const pass = (ms: number): void => {
    now += ms
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1)
      timer.run()
    }
  }
  return {
    request,
    asked,
    pass,
    setClock: (ms: number) => {
      now += ms
    },
  }
}

describe('requesting the full state', () => {
  it('happens at once, and for several losses in a row once', () => {
    const { request, asked, pass } = resyncByHand()
    request()
    request()
    pass(0)
    expect(asked).toEqual([1_000_000])
  })

  it('happens every three seconds for repeated losses', () => {
    const { request, asked, pass } = resyncByHand()
    for (let tenths = 0; tenths < 100; tenths++) {
      request()
      pass(100)
    }
    expect(asked.map(at => at - 1_000_000)).toEqual([100, 3100, 6100, 9100])
  })

  it('does not wait longer when the clock was set back', () => {
    const { request, asked, pass, setClock } = resyncByHand()
    request()
    pass(0)
    setClock(-3_600_000)
    request()
    pass(3000)
    expect(asked).toHaveLength(2)
  })

  it('follows messages with unknown content, not unknown types or copies', () => {
    expect([{ kind: 'not-json' } as const, { kind: 'undecryptable' } as const].map(isLoss)).toEqual([true, true])
    for (const each of [{ kind: 'iv-reused' } as const, { kind: 'unknown-message', found: 'x' } as const])
      expect(isLoss(each)).toBe(false)
  })

  it('repeats the last command of each stream', () => {
    const streams = createStreams()
    for (const command of [
      { cmd: 'log', enable: true },
      { cmd: 'state', state: 'fold' },
      { cmd: 'viz', unit: 'u', frame: 0 },
      { cmd: 'log', enable: false },
    ])
      streams.remember(command)
    expect(streams.all()).toEqual([
      { cmd: 'log', enable: false },
      { cmd: 'viz', unit: 'u', frame: 0 },
    ])
  })
})
