// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import type { Topology } from '../../../protocol/client/visualization.ts'
import { createStillPictures, type StillAnswer, type StillRequest, type Wanted } from './still-pictures.ts'

function topologyOf(name: string): Topology {
  return {
    names: [name],
    elements: Uint8Array.of(6),
    charges: new Float32Array(1),
    radii: new Float32Array(1),
    masses: new Float32Array(1),
    bonds: new Uint32Array(0),
  }
}
const [protein, drug] = [topologyOf('CA'), topologyOf('C1')]

function wanted(name: string | undefined, topology = protein, theme: Wanted['theme'] = 'light'): Wanted {
  return { name, topology, positions: new Float32Array(3), size: [2, 1], theme }
}

class FakeWorker extends EventTarget {
  readonly requests: StillRequest[] = []
  postMessage(request: StillRequest): void {
    this.requests.push(request)
  }
  terminate(): void {}
  say(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

function startPictures() {
  const workers: FakeWorker[] = []
  const pictures = createStillPictures(() => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker
  })
  const shown: string[] = []
  const last = (): FakeWorker => workers.at(-1) ?? new FakeWorker()
  return {
    workers,
    shown,
    draw: (picture: Wanted) => pictures.draw(picture, ([first = NaN]) => void shown.push(`${picture.name} ${first}`)),
    isReady: () => last().say({ type: 'worker.ready', lock: undefined }),
    crash: () => last().dispatchEvent(new Event('error')),
    answer: (value: number) => last().say({ pixels: new Uint8ClampedArray(8).fill(value) } satisfies StillAnswer),
    fail: (failure: string) => last().say({ failure } satisfies StillAnswer),
    requests: () => last().requests.map(({ topology, theme }) => `${topology?.names[0] ?? 'same'} ${theme}`),
  }
}

describe('still pictures', () => {
  it('are drawn one after the other in one worker, each molecule sent once', () => {
    const { draw, isReady, answer, requests, shown, workers } = startPictures()
    draw(wanted('a'))
    draw(wanted('b'))
    draw(wanted('c', drug))
    expect(requests()).toEqual([])
    isReady()
    expect(requests()).toEqual(['CA light'])
    answer(1)
    answer(2)
    answer(3)
    expect(shown).toEqual(['a 1', 'b 2', 'c 3'])
    expect(requests()).toEqual(['CA light', 'same light', 'C1 light'])
    expect(workers.length).toBe(1)
  })

  it('are not drawn again for the same name, size and theme, unless twelve others were shown since', () => {
    const { draw, isReady, answer, requests, shown } = startPictures()
    draw(wanted('a'))
    isReady()
    answer(1)
    draw(wanted('a', drug))
    expect({ shown, requests: requests().length }).toEqual({ shown: ['a 1', 'a 1'], requests: 1 })
    draw(wanted('a', protein, 'dark'))
    answer(2)
    for (let at = 0; at < 11; at++) {
      draw(wanted(`other ${at}`))
      answer(3)
    }
    expect(requests().length).toBe(13)
    draw(wanted('a'))
    expect(requests().length).toBe(14)
  })

  it('are not drawn again for another frame that arrives while the first is drawn', () => {
    const { draw, isReady, answer, requests, shown } = startPictures()
    const giveUp = draw(wanted('a'))
    isReady()
    giveUp()
    draw(wanted('a'))
    answer(1)
    expect({ shown, requests: requests().length }).toEqual({ shown: ['a 1'], requests: 1 })
  })

  it('without a name are always drawn', () => {
    const { draw, isReady, answer, requests } = startPictures()
    draw(wanted(undefined))
    isReady()
    answer(1)
    draw(wanted(undefined))
    expect(requests().length).toBe(2)
  })

  it('that were given up are neither drawn nor shown', () => {
    const { draw, isReady, answer, requests, shown } = startPictures()
    const [giveUp, giveUpNext] = [draw(wanted('a')), draw(wanted('b'))]
    isReady()
    giveUp()
    giveUpNext()
    draw(wanted('c'))
    answer(1)
    answer(2)
    expect({ shown, requests: requests().length }).toEqual({ shown: ['c 2'], requests: 2 })
  })

  it('are drawn by the next worker after a crash, and after one that could not be drawn', () => {
    vi.useFakeTimers()
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const { draw, isReady, crash, fail, answer, requests, shown, workers } = startPictures()
    draw(wanted('a'))
    draw(wanted('b'))
    isReady()
    crash()
    vi.advanceTimersByTime(1000)
    isReady()
    expect({ workers: workers.length, requests: requests() }).toEqual({ workers: 2, requests: ['CA light'] })
    fail('RangeError: too large')
    expect(reported).toHaveBeenCalledOnce()
    answer(2)
    expect(shown).toEqual(['b 2'])
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})
