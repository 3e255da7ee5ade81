import type { Page } from '@playwright/test'

/* A page whose clock can be set: its own and that of its worker, which has a `Date` of its own. */

type Clock = { setAhead: (milliseconds: number) => void }

/** Runs in the page and in its worker, as it is written. */
function dateThatIs(ahead: string): string {
  return `{
    const Real = Date
    let ahead = ${ahead}
    globalThis.Date = class extends Real {
      constructor(...parts) {
        super(...(parts.length === 0 ? [Real.now() + ahead] : parts))
      }
      static now() {
        return Real.now() + ahead
      }
    }
    globalThis.setAhead = milliseconds => {
      ahead = milliseconds
    }
  };`
}

const KEY = 'ahead'

/** Before the page is loaded. */
export async function giveClock(page: Page): Promise<void> {
  await page.addInitScript({ content: dateThatIs(`Number(sessionStorage.getItem('${KEY}') ?? 0)`) })
  // A worker whose file is replaced has no address, from which Chromium lets no socket to this computer.
  await page.context().grantPermissions(['local-network-access'])
  await page.route(/\/wire\.worker-[^/]*\.js$/, async route => {
    const response = await route.fetch()
    const ahead = await page.evaluate(key => sessionStorage.getItem(key) ?? '0', KEY)
    await route.fulfill({ response, body: `${dateThatIs(ahead)}${await response.text()}` })
  })
}

/** By so many milliseconds the clock is fast from now on, also when the page is loaded again. */
export async function setClock(page: Page, ahead: number): Promise<void> {
  const set = (milliseconds: number): void => {
    ;(globalThis as unknown as Clock).setAhead(milliseconds)
  }
  await page.evaluate(([key, value]) => sessionStorage.setItem(key, value), [KEY, String(ahead)] as const)
  await page.evaluate(set, ahead)
  for (const worker of page.workers()) if (worker.url().includes('/wire.worker-')) await worker.evaluate(set, ahead)
}
