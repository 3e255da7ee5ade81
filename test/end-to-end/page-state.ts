import { expect, type Page } from '@playwright/test'

/** The environment of a page, set before it opens: the time, stored data, settings of the server. */

/** Runs a script before everything else, in the page and in its workers. */
async function runFirst(page: Page, script: string): Promise<void> {
  await page.addInitScript(script)
  await page.addInitScript(text => {
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        const whole = `${text}\nimport ${JSON.stringify(new URL(url, location.href).href)}`
        super(URL.createObjectURL(new Blob([whole], { type: 'text/javascript' })), options)
      }
    }
  }, script)
}

/** It is this moment, and stays so. */
export function stopTime(page: Page, time: string): Promise<void> {
  return runFirst(page, `Date.now = () => ${Date.parse(time)}`)
}

/** Keys that the page makes have 1,024 bits: one of 4,096 takes seconds. */
export async function shortenKeys(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (!isSecureContext) return
    const generate = crypto.subtle.generateKey.bind(crypto.subtle) as (...all: readonly unknown[]) => Promise<CryptoKey>
    Object.defineProperty(crypto.subtle, 'generateKey', {
      value: (algorithm: object, ...others: readonly unknown[]) =>
        generate('modulusLength' in algorithm ? { ...algorithm, modulusLength: 1024 } : algorithm, ...others),
    })
  })
}

/** Stores these columns in the browser. */
export async function showColumns(page: Page, columns: readonly string[]): Promise<void> {
  await page.addInitScript(chosen => {
    const stored = JSON.parse(localStorage.getItem('foldboard.preferences') ?? '{}') as object
    localStorage.setItem('foldboard.preferences', JSON.stringify({ ...stored, columns: chosen }))
  }, columns)
}

/** What a person chose who has a single machine and wants its table: by default it is shown in full. */
export async function chooseTable(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // An empty page has no storage.
    if (origin === 'null' || localStorage.getItem('foldboard.preferences') !== null) return
    localStorage.setItem('foldboard.preferences', JSON.stringify({ fleetView: { layout: 'panels' } }))
  })
}

/** The page looks for no client on this computer: only the account's machines are there. */
export async function hideLocalClient(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // The setting stands in the page itself, which is read before any module runs.
    const hide = (): void =>
      document.querySelector('meta[name="foldboard:direct-address"]')?.setAttribute('content', '')
    new MutationObserver(hide).observe(document, { childList: true, subtree: true })
  })
}

/**
 * Lets time pass until something is seen, on a page whose clock was installed. In steps: after a leap the page takes the
 * computer for one that slept.
 */
export function passTimeUntil(page: Page, sees: () => Promise<unknown>): Promise<void> {
  return expect(async () => {
    await page.clock.fastForward(2500)
    await sees()
  }).toPass({ intervals: [50] })
}
