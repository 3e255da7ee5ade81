import type { Kysely } from 'kysely'
import { notesAfter, parseProcessorNotes, NO_NOTES } from '../../../src/folding/client/processor-notes.ts'
import type { Shared, SharedChange } from '../../../src/folding/fleet/shared.ts'
import { NO_VIEWS, parseViews, viewsAfter, writtenViews } from '../../../src/folding/fleet/saved-views.ts'
import { NO_POWER, parsePower, powerAfter, type PowerChange } from '../../../src/folding/power/power.ts'
import { NO_TAGS, parseTags, tagsAfter, type TagChange } from '../../../src/folding/fleet/tags.ts'
import { parsedJson } from '../../../src/folding/shared/read.ts'
import type { Write } from './write.ts'
import { pauseForMessages } from '../event-loop.ts'
import { replaceRows } from './rows.ts'
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
  const read = async (connection: Kysely<Tables>): Promise<Shared> => {
    const revision = revisionOf(await connection.selectFrom('shared').select('revision').execute())
    if (last?.revision === revision) return last
    const rows = await connection.selectFrom('shared').selectAll().execute()
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
  }
  return {
    load: () => read(db),
    revision: async () => revisionOf(await db.selectFrom('shared').select('revision').execute()),
    change: async change => {
      last = await write(async connection => {
        const before = await read(connection)
        await pauseForMessages()
        const after = sharedAfter(before, change)
        const name = NAMES.find(each => after[each] !== before[each])
        if (name === undefined) return before
        await pauseForMessages()
        const content = JSON.stringify(name === 'views' ? writtenViews(after.views) : after[name])
        const revision = Number(before.revision) + 1
        await replaceRows(connection, 'shared', ['name'], [{ name, revision, content }])
        return { ...after, revision: String(revision) }
      })
      return last.revision
    },
  }
}

type Rows = readonly SharedTable[]

const NAMES = ['tags', 'views', 'power', 'processors'] as const satisfies readonly SharedTable['name'][]

function isTagChange(change: SharedChange): change is TagChange {
  return change.type.startsWith('tags.')
}

function isPowerChange(change: SharedChange): change is PowerChange {
  return change.type.startsWith('power.')
}

/** What a change does not concern stays the same. */
function sharedAfter(before: Shared, change: SharedChange): Shared {
  if (change.type === 'processors.note' || change.type === 'processors.import')
    return { ...before, processors: notesAfter(before.processors, change) }
  if (isTagChange(change)) return { ...before, tags: tagsAfter(before.tags, change) }
  return isPowerChange(change)
    ? { ...before, power: powerAfter(before.power, change) }
    : { ...before, views: viewsAfter(before.views, change) }
}

function revisionOf(rows: readonly Pick<SharedTable, 'revision'>[]): string {
  return String(Math.max(0, ...rows.map(({ revision }) => revision)))
}

const READERS = { tags: parseTags, views: parseViews, power: parsePower, processors: parseProcessorNotes }

/** A row of another name is one of a later version. */
export function isSharedReadable({ name, content }: SharedTable): boolean {
  return !Object.hasOwn(READERS, name) || READERS[name](parsedJson(content)) !== undefined
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
