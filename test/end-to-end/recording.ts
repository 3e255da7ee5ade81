import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

const folder = join(import.meta.dirname, '../../../shared/captures')

/** The built dashboard. */
export const DIST = join(import.meta.dirname, '../../dist')

export const areRecordingsHere = existsSync(folder)

export type Line = {
  /** Since the recording began. */
  readonly ms: number
  /** `in`: what the peer sent. */
  readonly dir: 'in' | 'out' | 'note'
  readonly type: string
  readonly socket?: string
  /** The message's text as it was. */
  readonly raw: string
}

export const readRecording = (name: string): readonly Line[] =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line)

export const readRecordedKey = (): { readonly spki: string; readonly pkcs8: string } =>
  JSON.parse(readFileSync(join(folder, 'relay-account-key.json'), 'utf8')) as { spki: string; pkcs8: string }

/** It is this moment for the page and its worker, and stays so: what was recorded then looks as it did then. */
export const stopTime = async (page: Page, time: string): Promise<void> => {
  await page.clock.setFixedTime(time)
  await page.addInitScript(now => {
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        const script = `Date.now = () => ${now}\nimport ${JSON.stringify(new URL(url, location.href).href)}`
        super(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), options)
      }
    }
  }, Date.parse(time))
}

/** This browser was told to show these columns. */
export const showColumns = async (page: Page, columns: readonly string[]): Promise<void> => {
  await page.addInitScript(chosen => localStorage.setItem('foldboard.preferences', JSON.stringify({ columns: chosen })), columns)
}
