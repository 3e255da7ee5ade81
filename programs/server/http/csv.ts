import type { Context } from 'hono'
import Papa from 'papaparse'
import { guardedRows } from '../../../src/folding/shared/formulas.ts'
import { answerInParts } from './answer-in-parts.ts'

/** Rows that are made text at once. */
const ROWS = 500

/** An answer of CSV; `rowOf`: the columns of an item, the same for all. */
export function csv<Item>(
  context: Context,
  items: readonly Item[],
  rowOf: (item: Item) => object,
  name: string,
  next?: string,
): Response {
  return answerInParts(context, csvOf(items, rowOf), {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    ...(next === undefined ? {} : { 'X-Next': encodeURIComponent(next) }),
  })
}

/** Names of groups and clients come from the clients: a spreadsheet must not take them for formulas. */
function* csvOf<Item>(items: readonly Item[], rowOf: (item: Item) => object): Iterable<string> {
  for (let at = 0; at < items.length; at += ROWS) {
    const rows = guardedRows(items.slice(at, at + ROWS).map(rowOf))
    yield `${at === 0 ? '' : '\n'}${Papa.unparse(rows, { newline: '\n', header: at === 0 })}`
  }
}
