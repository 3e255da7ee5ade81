import type { Store } from './store.ts'

export type StoredEmail = { id: number; to: string; subject: string; text: string; link: string; sent: string }

const MAX_EMAILS = 200

export async function saveEmail(store: Store, { to, ...mail }: Omit<StoredEmail, 'id'>): Promise<void> {
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
export function storedEmails(store: Store): Promise<StoredEmail[]> {
  return store
    .selectFrom('mails')
    .select(['id', 'recipient as to', 'subject', 'text', 'link', 'sent'])
    .orderBy('id', 'desc')
    .execute()
}
