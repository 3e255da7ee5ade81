// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useLocation, useNavigate } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Link } from '../parts/actions/link.tsx'
import { createNavigation, type ScreenRoute } from './navigation.ts'
import { NavigationProvider, Screen, useParams } from './navigation-context.tsx'

const resizeCallbacks = new Set<() => void>()

/** Reports only when `grow` says so. */
class FakeResizeObserver {
  readonly #callback: () => void
  constructor(callback: () => void) {
    this.#callback = callback
  }
  observe = () => void resizeCallbacks.add(this.#callback)
  disconnect = () => void resizeCallbacks.delete(this.#callback)
}

let pageHeight = Infinity
const grow = (height: number): void => {
  pageHeight = height
  for (const callback of resizeCallbacks) callback()
}
const scrollTo = (position: number): void => void Object.assign(window, { scrollY: Math.min(position, pageHeight) })

let opened: { readonly close: () => void } | undefined

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', FakeResizeObserver)
  vi.spyOn(window, 'scrollTo').mockImplementation((_: unknown, position = 0) => scrollTo(position))
  pageHeight = Infinity
  scrollTo(0)
  sessionStorage.clear()
})
afterEach(() => {
  opened?.close()
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const Title = () => {
  const { pathname, search } = useLocation()
  return <h1>{pathname + search}</h1>
}

const Params = () => {
  const { place, name } = useParams()
  return <h1>{`${name} in ${place}`}</h1>
}

const Frame = () => {
  const navigate = useNavigate()
  return (
    <>
      <Link to="/slow">Slow</Link>
      <button onClick={() => void navigate('?q=1', { replace: true, preventScrollReset: true, flushSync: true })}>
        Filter
      </button>
      <Screen />
    </>
  )
}

/** A new page whose first address is `/start`; the entries of earlier tests lie before it. */
const open = ({ from = '/start', state }: { readonly from?: string; readonly state?: unknown } = {}) => {
  history.pushState(state, '', from)
  const started: string[] = []
  const preload = vi.fn()
  const routes: ScreenRoute[] = [
    { path: '/old', Component: null, handle: { redirect: (search: string) => `/new${search}` } },
    { path: '/slow', Component: Title, handle: { preload } },
    {
      path: '/broken',
      Component: () => {
        throw new Error('It broke.')
      },
    },
    { path: '/:place/of/:name', Component: Params },
    { path: '*', Component: Title },
  ]
  const navigation = createNavigation({ window, routes, onStart: path => started.push(path) })
  const { unmount } = render(
    <NavigationProvider navigation={navigation} renderError={error => <p>{String(error)}</p>}>
      <Frame />
    </NavigationProvider>,
  )
  opened = { close: unmount }
  const go = (...parameters: Parameters<typeof navigation.navigator.push>): void =>
    act(() => navigation.navigator.push(...parameters))
  const replace = (to: string): void => act(() => navigation.navigator.replace(to))
  return { ...navigation, started, preload, go, replace }
}

const title = (): string | null => screen.getByRole('heading').textContent
const address = (): string => location.pathname + location.search
const index = (): number => (history.state as { readonly idx: number }).idx

/** Until the browser has finished as many steps as it was asked for. */
const traverse = (step: number, events = 1): Promise<void> =>
  act(
    () =>
      new Promise<void>(resolve => {
        let left = events
        const onPop = (): void => {
          left -= 1
          if (left > 0) return
          window.removeEventListener('popstate', onPop)
          resolve()
        }
        window.addEventListener('popstate', onPop)
        history.go(step)
      }),
  )

describe('a navigation', () => {
  it('makes an entry, or takes the place of one', async () => {
    const { go, replace } = open()
    go('/first')
    expect([title(), address(), index()]).toEqual(['/first', '/first', 1])
    replace('/second?a=1')
    expect([title(), address(), index()]).toEqual(['/second?a=1', '/second?a=1', 1])
    await traverse(-1)
    expect([title(), address(), index()]).toEqual(['/start', '/start', 0])
  })

  it('follows redirects, also from the first address, which it leaves no entry for', async () => {
    const { go } = open({ from: '/old?b=2' })
    expect([title(), address(), index()]).toEqual(['/new?b=2', '/new?b=2', 0])
    go('/other')
    go('/old')
    expect([title(), address(), index()]).toEqual(['/new', '/new', 2])
    await traverse(-1)
    expect(title()).toBe('/other')
  })

  it('shows the next screen and its address at once, and has its code loaded', () => {
    const { started, preload } = open()
    fireEvent.click(screen.getByRole('link', { name: 'Slow' }))
    expect([title(), address(), started]).toEqual(['/slow', '/slow', ['/slow']])
    expect(preload).toHaveBeenCalledTimes(1)
  })

  it('gives a screen the decoded parts of its path', () => {
    const { go } = open()
    go('/far%20away/of/a%2Fb')
    expect(title()).toBe('a/b in far away')
  })

  it('leaves modified clicks to the browser', () => {
    const { started } = open()
    const isLeftToBrowser = fireEvent.click(screen.getByRole('link', { name: 'Slow' }), { ctrlKey: true })
    expect([isLeftToBrowser, started]).toEqual([true, []])
  })

  it('renders at once when asked to, and keeps the rest of the address', () => {
    open({ from: '/list' })
    // Outside of act, which would wait for the rendering.
    screen.getByRole('button', { name: 'Filter' }).click()
    expect(title()).toBe('/list?q=1')
  })

  it('gives entries that the browser or another script made their place', () => {
    open()
    history.pushState(undefined, '', '/elsewhere')
    act(() => void dispatchEvent(new PopStateEvent('popstate')))
    expect([title(), index()]).toEqual(['/elsewhere', 1])
  })

  it('leads away from what cannot be shown', () => {
    const { go } = open()
    vi.spyOn(console, 'error').mockReturnValue()
    go('/broken')
    expect(screen.getByText('Error: It broke.')).toBeTruthy()
    go('/next')
    expect(title()).toBe('/next')
  })
})

describe('the scroll position', () => {
  it('starts at the top, and is brought back on the way back', async () => {
    const { go } = open()
    scrollTo(700)
    go('/next')
    expect(scrollY).toBe(0)
    scrollTo(300)
    await traverse(-1)
    expect(scrollY).toBe(700)
    await traverse(1)
    expect(scrollY).toBe(300)
  })

  it('stays where a navigation asks for that', () => {
    open()
    scrollTo(500)
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }))
    expect(scrollY).toBe(500)
  })

  it('is brought back when the content comes late, unless the person scrolls', async () => {
    const { go } = open()
    for (const scrolls of [false, true]) {
      scrollTo(700)
      go('/next')
      pageHeight = 100
      await traverse(-1)
      expect(scrollY).toBe(100)
      if (scrolls) fireEvent.wheel(window)
      grow(900)
      expect(scrollY).toBe(scrolls ? 100 : 700)
      expect(resizeCallbacks.size).toBe(0)
    }
  })

  it('is still brought back when the address is replaced in its place, and no position is stored for what it was', async () => {
    const { go } = open()
    scrollTo(700)
    go('/next')
    pageHeight = 100
    await traverse(-1)
    fireEvent.click(screen.getByRole('button', { name: 'Filter' }))
    grow(900)
    expect(scrollY).toBe(700)
    dispatchEvent(new Event('pagehide'))
    expect(JSON.parse(sessionStorage.getItem('foldboard.scroll') ?? '')).toEqual([
      [expect.any(String), 0],
      [(history.state as { key: string }).key, 700],
    ])
  })

  it('is brought back after a reload', () => {
    open({ state: { idx: 4, key: 'kept' } })
    scrollTo(400)
    dispatchEvent(new Event('pagehide'))
    opened?.close()
    scrollTo(0)
    open({ state: { idx: 4, key: 'kept' } })
    expect(scrollY).toBe(400)
  })

  it('is the top where what was stored is damaged, or the entry is of another program', () => {
    const damaged = ['null', '{', '"text"', '{"kept":400}', '[["kept","400"],["kept"],null,7]']
    const tops = damaged.map(stored => {
      sessionStorage.setItem('foldboard.scroll', stored)
      scrollTo(70)
      open({ state: { idx: 4, key: 'kept' } })
      opened?.close()
      cleanup()
      return scrollY
    })
    expect(tops).toEqual(damaged.map(() => 0))
    open({ state: { idx: 'one', key: '__proto__' } })
    expect(screen.getByRole('heading').textContent).toBe('/start')
  })

  it('is at the place that a link names', async () => {
    open()
    const place = document.body.appendChild(document.createElement('p'))
    place.id = 'place'
    const scrollIntoView = vi.fn()
    Object.assign(place, { scrollIntoView })
    await act(async () => {
      location.hash = '#place'
      await new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }))
    })
    expect(scrollIntoView).toHaveBeenCalled()
    place.remove()
  })
})

