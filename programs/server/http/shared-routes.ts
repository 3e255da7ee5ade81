import * as v from 'valibot'
import { sharedAnswer, sharedChangeBody } from '../../../src/folding/fleet/shared.ts'
import { get, post, type RouteSpec } from './route-fields.ts'

/* The routes by which pages read and change what they have in common, as those of routes.ts. */

export const MOST_SHARED_BYTES = 2 * 1_048_576

export const sharedRoutes = {
  shared: get(
    '/api/server/shared',
    'view',
    'Tags of machines, saved views, what machines draw and energy costs, and processors that are paused by themselves, which all pages of this server have in common',
    { answer: sharedAnswer },
  ),
  changeShared: post(
    '/api/server/shared',
    'control',
    'Makes one change of tags, saved views, settings of power or notes of processors',
    {
      isCoordinated: true,
      mostBytes: MOST_SHARED_BYTES,
      body: sharedChangeBody,
      answer: v.object({ revision: v.string() }),
    },
  ),
} as const satisfies Readonly<Record<string, RouteSpec>>
