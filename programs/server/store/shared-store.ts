import type { Kysely } from 'kysely'
import { notesAfter, parseProcessorNotes, NO_NOTES } from '../../../src/folding/client/processor-notes.ts'
import type { Shared, SharedChange } from '../../../src/folding/fleet/shared.ts'
import {
  NO_VIEWS,
  parseViews,
  viewsAfter,
  writtenViews,
  type ViewChange,
} from '../../../src/folding/fleet/saved-views.ts'
import { NO_POWER, parsePower, powerAfter, type PowerChange } from '../../../src/folding/power/power.ts'
import { NO_TAGS, parseTags, tagsAfter, type TagChange, type Tags } from '../../../src/folding/fleet/tags.ts'
import { parsedJson } from '../../../src/folding/shared/read.ts'
import type { Write } from './write.ts'
import { pauseForMessages, replaceRows } from './rows.ts'
import type { SharedTable, Tables } from './schema.ts'

/** Tags, saved views, settings of power and notes of processors that all pages have in common. Every call is one transaction. */
export type SharedStore = {
  readonly load: () => Promise<Shared>
  readonly revision: () => Promise<string>
  /** Resolves with the revision, which stays the same when nothing changes. */
  readonly change: (change: SharedChange) => Promise<string>
}

export function sharedStoreOf(db: Kysely<Tables>, write: Write): SharedStore {
  /** Several parts read them after each change, and tags of thousands of machines take a tenth of a second. */
  let last: Shared | undefined
  return {
    load: async () => {
      const revision = revisionOf(await db.selectFrom('shared').select('revision').execute())
      if (last?.revision === revision) return last
      const rows = await db.selectFrom('shared').selectAll().execute()
      await pauseForMessages()
      const tags = tagsOf(rows)
      await pauseForMessages()
      last = {
        revision: revisionOf(rows),
        tags,
        views: viewsOf(rows),
        power: powerOf(rows),
        processors: processorsOf(rows),
      }
      return last
    },
    revision: async () => revisionOf(await db.selectFrom('shared').select('revision').execute()),
    change: change =>
      write(async connection => {
        const rows = await connection.selectFrom('shared').selectAll().execute()
        await pauseForMessages()
        const { name, content } = storedAfter(rows, change, last?.revision === revisionOf(rows) ? last.tags : undefined)
        await pauseForMessages()
        if (content === undefined) return revisionOf(rows)
        const revision = Number(revisionOf(rows)) + 1
        await replaceRows(connection, 'shared', ['name'], [{ name, revision, content }])
        return String(revision)
      }),
  }
}

type Rows = readonly SharedTable[]

function isTagChange(change: SharedChange): change is TagChange {
  return change.type.startsWith('tags.')
}

function isPowerChange(change: SharedChange): change is PowerChange {
  return change.type.startsWith('power.')
}

function storedAfter(
  rows: Rows,
  change: SharedChange,
  knownTags: Tags | undefined,
): { readonly name: SharedTable['name']; readonly content: string | undefined } {
  if (change.type === 'processors.note' || change.type === 'processors.import') {
    const before = processorsOf(rows)
    const after = notesAfter(before, change)
    return { name: 'processors', content: after === before ? undefined : JSON.stringify(after) }
  }
  if (isTagChange(change)) return { name: 'tags', content: tagsText(knownTags ?? tagsOf(rows), change) }
  return isPowerChange(change)
    ? { name: 'power', content: powerText(rows, change) }
    : { name: 'views', content: viewsText(rows, change) }
}

/** What is stored after a change; undefined when it changes nothing. */
function tagsText(before: Tags, change: TagChange): string | undefined {
  const after = tagsAfter(before, change)
  return after === before ? undefined : JSON.stringify(after)
}
function viewsText(rows: Rows, change: ViewChange): string | undefined {
  const before = viewsOf(rows)
  const after = viewsAfter(before, change)
  return after === before ? undefined : JSON.stringify(writtenViews(after))
}

function powerText(rows: Rows, change: PowerChange): string | undefined {
  const before = powerOf(rows)
  const after = powerAfter(before, change)
  return after === before ? undefined : JSON.stringify(after)
}

function revisionOf(rows: readonly Pick<SharedTable, 'revision'>[]): string {
  return String(Math.max(0, ...rows.map(({ revision }) => revision)))
}
function tagsOf(rows: Rows) {
  return parseTags(contentOf(rows, 'tags')) ?? NO_TAGS
}
function viewsOf(rows: Rows) {
  return parseViews(contentOf(rows, 'views')) ?? NO_VIEWS
}

function powerOf(rows: Rows) {
  return parsePower(contentOf(rows, 'power')) ?? NO_POWER
}

function processorsOf(rows: Rows) {
  return parseProcessorNotes(contentOf(rows, 'processors')) ?? NO_NOTES
}

/** JSON of this database, which a restored backup may have from anywhere. */
function contentOf(rows: Rows, name: SharedTable['name']): unknown {
  return parsedJson(rows.find(row => row.name === name)?.content ?? 'null')
}
