/*
 * Tags, saved views, settings of power and notes of processors that a server keeps for all pages that it serves. The schemas are both the server's description of
 * its API and what a page checks answers against.
 */
import * as v from 'valibot'
import {
  processorNotes,
  processorsChange,
  type ProcessorNotes,
  type ProcessorsChange,
} from '../client/processor-notes.ts'
import { parsePower, powerProfile, tariffs, type PowerChange, type PowerSettings } from '../power/power.ts'
import {
  LONGEST_PARAM,
  parseViews,
  VIEW_PARAMS,
  writtenViews,
  type SavedViews,
  type ViewChange,
} from './saved-views.ts'
import { MAX_TAGGED_CLIENTS, parseTags, type TagChange, type Tags } from './tags.ts'

export type SharedChange = TagChange | ViewChange | PowerChange | ProcessorsChange

export type Shared = {
  /** Another one after each change. */
  readonly revision: string
  readonly tags: Tags
  readonly views: SavedViews
  readonly power: PowerSettings
  readonly processors: ProcessorNotes
}

const name = v.pipe(v.string(), v.maxLength(1000))
const clients = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(200))),
  v.maxLength(MAX_TAGGED_CLIENTS),
  v.description('By their own ids, `id` of /api/server/machines'),
)
const param = v.optional(v.pipe(v.string(), v.maxLength(LONGEST_PARAM)))
const params = v.pipe(
  v.object(Object.fromEntries(VIEW_PARAMS.map(each => [each, param]))),
  v.description('Of the address of the screen of machines'),
)
const tags = v.pipe(
  v.record(v.string(), v.array(v.pipe(v.string(), v.maxLength(1000)))),
  v.description('Tags of each machine that has any, by its id'),
)
const views = v.object({
  views: v.pipe(v.array(v.object({ name, params })), v.maxLength(300)),
  default: v.pipe(v.optional(name), v.description('The view that is shown first')),
})
const power = v.object({
  machines: v.pipe(v.record(v.string(), powerProfile), v.description('Watts of machines, by their ids')),
  tariffs: v.optional(tariffs),
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
  v.object({ type: v.literal('power.profile'), machine: v.pipe(v.string(), v.maxLength(200)), profile: powerProfile }),
  v.object({ type: v.literal('power.tariffs'), tariffs }),
  v.pipe(v.object({ type: v.literal('power.import'), power }), v.description('What the server has stays')),
  ...processorsChange.options,
])

export const sharedAnswer = v.object({
  revision: v.string(),
  tags,
  views,
  power,
  processors: v.pipe(
    processorNotes,
    v.description(
      'GPUs and CPUs of groups that were paused or finish by themselves, of each machine that has any, by its id',
    ),
  ),
})

export type SharedAnswer = v.InferOutput<typeof sharedAnswer>
export type SharedChangeBody = v.InferOutput<typeof sharedChangeBody>

/** Undefined when its list is none. */
export function changeOf(body: SharedChangeBody): SharedChange | undefined {
  if (body.type === 'tags.import') {
    const read = parseTags(body.tags)
    return read === undefined ? undefined : { ...body, tags: read }
  }
  if (body.type === 'power.import') {
    const read = parsePower(body.power)
    return read === undefined ? undefined : { ...body, power: read }
  }
  if (body.type !== 'views.import') return body
  const read = parseViews(body.views)
  return read === undefined ? undefined : { ...body, views: read }
}

export function bodyOf(change: SharedChange): object {
  return change.type === 'views.import' ? { ...change, views: writtenViews(change.views) } : change
}

export function sharedOf({
  revision,
  tags: listed,
  views: saved,
  power: set,
  processors,
}: SharedAnswer): Shared | undefined {
  const [ownTags, ownViews, ownPower] = [parseTags(listed), parseViews(saved), parsePower(set)]
  return ownTags === undefined || ownViews === undefined || ownPower === undefined
    ? undefined
    : { revision, tags: ownTags, views: ownViews, power: ownPower, processors }
}

export function sharedAnswerOf({ revision, tags: listed, views: saved, power: set, processors }: Shared): SharedAnswer {
  return {
    revision,
    tags: Object.fromEntries(Object.entries(listed).map(([client, list]) => [client, [...list]])),
    views: {
      ...writtenViews(saved),
      views: saved.views.map(view => ({ name: view.name, params: { ...view.params } })),
    },
    power: set,
    processors,
  }
}
