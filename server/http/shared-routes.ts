import * as v from 'valibot'
import { changeOf, sharedAnswer, sharedAnswerOf, sharedChangeBody } from '../../src/folding/fleet/shared.ts'
import type { ServerStore } from '../store/store.ts'
import type { Handlers } from './api.ts'
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

export type SharedServices = {
  readonly store: Pick<ServerStore, 'shared'>
  /** Called when they were changed. */
  readonly onShared: () => void
}

export const sharedHandlers = ({ store, onShared }: SharedServices): Pick<Handlers, keyof typeof sharedRoutes> => ({
  shared: async (_, context) => context.json(sharedAnswerOf(await store.shared.load())),
  changeShared: async ({ body }, context) => {
    const change = changeOf(body)
    if (change === undefined) return context.json({ error: 'The list is not valid' }, 400)
    const before = await store.shared.revision()
    const revision = await store.shared.change(change)
    if (revision !== before) onShared()
    return context.json({ revision })
  },
})
