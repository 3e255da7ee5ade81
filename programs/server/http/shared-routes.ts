import * as v from 'valibot'
import { sharedAnswer, sharedChangeBody } from '../../../src/folding/fleet/shared.ts'
import type { RouteSpec } from './route-fields.ts'

/* The routes by which pages read and change tags, saved views and settings of power, as those of routes.ts. */

export const MOST_SHARED_BYTES = 2 * 1_048_576

export const sharedRoutes = {
  shared: {
    method: 'get',
    path: '/api/server/shared',
    need: 'view',
    summary:
      'Tags of machines, saved views and what machines draw and energy costs, which all pages of this server have in common',
    answer: sharedAnswer,
  },
  changeShared: {
    method: 'post',
    path: '/api/server/shared',
    need: 'control',
    isCoordinated: true,
    mostBytes: MOST_SHARED_BYTES,
    summary: 'Makes one change of tags, saved views or settings of power',
    body: sharedChangeBody,
    answer: v.object({ revision: v.string() }),
  },
} as const satisfies Readonly<Record<string, RouteSpec>>
