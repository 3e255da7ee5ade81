/*
 * Saved views of the machines screen: named sets of the parameters in its address. Also as a file.
 */
import * as v from 'valibot'
import { isSameInAnyCase } from '../shared/equal.ts'
import { parsedJson } from '../shared/read.ts'

/** The parameters that a view keeps. Others in an address are not part of a view. */
export const VIEW_PARAMS = [
  'filter',
  'sort',
  'layout',
  'rows',
  'columns',
  'density',
  'group',
  'order',
  'cell',
  'chart',
  'range',
] as const

export type ViewParams = Readonly<Partial<Record<(typeof VIEW_PARAMS)[number], string>>>

export type SavedView = { readonly name: string; readonly params: ViewParams }

export type SavedViews = {
  /** In the person's order. Names differ, also when case is ignored. */
  readonly views: readonly SavedView[]
  /** The name of the view that is shown when the screen is opened without parameters. */
  readonly chosen: string | undefined
}

/** `missing`: views of other names are added while there is room, and nothing else changes. */
export type ViewsImport = 'merge' | 'replace' | 'missing'

export type ViewChange =
  /** Adds a view, or changes the one of this name. */
  | { readonly type: 'views.save'; readonly name: string; readonly params: ViewParams }
  | { readonly type: 'views.rename'; readonly name: string; readonly newName: string }
  | { readonly type: 'views.move'; readonly name: string; readonly by: -1 | 1 }
  | { readonly type: 'views.delete'; readonly name: string }
  /** The view that is shown when the screen is opened without parameters; undefined for none. */
  | { readonly type: 'views.choose'; readonly name?: string | undefined }
  | { readonly type: 'views.import'; readonly views: SavedViews; readonly mode: ViewsImport }

export const NO_VIEWS: SavedViews = Object.freeze({ views: Object.freeze([]), chosen: undefined })

export const MAX_VIEWS = 30
export const LONGEST_VIEW_NAME = 60
/** Characters of one parameter. */
export const LONGEST_PARAM = 2000
/** Characters of a file that is imported. */
export const LONGEST_VIEWS_FILE = 500_000

/** A name without surrounding or repeated white space; undefined when nothing is left. */
export function viewNameOf(typed: string): string | undefined {
  const name = typed
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_VIEW_NAME)
    .trimEnd()
  return name === '' ? undefined : name
}

/** The parameters of an address that belong to a view. */
export function viewParamsOf(search: string): ViewParams {
  const params = new URLSearchParams(search)
  return Object.fromEntries(
    VIEW_PARAMS.flatMap(name => {
      const value = (params.get(name) ?? '').slice(0, LONGEST_PARAM)
      return value === '' ? [] : [[name, value]]
    }),
  )
}

/** The address's part from the question mark on; '' without parameters. */
export function searchOf(params: ViewParams): string {
  const search = new URLSearchParams(
    VIEW_PARAMS.flatMap(name => (params[name] === undefined ? [] : [[name, params[name]]])),
  )
  return search.size === 0 ? '' : `?${search.toString()}`
}

export function isSameParams(a: ViewParams, b: ViewParams): boolean {
  return searchOf(a) === searchOf(b)
}

/** The view with this name, in any case. */
export function viewNamed({ views }: SavedViews, name: string): SavedView | undefined {
  return views.find(view => isSameInAnyCase(view.name, name))
}

/** The view added, or the one of the same name changed; the same views when there is no room. */
export function withView(saved: SavedViews, name: string, params: ViewParams): SavedViews {
  if (viewNamed(saved, name) !== undefined)
    return { ...saved, views: saved.views.map(view => (isSameInAnyCase(view.name, name) ? { ...view, params } : view)) }
  return saved.views.length >= MAX_VIEWS ? saved : { ...saved, views: [...saved.views, { name, params }] }
}

/** The same views when there is none of this name, or another one has the new name. */
export function withViewRenamed(saved: SavedViews, from: string, to: string): SavedViews {
  const other = viewNamed(saved, to)
  if (viewNamed(saved, from) === undefined || (other !== undefined && !isSameInAnyCase(other.name, from))) return saved
  return {
    views: saved.views.map(view => (isSameInAnyCase(view.name, from) ? { ...view, name: to } : view)),
    chosen: saved.chosen !== undefined && isSameInAnyCase(saved.chosen, from) ? to : saved.chosen,
  }
}

