import type { Context } from 'hono'
import Papa from 'papaparse'
import { guardedRows } from '../../../src/folding/shared/formulas.ts'

/** Names of groups and clients come from the clients: a spreadsheet must not take them for formulas. */
export function csv(context: Context, rows: readonly object[], name: string, next: string | undefined): Response {
  return context.body(Papa.unparse(guardedRows(rows), { newline: '\n' }), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    ...(next === undefined ? {} : { 'X-Next': encodeURIComponent(next) }),
  })
}
