import type { Kysely } from 'kysely'
import type { Subscription } from '../push/push-services.ts'
import type { PushTable, Tables } from './schema.ts'

/** A browser that shows messages. `created`: epoch milliseconds. */
export type StoredSubscription = Subscription & { readonly user: string; readonly created: number }

/** Which browsers show messages. Every call is one transaction. */
export type PushStore = {
  /** Of one user, or of all. */
  readonly list: (user: string | undefined) => Promise<readonly StoredSubscription[]>
  /** A browser that another user subscribed is this user's from now on. The oldest of too many are dropped. */
  readonly add: (subscription: StoredSubscription) => Promise<void>
  /** `user`: only if it is theirs. */
  readonly remove: (endpoint: string, user?: string) => Promise<void>
}

/** Browsers of one user. */
const MOST_BROWSERS = 20

export function pushStoreOf(db: Kysely<Tables>): PushStore {
  return {
    list: async user => {
      let query = db.selectFrom('push_subscriptions').selectAll().orderBy('created').limit(1000)
      if (user !== undefined) query = query.where('person', '=', user)
      return (await query.execute()).map(subscriptionOf)
    },
    add: async ({ endpoint, keys: { p256dh, auth }, user, created }) => {
      const row = { endpoint, person: user, p256dh, auth, created }
      await db.transaction().execute(async change => {
        await change.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute()
        await change.insertInto('push_subscriptions').values(row).execute()
        const subscriptions = await change
          .selectFrom('push_subscriptions')
          .select('endpoint')
          .where('person', '=', user)
          .orderBy('created', 'desc')
          .execute()
        for (const old of subscriptions.slice(MOST_BROWSERS))
          await change.deleteFrom('push_subscriptions').where('endpoint', '=', old.endpoint).execute()
      })
    },
    remove: async (endpoint, user) => {
      let query = db.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint)
      if (user !== undefined) query = query.where('person', '=', user)
      await query.execute()
    },
  }
}

function subscriptionOf({ endpoint, person, p256dh, auth, created }: PushTable): StoredSubscription {
  return {
    endpoint,
    keys: { p256dh, auth },
    user: person,
    created,
  }
}
