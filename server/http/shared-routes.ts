import * as v from 'valibot'
import { sharedAnswer, sharedChangeBody } from '../../src/folding/fleet/shared.ts'
import type { RouteSpec } from './route-fields.ts'

/* The routes by which pages read and change tags and saved views, as those of routes.ts. */

const MOST_BYTES = 8 * 1_048_576

export const sharedRoutes = {
  shared: {
    method: 'get',
    path: '/api/server/shared',
    need: 'view',
    summary: 'Tags of machines and saved views, which all pages of this server have in common',
    answer: sharedAnswer,
  },
  changeShared: {
    method: 'post',
    path: '/api/server/shared',
    need: 'control',
    isCoordinated: true,
    mostBytes: MOST_BYTES,
    summary: 'Makes one change of tags or saved views',
    body: sharedChangeBody,
    answer: v.object({ revision: v.string() }),
  },
} as const satisfies Readonly<Record<string, RouteSpec>>
