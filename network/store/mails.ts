import type { Store } from './store.ts'

export type KeptMail = { id: number; to: string; subject: string; text: string; link: string; sent: string }

const MOST_MAILS = 200

export const keepMail = async (store: Store, { to, ...mail }: Omit<KeptMail, 'id'>): Promise<void> => {
  const { id } = await store
    .insertInto('mails')
    .values({ ...mail, recipient: to })
    .returning('id')
    .executeTakeFirstOrThrow()
  await store
    .deleteFrom('mails')
    .where('id', '<=', id - MOST_MAILS)
    .execute()
}

/** Newest first. */
export const keptMails = (store: Store): Promise<KeptMail[]> =>
  store
    .selectFrom('mails')
    .select(['id', 'recipient as to', 'subject', 'text', 'link', 'sent'])
    .orderBy('id', 'desc')
    .execute()
