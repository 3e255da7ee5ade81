import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What running machines reached of one chart. */
export type Note = {
  readonly chart: string
  readonly states: readonly string[]
  readonly transitions: readonly string[]
}

/** Where notes are to be written; undefined when coverage is not measured. */
const folder = process.env['FOLDBOARD_COVERAGE']

/** Keeps what one process has seen for the report. */
export function writeNotes(notes: readonly Note[]): void {
  if (folder === undefined || notes.length === 0) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(notes))
}

export function readNotes(from: string): readonly Note[] {
  return existsSync(from)
    ? readdirSync(from).flatMap(name => JSON.parse(readFileSync(join(from, name), 'utf8')) as readonly Note[])
    : []
}
