/*
 * Tags and saved views that a server keeps for all pages that it serves. The schemas are both the server's description of
 * its API and what a page checks answers against.
 */
import * as v from 'valibot'
import { parseViews, writtenViews, type SavedViews, type ViewChange } from './saved-views.ts'
import { MAX_TAGGED_CLIENTS, parseTags, type TagChange, type Tags } from './tags.ts'

export type SharedChange = TagChange | ViewChange

export type Shared = {
  /** Another one after each change. */
  readonly revision: string
  readonly tags: Tags
  readonly views: SavedViews
}

const name = v.pipe(v.string(), v.maxLength(1000))
const param = v.pipe(v.string(), v.maxLength(2000))
const clients = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(200))),
  v.maxLength(MAX_TAGGED_CLIENTS),
  v.description('By their own ids, `id` of /api/server/machines'),
)
const params = v.pipe(v.record(v.string(), param), v.description('Of the address of the screen of machines'))
const tags = v.pipe(
  v.record(v.string(), v.array(v.pipe(v.string(), v.maxLength(1000)))),
  v.description('Tags of each machine that has any, by its id'),
)
const views = v.object({
  views: v.pipe(v.array(v.object({ name, params })), v.maxLength(300)),
  default: v.pipe(v.optional(name), v.description('The view that is shown first')),
})
const mode = v.picklist(['merge', 'replace'])
const importMode = v.picklist(['merge', 'replace', 'missing'])

/** The body of a change, as `changeOf` reads it. */
export const sharedChangeBody = v.variant('type', [
  v.object({ type: v.literal('tags.add'), machines: clients, tag: name }),
  v.object({ type: v.literal('tags.remove'), machines: clients, tag: name }),
  v.object({ type: v.literal('tags.rename'), tag: name, newTag: name }),
  v.object({ type: v.literal('tags.import'), tags, mode }),
  v.object({ type: v.literal('views.save'), name, params }),
  v.object({ type: v.literal('views.rename'), name, newName: name }),
  v.object({ type: v.literal('views.move'), name, by: v.picklist([-1, 1]) }),
  v.object({ type: v.literal('views.delete'), name }),
  v.object({ type: v.literal('views.choose'), name: v.optional(name) }),
  v.object({ type: v.literal('views.import'), views, mode: importMode }),
])

export const sharedAnswer = v.object({ revision: v.string(), tags, views })

export type SharedAnswer = v.InferOutput<typeof sharedAnswer>
export type SharedChangeBody = v.InferOutput<typeof sharedChangeBody>

/** Undefined when its list is none. */
export const changeOf = (body: SharedChangeBody): SharedChange | undefined => {
  if (body.type === 'tags.import') {
    const read = parseTags(body.tags)
    return read === undefined ? undefined : { ...body, tags: read }
  }
  if (body.type !== 'views.import') return body
  const read = parseViews(body.views)
  return read === undefined ? undefined : { ...body, views: read }
}

export const bodyOf = (change: SharedChange): object =>
  change.type === 'views.import' ? { ...change, views: writtenViews(change.views) } : change

export const sharedOf = ({ revision, tags: listed, views: saved }: SharedAnswer): Shared | undefined => {
  const [ownTags, ownViews] = [parseTags(listed), parseViews(saved)]
  return ownTags === undefined || ownViews === undefined ? undefined : { revision, tags: ownTags, views: ownViews }
}

export const sharedAnswerOf = ({ revision, tags: listed, views: saved }: Shared): SharedAnswer => ({
  revision,
  tags: Object.fromEntries(Object.entries(listed).map(([client, list]) => [client, [...list]])),
  views: {
    ...writtenViews(saved),
    views: saved.views.map(view => ({ name: view.name, params: { ...view.params } })),
  },
})
