import type { Store } from './store.ts'

export type StoredEmail = { id: number; to: string; subject: string; text: string; link: string; sent: string }

const MAX_EMAILS = 200

export const saveEmail = async (store: Store, { to, ...mail }: Omit<StoredEmail, 'id'>): Promise<void> => {
  const { id } = await store
    .insertInto('mails')
    .values({ ...mail, recipient: to })
    .returning('id')
    .executeTakeFirstOrThrow()
  await store
    .deleteFrom('mails')
    .where('id', '<=', id - MAX_EMAILS)
    .execute()
}

/** Newest first. */
export const storedEmails = (store: Store): Promise<StoredEmail[]> =>
  store
    .selectFrom('mails')
    .select(['id', 'recipient as to', 'subject', 'text', 'link', 'sent'])
    .orderBy('id', 'desc')
    .execute()