/** The view one place earlier (-1) or later (1); the same views at the end of the list. */
export function withViewMoved(saved: SavedViews, name: string, by: -1 | 1): SavedViews {
  const from = saved.views.findIndex(view => isSameInAnyCase(view.name, name))
  const to = from + by
  const [moved, other] = [saved.views[from], saved.views[to]]
  if (moved === undefined || other === undefined) return saved
  return {
    ...saved,
    views: saved.views.map((view, at) => (at === from ? other : at === to ? moved : view)),
  }
}

export function withoutView(saved: SavedViews, name: string): SavedViews {
  return {
    views: saved.views.filter(view => !isSameInAnyCase(view.name, name)),
    chosen: saved.chosen !== undefined && isSameInAnyCase(saved.chosen, name) ? undefined : saved.chosen,
  }
}

/** `merge`: views of the file replace those of the same name, and others are added while there is room. */
export function withImportedViews(saved: SavedViews, file: SavedViews, mode: ViewsImport): SavedViews {
  if (mode === 'replace') return file
  if (mode === 'missing') {
    const missing = file.views.filter(({ name }) => viewNamed(saved, name) === undefined)
    return missing.reduce((all, { name, params }) => withView(all, name, params), saved)
  }
  const merged = file.views.reduce((all, { name, params }) => withView(all, name, params), saved)
  const chosen = saved.chosen ?? file.chosen
  return { ...merged, chosen: chosen === undefined ? undefined : viewNamed(merged, chosen)?.name }
}

/** The views after a change; the same object when it changes nothing. */
export function viewsAfter(saved: SavedViews, change: ViewChange): SavedViews {
  switch (change.type) {
    case 'views.save': {
      const name = viewNameOf(change.name)
      return name === undefined ? saved : withView(saved, name, change.params)
    }
    case 'views.rename': {
      const to = viewNameOf(change.newName)
      return to === undefined ? saved : withViewRenamed(saved, change.name, to)
    }
    case 'views.move':
      return withViewMoved(saved, change.name, change.by)
    case 'views.delete':
      return viewNamed(saved, change.name) === undefined ? saved : withoutView(saved, change.name)
    case 'views.choose': {
      const chosen = change.name === undefined ? undefined : viewNamed(saved, change.name)?.name
      return chosen === saved.chosen ? saved : { ...saved, chosen }
    }
    case 'views.import':
      return withImportedViews(saved, change.views, change.mode)
  }
}

/** The views as JSON that `parseViews` reads. */
export function writtenViews({ views, chosen }: SavedViews) {
  return {
    views: [...views],
    ...(chosen === undefined ? {} : { default: chosen }),
  }
}

const FORMAT = 'foldboard-views'

/** The views as the text of a file, which `readViewsFile` reads. */
export function writeViewsFile(saved: SavedViews): string {
  return `${JSON.stringify({ format: FORMAT, version: 1, ...writtenViews(saved) }, undefined, 2)}\n`
}

const view = v.object({
  name: v.pipe(v.string(), v.maxLength(1000), v.transform(viewNameOf), v.string()),
  params: v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform(params =>
      viewParamsOf(
        new URLSearchParams(
          VIEW_PARAMS.flatMap(name => {
            const value = Object.hasOwn(params, name) ? params[name] : undefined
            return typeof value === 'string' ? [[name, value.slice(0, LONGEST_PARAM)]] : []
          }),
        ).toString(),
      ),
    ),
  ),
})

const saved = v.object({
  views: v.pipe(
    v.array(v.unknown()),
    v.transform(items => items.slice(0, 10 * MAX_VIEWS).flatMap(item => (v.is(view, item) ? v.parse(view, item) : []))),
  ),
  default: v.fallback(v.optional(v.string()), undefined),
})

/** Views of any origin: what is none is left out. Undefined when it holds no list of views. */
export function parseViews(value: unknown): SavedViews | undefined {
  const read = v.safeParse(saved, value)
  if (!read.success) return undefined
  const views = read.output.views.reduce((all, { name, params }) => withView(all, name, params), NO_VIEWS)
  const chosen = read.output.default
  return { ...views, chosen: chosen === undefined ? undefined : viewNamed(views, chosen)?.name }
}

/** Views of a file; undefined when it is none of `writeViewsFile`. */
export function readViewsFile(text: string): SavedViews | undefined {
  if (text.length > LONGEST_VIEWS_FILE) return undefined
  const value = parsedJson(text)
  return v.is(v.object({ format: v.literal(FORMAT) }), value) ? parseViews(value) : undefined
}
