import type { FaultPath, ReportFault } from '../fault.ts'
import { type Json, type JsonObject, isJsonList, isJsonObject, isUnsafeKey } from '../json.ts'
import { wrongType } from '../shape.ts'

/** A change as on the wire: the path, then the new value (docs/protocol.md §2). */
export type Change = readonly [...path: (string | number)[], value: Json]

/** As an index: append the value. */
export const APPEND = -1
/** As an index: append every element of the list. */
export const EXTEND = -2

/** The longest path that is applied. */
export const MAX_PATH = 64

/**
 * Applies changes in order, immutably: the result shares every part that no change touched, and each node on the path of
 * a change is copied once per batch. `null` removes a key, or an element, so that the rest moves down; an index equal to
 * the length appends; missing parents are created. A change that does not fit the document is reported and skipped.
 *
 * Without Immer, which would draft every node on the path through a proxy for what is one copy per level here.
 */
export function applyChanges<T extends object>(data: T, changes: readonly Change[], report: ReportFault = ignore): T {
  const owned = new Set<object>()
  let root: unknown = data
  for (const change of changes) {
    if (change.length - 1 > MAX_PATH) report({ kind: 'too-deep', limit: MAX_PATH })
    else if (change.length > 1)
      root = changed(root as Node, 0, { change, last: change.length - 2, value: change.at(-1) ?? null, owned, report })
  }
  return root as T
}

const ignore: ReportFault = () => undefined

type Edit = {
  readonly change: Change
  /** The index of the last key in the change. */
  readonly last: number
  readonly value: Json
  /** Nodes created in this batch, which can be changed in place. */
  readonly owned: Set<object>
  readonly report: ReportFault
}

type Node = Json | undefined

// The node with the change applied below it; the same node when nothing changed.
function changed(node: Node, at: number, edit: Edit): Node {
  const key = edit.change[at]
  const isMissing = node === undefined || node === null
  if (typeof key === 'string') {
    if (isMissing || isJsonObject(node)) return changedObject(node ?? undefined, key, at, edit) ?? node
    return refused(node, 'object', at, edit)
  }
  if (typeof key === 'number') {
    if (isMissing || isJsonList(node)) return changedList(node ?? undefined, key, at, edit) ?? node
    return refused(node, 'list', at, edit)
  }
  return node
}

function changedObject(node: JsonObject | undefined, key: string, at: number, edit: Edit): Node {
  if (isUnsafeKey(key)) {
    edit.report({ kind: 'unsafe-key', key })
    return node
  }
  const before = node && Object.hasOwn(node, key) ? node[key] : undefined
  const after = at === edit.last ? (edit.value ?? undefined) : changed(before, at + 1, edit)
  if (after === before) return node
  const copy = edit.owned.has(node ?? edit) ? (node as Record<string, Json>) : { ...node }
  edit.owned.add(copy)
  if (after === undefined) Reflect.deleteProperty(copy, key)
  else copy[key] = after
  return copy
}

function changedList(node: readonly Json[] | undefined, key: number, at: number, edit: Edit): Node {
  const isLast = at === edit.last
  const length = node?.length ?? 0
  if (isLast && key === APPEND && edit.value !== null) return spliced(node, length, 0, [edit.value], edit)
  if (isLast && key === EXTEND) {
    return isJsonList(edit.value) ? spliced(node, length, 0, edit.value, edit) : refused(node, 'list', at + 1, edit)
  }
  if (!Number.isInteger(key) || key < 0 || key > length) {
    edit.report({ kind: 'bad-index', path: pathTo(at + 1, edit) })
    return node
  }
  if (isLast && edit.value === null) return key < length ? spliced(node, key, 1, [], edit) : node
  const before = node?.[key]
  const after = isLast ? edit.value : changed(before, at + 1, edit)
  return after === before || after === undefined ? node : spliced(node, key, 1, [after], edit)
}

function spliced(
  node: readonly Json[] | undefined,
  start: number,
  removed: number,
  added: readonly Json[],
  edit: Edit,
): Node {
  if (removed === 0 && added.length === 0) return node
  const list = edit.owned.has(node ?? edit) ? (node as Json[]) : [...(node ?? [])]
  edit.owned.add(list)
  if (removed === 1 && added.length === 1) list[start] = added[0] ?? null
  else if (removed === 1) list.splice(start, 1)
  else for (const item of added) list.push(item)
  return list
}

function refused(node: Node, expected: string, at: number, edit: Edit): Node {
  edit.report(wrongType(pathTo(at, edit), expected, at > edit.last ? edit.value : node))
  return node
}

function pathTo(end: number, edit: Edit): FaultPath {
  return edit.change
    .slice(0, Math.min(end, edit.last + 1))
    .filter(key => typeof key === 'string' || typeof key === 'number')
}
