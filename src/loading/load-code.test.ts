// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadError, loadErrorText, type LoadFault } from '../folding/shared/load-fault.ts'
import { createCodeLoader, findLoadFault } from './load-code.ts'

const chunk = 'https://board.example/assets/menu-1.js'
function refused(): TypeError {
  return new TypeError(`Failed to fetch dynamically imported module: ${chunk}`)
}

/** Each import ends with the next of these: a module, or an error. */
function startLoader(outcomes: readonly unknown[], fault: LoadFault = 'serverAway') {
  const seen: string[] = []
  const left = [...outcomes]
  const next = (what: string): Promise<unknown> => {
    seen.push(what)
    const outcome = left.shift()
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)
  }
  const load = createCodeLoader({
    importUrl: url => next(url.replace(/\d+$/, 'n')),
    removeStyleSheet: url => seen.push(`remove ${url}`),
    findFault: () => Promise.resolve(fault),
  })
  return {
    seen,
    load: async (): Promise<unknown> => {
      const outcome = load(() => next('import')).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(60_000)
      return outcome
    },
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('loading code', () => {
  it('returns the module, requested once', async () => {
    const { load, seen } = startLoader(['module'])
    expect({ load: await load(), seen }).toEqual({ load: 'module', seen: ['import'] })
  })

  it('is retried after a delay', async () => {
    const { load, seen } = startLoader([refused(), refused(), 'module'])
    expect({ load: await load(), seen }).toEqual({ load: 'module', seen: ['import', 'import', 'import'] })
  })

  it('tries another address last, since a browser may cache a failed one', async () => {
    const { load, seen } = startLoader([refused(), refused(), refused(), 'module'])
    expect(await load()).toBe('module')
    expect(seen).toEqual(['import', 'import', 'import', `${chunk}?again=n`])
  })

  it.each<LoadFault>(['serverAway', 'newVersion', 'damaged'])('says why it failed: %s', async fault => {
    const { load } = startLoader([refused(), refused(), refused(), refused()], fault)
    const failure = await load()
    expect(failure).toBeInstanceOf(LoadError)
    expect(failure).toMatchObject({ fault })
    expect(loadErrorText(failure)).toMatch(/\.$/)
  })

  it('caches no failure', async () => {
    const { load } = startLoader([refused(), refused(), refused(), refused(), 'module'])
    expect(await load()).toBeInstanceOf(LoadError)
    expect(await load()).toBe('module')
  })

  it('treats a syntax error as a failed load', async () => {
    const html = new SyntaxError("Unexpected token '<'")
    const { load } = startLoader([html, html, html], 'newVersion')
    expect(await load()).toMatchObject({ fault: 'newVersion' })
  })

  it('loads a failed style sheet again, although its link is in the page', async () => {
    const sheet = 'https://board.example/assets/menu-1.css'
    const { load, seen } = startLoader([new Error(`Unable to preload CSS for ${sheet}`), 'module'])
    expect({ load: await load(), seen }).toEqual({ load: 'module', seen: ['import', `remove ${sheet}`, 'import'] })
  })

  it('fails when the server never answers', async () => {
    const { load } = startLoader([new Promise(() => undefined)])
    expect(await load()).toMatchObject({ fault: 'serverAway' })
  })

  it('rejects at once with errors of the code itself', async () => {
    const mistake = new ReferenceError('menu is not defined')
    const { load, seen } = startLoader([mistake])
    expect({ load: await load(), seen }).toEqual({ load: mistake, seen: ['import'] })
  })
})

function pageWith(script: string): string {
  return `<!doctype html><title>Foldboard</title><script type="module" crossorigin src="/assets/${script}"></script><div id="root"></div>`
}

function answering(answer: () => Response | Promise<Response>) {
  return {
    fetch: () => Promise.resolve(answer()),
    document: new DOMParser().parseFromString(pageWith('index-1.js'), 'text/html'),
    address: '/',
  }
}

describe('why code could not be loaded', () => {
  it.each<[string, LoadFault, () => Response | Promise<Response>]>([
    ['the server does not answer', 'serverAway', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server has trouble', 'serverAway', () => new Response(pageWith('index-2.js'), { status: 502 })],
    ['another page answers', 'serverAway', () => new Response('<h1>Welcome to the hotel</h1><script src="x.js">')],
    ['the page names another script', 'newVersion', () => new Response(pageWith('index-2.js'))],
    ['the page names the script that runs', 'damaged', () => new Response(pageWith('index-1.js'))],
  ])('when %s: %s', async (_, fault, answer) => {
    expect(await findLoadFault(answering(answer))).toBe(fault)
  })
})
