import { changeOf, sharedAnswerOf } from '../../../src/folding/fleet/shared.ts'
import { signedChange } from '../processors/processors.ts'
import type { ServerStore } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import type { sharedRoutes } from './shared-routes.ts'

export type SharedServices = {
  readonly store: Pick<ServerStore, 'shared'>
  /** Called when they were changed. Resolves when they are used. */
  readonly onShared: () => Promise<void>
}

export function sharedHandlers({ store, onShared }: SharedServices): Pick<Handlers, keyof typeof sharedRoutes> {
  return {
    shared: async (_, context) => context.json(sharedAnswerOf(await store.shared.load())),
    changeShared: async ({ body, identity }, context) => {
      const read = changeOf(body)
      if (read === undefined) return context.json({ error: 'The list is not valid' }, 400)
      const before = await store.shared.revision()
      const change =
        read.type === 'processors.note' || read.type === 'processors.import'
          ? signedChange(read, (await store.shared.load()).processors, identity.name)
          : read
      const revision = await store.shared.change(change)
      if (revision !== before) await onShared()
      return context.json({ revision })
    },
  }
}
