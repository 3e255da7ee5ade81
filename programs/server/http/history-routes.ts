import * as v from 'valibot'
import { historyAnswer, historyBody, takenAnswer, UNITS_A_PAGE } from '../../../src/folding/unit/server-history.ts'
import { after, count, format, shortText, span, get, post, type RouteSpec } from './route-fields.ts'

/* The routes by which pages read the history, and give their own, as those of routes.ts. */

export const historyRoutes = {
  history: get(
    '/api/server/history',
    'view',
    'Work units that ended and their machines, for the charts and benchmarks of pages; newest first',
    {
      query: v.object({
        limit: v.optional(count(UNITS_A_PAGE), String(UNITS_A_PAGE)),
        after,
      }),
      answer: historyAnswer,
    },
  ),
  takeHistory: post(
    '/api/server/history',
    'control',
    'Takes in units that a page kept itself, of machines that the server knows. Known units stay as they are',
    { body: historyBody, answer: takenAnswer },
  ),
  standings: get(
    '/api/server/standings',
    'view',
    'Points of the donors and teams of all machines, one record an hour, in order of time',
    {
      query: v.object({
        from: span.from,
        to: span.to,
        kind: v.optional(v.picklist(['donor', 'team'])),
        name: v.optional(shortText),
        limit: v.optional(count(50_000), '10000'),
        format,
      }),
      answer: v.object({
        standings: v.array(
          v.object({
            at: v.string(),
            kind: v.picklist(['donor', 'team']),
            name: v.string(),
            points: v.number(),
            units: v.number(),
          }),
        ),
      }),
    },
  ),
} as const satisfies Readonly<Record<string, RouteSpec>>
