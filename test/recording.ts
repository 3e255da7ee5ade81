import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../shared/captures')

/** The built dashboard. */
export const DIST = join(import.meta.dirname, '../dist')

export const areRecordingsHere = existsSync(folder)

type Line = {
  /** Since the recording began. */
  readonly ms: number
  /** `in`: what the peer sent. */
  readonly dir: 'in' | 'out' | 'note'
  readonly type: string
  readonly socket?: string
  /** The message's text as it was. */
  readonly raw: string
}

export function recordingNames(): readonly string[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.jsonl'))
    .map(file => file.replace('.jsonl', ''))
}

export function readRecording(name: string): readonly Line[] {
  return readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line)
}

export function readRecordedKey(): { readonly spki: string; readonly pkcs8: string } {
  return JSON.parse(readFileSync(join(folder, 'relay-account-key.json'), 'utf8')) as { spki: string; pkcs8: string }
}
