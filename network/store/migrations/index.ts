import type { Migration } from 'kysely'
import { accountsMachinesClients } from './0001-accounts-machines-clients.ts'

/** In order, by name. A migration that has been released is never edited: the next one corrects it. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts-machines-clients': accountsMachinesClients,
}
