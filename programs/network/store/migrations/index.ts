import type { Migration } from 'kysely'
import { accountsMachinesClients } from './0001-accounts-machines-clients.ts'
import { mailCreditsProviders } from './0002-mail-credits-providers.ts'
import { slots } from './0003-slots.ts'

/** In order of their names. Never edit a released migration: add another one. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts-machines-clients': accountsMachinesClients,
  '0002-mail-credits-providers': mailCreditsProviders,
  '0003-slots': slots,
}
