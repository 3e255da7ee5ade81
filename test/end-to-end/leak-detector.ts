import { chooseFromHeader } from './machines-view.ts'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { readBrowserStorage } from './browser-storage.ts'

/** A text that others could read, and where it was found. */
type Sighting = { readonly where: string; readonly text: string }

function originAnd(url: string): string {
  return new URL(url).pathname.replace(/^\/(verify|reset|account\/teams)\/[^/]+$/, '/$1/…')
}

/**
 * Collects what a page sends: addresses, referrers and bodies of its requests, messages of its sockets, and its console.
 * Responses are left out: what a server sends is not a secret from the page.
 */
export function watch(page: Page) {
  const sightings: Sighting[] = []
  const see = (where: string, text: string | null | undefined): void => {
    if (typeof text === 'string' && text !== '') sightings.push({ where, text })
  }
  page.on('console', message => see('console', message.text()))
  page.on('pageerror', error => see('console', String(error)))
  page.on('request', request => {
    const call = `${request.method()} ${originAnd(request.url())}`
    see(`${call}, address`, request.url())
    see(`${call}, referrer`, request.headers()['referer'])
    see(`${call}, body`, request.postData())
  })
  page.on('websocket', socket => {
    const path = new URL(socket.url()).pathname
    see(`${path}, address`, socket.url())
    socket.on('framesent', ({ payload }) => see(`${path}, message`, String(payload)))
  })
  return {
    /** Saves a recording of this page as a person does, with all names in it. */
    record: async (): Promise<void> => {
      await chooseFromHeader(page, 'Recordings', 'Save a recording…')
      const dialog = page.getByRole('dialog', { name: 'Save a recording' })
      await dialog.getByRole('checkbox', { name: 'Replace names and addresses' }).click({ force: true })
      const saving = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Save' }).click()
      see('recording', gunzipSync(await readFile(await (await saving).path())).toString())
    },
    sightings: (): readonly Sighting[] => sightings,
    /** Writes down what the browser keeps now, and what stands on the screen, typed or not. */
    look: async (): Promise<void> => {
      const { text } = await readBrowserStorage(page)
      see('browser', text)
      see(
        'screen',
        await page.evaluate(
          () =>
            document.documentElement.outerHTML +
            [...document.querySelectorAll('input')].map(({ value }) => value).join('\n'),
        ),
      )
    },
  }
}

/** Bytes as they may be written: plain, in hexadecimal, as a list of numbers, in base64 of either kind at any place. */
function writtenBytes(bytes: Buffer): readonly string[] {
  const inner = [0, 1, 2].map(skip => bytes.subarray(skip, skip + Math.floor((bytes.length - skip) / 3) * 3))
  const hex = bytes.toString('hex')
  return [
    bytes.toString('latin1'),
    hex,
    hex.toUpperCase(),
    [...bytes].join(','),
    [...bytes].join(', '),
    ...inner.flatMap(part => [part.toString('base64'), part.toString('base64url')]),
  ]
}

function written(text: string): readonly string[] {
  const inAddress = [
    encodeURIComponent(text),
    encodeURIComponent(encodeURIComponent(text)),
    new URLSearchParams({ text }).toString().slice('text='.length),
  ]
  return [
    text,
    ...inAddress,
    ...inAddress.map(escaped => escaped.replaceAll(/%(?:25)?[\dA-F]{2}/g, escape => escape.toLowerCase())),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&#39;'),
    ...writtenBytes(Buffer.from(text)),
  ]
}

/** Every form in which a secret may be written. Long ones are looked for by a part from their middle. */
export function formsOf(secret: string | Uint8Array): readonly string[] {
  // Of a short one a few letters of its base64 are left, which say nothing.
  if (typeof secret === 'string') return written(secret).filter(form => form.length >= Math.min(4, secret.length))
  const bytes = Buffer.from(secret)
  const middle = bytes.length > 64 ? bytes.subarray(bytes.length / 2, bytes.length / 2 + 30) : bytes
  return writtenBytes(middle)
}

/** Where a secret was seen, each place once. */
export function placesOf(sightings: readonly Sighting[], secret: string | Uint8Array): readonly string[] {
  const forms = formsOf(secret)
  return [
    ...new Set(sightings.filter(({ text }) => forms.some(form => text.includes(form))).map(({ where }) => where)),
  ].sort()
}
