import { test as base, type ConsoleMessage, type Page } from '@playwright/test'
import { startNetwork, type Network, type NetworkOptions } from '../../programs/network/index.ts'
import { chooseTable } from './page-state.ts'

export { expect } from '@playwright/test'

type Stoppable = { stop(): unknown }

type PageErrors = {
  /** Errors that match the pattern are expected; every other one fails the test. */
  readonly expect: (pattern: RegExp) => void
  readonly watch: (page: Page) => Promise<void>
}

type TestFixtures = {
  /** Whether a single machine is shown as a table. */
  readonly showsTable: boolean
  /** Errors on the console of pages. */
  readonly pageErrors: PageErrors
  /** Calls `stop` after the test, also when it failed. */
  readonly stopAfterTest: <Started extends Stoppable>(started: Started) => Started
  /** Starts a network for this test, with short keys, and no client at the real client's address. */
  readonly startTestNetwork: (options?: NetworkOptions) => Promise<Network>
}

/** No program listens on this port. */
export const CLOSED_ADDRESS = { host: '127.0.0.1', port: 9 } as const

const NEWEST_CLIENT = [{ version: [8, 5, 7], mode: 'Release', package: 'fah-client' }]
const VERSIONS = 'https://download.foldingathome.org/'

/** Public calls of the API, which are answered with an error when no API is embedded. */
const PUBLIC = /^https:\/\/api\.foldingathome\.org\/(?:user|team|project|article)\b/

function isOutside({ hostname }: URL): boolean {
  return hostname !== 'localhost' && hostname !== '127.0.0.1'
}

// Chromium itself writes these for every socket and request that fails, which is what many of these tests are about.
const browserNotes =
  /^WebSocket connection to '.*' failed|^Failed to load resource: net::ERR_|Firefox can’t establish a connection|The connection to wss?:.* was interrupted/

// A client is asked at the address of its socket, and a node at /ping, whatever they answer, before a lost socket is opened again.
function isAskedHost(message: ConsoleMessage): boolean {
  return (
    / status of 4(?:00|01|04|26) /.test(message.text()) &&
    /\/api\/websocket$|^\/ping$/.test(new URL(message.location().url, 'http://none').pathname)
  )
}

// The API answers 404 for a donor without points, and the browser logs that.
function isUnknownDonor(message: ConsoleMessage): boolean {
  return (
    / status of 404 /.test(message.text()) &&
    new URL(message.location().url, 'http://none').pathname.startsWith('/user/')
  )
}

export const test = base.extend<TestFixtures>({
  showsTable: [true, { option: true }],

  pageErrors: async ({ showsTable }, use) => {
    const received: string[] = []
    const expected = [browserNotes]
    await use({
      expect: pattern => {
        expected.push(pattern)
      },
      watch: async page => {
        if (showsTable) await chooseTable(page)
        page.on('pageerror', error => received.push(`Uncaught: ${error.message}`))
        page.on('console', message => {
          if (message.type() === 'error' && !isUnknownDonor(message) && !isAskedHost(message))
            received.push(`${message.text()} ${message.location().url}`)
        })
        await page.route(isOutside, async route => {
          const url = route.request().url()
          if (url.startsWith(VERSIONS))
            return route.fulfill({ json: NEWEST_CLIENT, headers: { 'access-control-allow-origin': '*' } })
          if (PUBLIC.test(url)) {
            const headers = {
              'access-control-allow-origin': new URL(page.url()).origin,
              'access-control-allow-credentials': 'true',
            }
            return route.fulfill({ json: { error: 'Not here' }, headers })
          }
          received.push(`Request to another host: ${url}`)
          return route.abort()
        })
      },
    })
    const unexpected = received.filter(text => !expected.some(pattern => pattern.test(text)))
    if (unexpected.length > 0) throw new Error(`Errors on the page:\n${unexpected.join('\n')}`)
  },

  stopAfterTest: async ({}, use) => {
    const stoppables: Stoppable[] = []
    await use(started => {
      stoppables.unshift(started)
      return started
    })
    for (const stoppable of stoppables) await stoppable.stop()
  },

  startTestNetwork: async ({ stopAfterTest }, use) => {
    await use(async options =>
      stopAfterTest(
        await startNetwork({
          port: 0,
          data: undefined,
          seed: 7,
          keyBits: 1024,
          accountKeyBits: 1024,
          client: CLOSED_ADDRESS,
          relayPaceMs: 5,
          commandDelayMs: 20,
          reconnectMs: 100,
          retryMs: 500,
          ...options,
        }),
      ),
    )
  },

  // Depends on `stopAfterTest`, so that the page is closed before the rest stops.
  page: async ({ page, pageErrors, stopAfterTest: _ }, use) => {
    await pageErrors.watch(page)
    await use(page)
  },
})
