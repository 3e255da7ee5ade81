// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A bar of which every write is counted. */
const countedBar = () => {
  const writes: string[] = []
  const counted = <Target extends object>(target: Target, name: string): Target => {
    let value: unknown = ''
    return Object.defineProperty(target, name, {
      get: () => value,
      set: (next: unknown) => {
        value = next
        writes.push(`${name} ${String(next)}`)
      },
    })
  }
  const bar = document.createElement('div')
  const fill = document.createElement('span')
  counted(fill.style, 'inlineSize')
  counted(counted(bar, 'ariaValueText'), 'ariaValueNow')
  bar.append(fill)
  return { bar, take: () => writes.splice(0) }
}

const load = async () => {
  let resize: (target: Element, width: number) => void = () => undefined
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(listener: (entries: readonly object[]) => void) {
        resize = (target, width) => listener([{ target, contentRect: { width } }])
      }
      observe = () => undefined
    },
  )
  vi.stubGlobal('devicePixelRatio', 2)
  vi.resetModules()
  const { fillBar } = await import('./progress-bar.tsx')
  return { fillBar, resize: (target: Element, width: number) => resize(target, width) }
}

it('a step is written in whole pixels of the screen, and one that changes no pixel and no text is not written', async () => {
  const { fillBar, resize } = await load()
  const { bar, take } = countedBar()
  fillBar(bar, 0.12345, '12.3%')
  expect(take()).toEqual(['inlineSize 12.345%', 'ariaValueText 12.3%', 'ariaValueNow 12.3'])
  resize(bar, 100)
  fillBar(bar, 0.12345, '12.3%')
  expect(take()).toEqual(['inlineSize 12.5%'])
  fillBar(bar, 0.1274, '12.7%')
  expect(take()).toEqual(['ariaValueText 12.7%', 'ariaValueNow 12.7'])
  fillBar(bar, 0.127, '12.7%')
  expect(take()).toEqual([])
})

it('an unknown share is an empty bar without a value', async () => {
  const { fillBar } = await load()
  const { bar, take } = countedBar()
  fillBar(bar, 0.5, '50%')
  take()
  fillBar(bar, undefined, '')
  expect(take()).toEqual(['inlineSize 0%', 'ariaValueText ', 'ariaValueNow null'])
})
