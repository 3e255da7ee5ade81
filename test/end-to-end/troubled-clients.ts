import { once } from 'node:events'
import { createServer as createNetServer, type AddressInfo } from 'node:net'
import type { Page, Route } from '@playwright/test'

/** What a page finds at a client's address when it cannot reach the client. */

/** A port without a listener. */
export async function closedAddress(): Promise<string> {
  const server = createNetServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `127.0.0.1:${port}`
}

/** Nothing answers there. */
export async function silenceUsualAddress(page: Page): Promise<void> {
  await page.route('http://127.0.0.1:7396/**', route => route.abort('connectionrefused'))
}

/** The dashboard as another server would deliver it, which looks for its client at `directAddress`. */
export async function serveFrom(
  page: Page,
  origin: string,
  dashboardUrl: string,
  directAddress: string,
): Promise<void> {
  const deliver = async (route: Route): Promise<void> => {
    const { pathname, search } = new URL(route.request().url())
    const answer = await route.fetch({ url: `${dashboardUrl}${pathname}${search}` })
    if (!(answer.headers()['content-type'] ?? '').startsWith('text/html')) return route.fulfill({ response: answer })
    const html = (await answer.text()).replace(
      /(<meta name="foldboard:direct-address" content=")[^"]*/,
      `$1${directAddress}`,
    )
    return route.fulfill({ response: answer, body: html })
  }
  await page.route(`${origin}/**`, deliver)
}

type Told = {
  readonly permission?: 'granted' | 'denied' | 'prompt' | 'none'
  readonly userAgent?: string
  readonly isBrave?: boolean
}

/** What the browser reports of itself and of the permission for the local network. */
export async function tellBrowser(page: Page, browserFacts: Told): Promise<void> {
  await page.addInitScript(({ permission, userAgent, isBrave }) => {
    const set = (name: string, value: unknown): void => {
      Object.defineProperty(navigator, name, { value, configurable: true })
    }
    if (userAgent !== undefined) {
      set('userAgent', userAgent)
      set('userAgentData', undefined)
    }
    if (isBrave === true) set('brave', { isBrave: () => Promise.resolve(true) })
    if (permission !== undefined)
      navigator.permissions.query = () =>
        permission === 'none'
          ? Promise.reject(new TypeError('There is no such permission.'))
          : Promise.resolve({ state: permission } as PermissionStatus)
  }, browserFacts)
}