describe('a guard', () => {
  const openGuarded = () => {
    const page = open({ from: '/zero' })
    page.go('/one')
    page.go('/two')
    page.go('/edit')
    const ask = vi.fn()
    const remove = page.setGuard({ isBlocking: path => path !== '/edit', ask })
    return {
      ...page,
      ask,
      remove,
      expectHere: () => expect([title(), address(), index()]).toEqual(['/edit', '/edit', 3]),
    }
  }
  type Page = ReturnType<typeof openGuarded>

  const pushes = (page: Page): void => page.go('/away')
  const replaces = (page: Page): void => page.replace('/away')
  // The way back, and the way forward again.
  const goesBack = (step: number) => () => traverse(-step, 2)

  it.each([
    ['a link', pushes, '/away', 4, 0],
    ['a replacement', replaces, '/away', 3, 0],
    ['Back', goesBack(1), '/two', 2, 1],
    ['Back by several steps', goesBack(3), '/zero', 0, 1],
  ] as const)('asks on %s, stays, and goes on to where it led', async (_, leave, target, place, events) => {
    const page = openGuarded()
    await leave(page)
    expect(page.ask).toHaveBeenCalledTimes(1)
    page.expectHere()
    page.answer(false)
    page.expectHere()
    await leave(page)
    expect(page.ask).toHaveBeenCalledTimes(2)
    if (events > 0) {
      const arrived = new Promise(resolve => window.addEventListener('popstate', resolve, { once: true }))
      await act(async () => {
        page.answer(true)
        await arrived
      })
    } else act(() => page.answer(true))
    expect([title(), address(), index()]).toEqual([target, target, place])
  })

  it('asks on Forward too', async () => {
    const page = openGuarded()
    page.remove()
    page.go('/after')
    await traverse(-1)
    page.setGuard({ isBlocking: path => path !== '/edit', ask: page.ask })
    await traverse(1, 2)
    expect(page.ask).toHaveBeenCalledTimes(1)
    page.expectHere()
  })

  it('goes on to where the last navigation led, and asks once', async () => {
    const page = openGuarded()
    await traverse(-1, 2)
    page.go('/last')
    expect(page.ask).toHaveBeenCalledTimes(1)
    act(() => page.answer(true))
    expect([title(), address(), index()]).toEqual(['/last', '/last', 4])
  })

  it('returns also when the person goes further meanwhile', async () => {
    const page = openGuarded()
    history.go(-1)
    await traverse(-2, 4)
    page.expectHere()
    expect(page.ask).toHaveBeenCalledTimes(1)
  })

  it('waits with what was decided until the way back is undone', async () => {
    const page = openGuarded()
    page.ask.mockImplementation(() => page.answer(true))
    await traverse(-2, 3)
    expect([title(), address(), index()]).toEqual(['/one', '/one', 1])
  })

  it('does not ask inside, nor when it was removed', () => {
    const page = openGuarded()
    page.replace('/edit?tab=2')
    expect(title()).toBe('/edit?tab=2')
    page.remove()
    page.go('/away')
    expect([title(), page.ask.mock.calls.length]).toEqual(['/away', 0])
  })

  it('forgets what was blocked when the answer is no', () => {
    const page = openGuarded()
    page.go('/away')
    page.answer(false)
    act(() => page.answer(true))
    page.expectHere()
  })
})
