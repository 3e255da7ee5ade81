import * as v from 'valibot'
import { historyAnswer, historyBody, takenAnswer, UNITS_A_PAGE } from '../../src/folding/unit/server-history.ts'
import { count, type RouteSpec } from './route-fields.ts'

/* The routes by which pages read the history, and give their own, as those of routes.ts. */

export const historyRoutes = {
  history: {
    method: 'get',
    path: '/api/server/history',
    need: 'view',
    summary: 'Work units that ended and their machines, for the charts and benchmarks of pages; newest first',
    query: v.object({
      limit: v.optional(count(UNITS_A_PAGE), String(UNITS_A_PAGE)),
      after: v.optional(v.pipe(v.string(), v.maxLength(520))),
    }),
    answer: historyAnswer,
  },
  takeHistory: {
    method: 'post',
    path: '/api/server/history',
    need: 'control',
    summary: 'Takes in units that a page kept itself, of machines that the server knows. Known units stay as they are',
    body: historyBody,
    answer: takenAnswer,
  },
} as const satisfies Readonly<Record<string, RouteSpec>>
