import { LoadError, type LoadFault } from '../folding/shared/load-fault.ts'
import { withTimeout } from './with-timeout.ts'

export type LoaderDeps = {
  /** Imports a module by its full address. */
  readonly importUrl: (url: string) => Promise<unknown>
  /** Removes the link of a style sheet that could not be loaded. */
  readonly removeStyleSheet: (url: string) => void
  readonly findFault: () => Promise<LoadFault>
}

/** Milliseconds between the attempts. */
const PAUSES = [300, 1000] as const
/** Milliseconds after which an attempt counts as failed. A slow line may need most of them for a large part. */
const LONGEST_ATTEMPT = 30_000

/** Browsers may cache the failure of an address (before whatwg/html#10327), so that only another address is fetched again. */
function addressIn(error: unknown): string | undefined {
  return /dynamically imported module: (\S+)$/.exec(String(error))?.[1]
}

function styleSheetIn(error: unknown): string | undefined {
  return /Unable to preload CSS for (\S+)$/.exec(String(error))?.[1]
}

/**
 * Whether the code did not arrive, as opposed to throwing when it ran. A syntax error in a built file means that the
 * server sent something else, such as index.html.
 */
function isLoadFailure(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    /dynamically imported module|importing a module script|preload CSS/i.test(String(error))
  )
}

/**
 * Loads code with retries: `loadCode(() => import('../../test/coverage/chart.ts'))`. Failures are not cached. Rejects with a `LoadError`
 * that has the reason, or with the error that the code itself threw. The caller writes `import()`, since the bundler
 * must see it.
 */
export function createCodeLoader({ importUrl, removeStyleSheet, findFault }: LoaderDeps) {
  return async <Module>(load: () => Promise<Module>): Promise<Module> => {
    let failure: unknown
    for (const pause of [0, ...PAUSES]) {
      if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause))
      try {
        return await attempt(load)
      } catch (error) {
        if (error instanceof LoadError || !isLoadFailure(error)) throw error
        failure = error
        const sheet = styleSheetIn(error)
        // Vite takes a style sheet for loaded when its link is in the page.
        if (sheet !== undefined) removeStyleSheet(sheet)
      }
    }
    const address = addressIn(failure)
    if (address !== undefined)
      try {
        return await attempt(() => importUrl(`${address.replace(/\?.*$/, '')}?again=${++queries}`) as Promise<Module>)
      } catch (error) {
        if (error instanceof LoadError || !isLoadFailure(error)) throw error
      }
    throw new LoadError(await findFault(), failure)
  }
}

function attempt<Module>(load: () => Promise<Module>): Promise<Module> {
  return withTimeout(load(), LONGEST_ATTEMPT, () => new LoadError('serverAway'))
}

let queries = 0

const VERSION_TIMEOUT = 5000

export type VersionDeps = {
  readonly fetch: typeof globalThis.fetch
  /** The document of the running page. */
  readonly document: Document
  /** Address of the page's document on its server. */
  readonly address: string
}

function entryScripts(document: Document): readonly string[] {
  return Array.from(document.querySelectorAll('script[type="module"][src]'), script => script.getAttribute('src') ?? '')
}

/** Fetches the page's document: a new version names other scripts than the running one. */
export async function findLoadFault({ fetch, document, address }: VersionDeps): Promise<LoadFault> {
  try {
    const answer = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(VERSION_TIMEOUT) })
    if (!answer.ok) return 'serverAway'
    const served = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const scripts = entryScripts(served)
    // Another page than ours, such as the login page of a network.
    if (scripts.length === 0 || served.getElementById('root') === null) return 'serverAway'
    const running = entryScripts(document)
    return scripts.every(script => running.includes(script)) ? 'damaged' : 'newVersion'
  } catch {
    return 'serverAway'
  }
}

/** The reason why code of this page could not be loaded. */
export function findPageFault(): Promise<LoadFault> {
  return findLoadFault({ fetch: globalThis.fetch, document, address: import.meta.env.BASE_URL })
}

export const loadCode = createCodeLoader({
  importUrl: url => import(/* @vite-ignore */ url),
  removeStyleSheet: url => {
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
      if (link.href === url) link.remove()
  },
  findFault: findPageFault,
})
