import type { Logger } from 'pino'
import { StartError } from '../../host/start-error.ts'
import type { ClientEntry } from '../../../src/machines/connection/fleet/fleet.events.ts'
import type { Coordination } from '../cluster/coordination.ts'
import type { Membership } from '../cluster/membership.ts'
import type { Config } from '../config/schema.ts'
import type { Fleet } from '../fleet.ts'
import type { Enrolling } from '../http/handler.ts'
import type { Places } from '../places.ts'
import type { AccountClient, ServerStore } from '../store/store.ts'
import type { EnrolledAccount } from './account-file.ts'
import { startAccount, type AccountConnection } from './account.ts'
import type { Enrollment } from './enroll.ts'

export type EnrolledAccountDeps = {
  readonly settings: Config['account']
  readonly store: ServerStore
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly places: Places
  readonly fleet: Pick<Fleet, 'send'>
  readonly membership: Pick<Membership, 'isAlone' | 'notify'>
  readonly coordination: () => Coordination
  readonly account: EnrolledAccount | undefined
  /** Enrolls an account and keeps its key. Without it only a terminal can. */
  readonly enroll: ((email: string, passphrase: string) => Promise<Enrollment>) | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** The account whose clients this server shows besides those of its settings. */
export function createEnrolledAccount(deps: EnrolledAccountDeps) {
  const { settings, store, log, places, fleet, membership, coordination, enroll, now, random } = deps
  let { account } = deps

  /** Numbers of clients are the same on all servers, and stay. */
  const placeClients = (clients: readonly AccountClient[]): void => {
    places.placeAccount(clients)
    coordination().parts()?.scheduling.setClients(places.scheduled())
  }
  const listClients = async (listed: readonly ClientEntry[]): Promise<void> => {
    placeClients(await store.listAccountClients(listed))
    const ids = new Set(listed.map(({ id }) => id))
    const unknown = settings.machines.flatMap(({ id }) => (ids.has(id) ? [] : [id]))
    if (unknown.length > 0) log.warn({ machines: unknown }, 'account.machines has ids that the account does not list')
    membership.notify('account')
  }

  const enrolling: Enrolling = {
    isEnrolled: () => account !== undefined,
    blocked: membership.isAlone
      ? enroll === undefined
        ? 'This server has an account of its own.'
        : undefined
      : 'Several servers can use this database, and each needs the files of the account: enroll in a terminal, and copy them.',
    enroll: async (email, passphrase, { name }) => {
      if (enroll === undefined) throw new StartError('Enroll in a terminal.')
      const enrolled = await enroll(email, passphrase)
      const id = await store.addAction({
        at: now(),
        who: name,
        machine: '',
        command: 'enroll an account',
        reason: 'page',
      })
      log.info({ who: name, machines: enrolled.machines }, 'an account was enrolled')
      account = enrolled.account
      await coordination().restartAccount()
      await store.settleAction(id, 'confirmed')
      return enrolled.machines
    },
  }

  return {
    placeClients,
    enrolling,
    /** Connects to it, if one is enrolled. */
    start: async (): Promise<AccountConnection | undefined> =>
      account === undefined
        ? undefined
        : startAccount({
            account,
            settings,
            log,
            now,
            random,
            exchangeOf: client => {
              const place = places.account.get(client)
              return place?.isGone === false ? place.exchange : undefined
            },
            onListed: listClients,
            // After the account's own step: the fleet is not its child.
            tellFleet: event => queueMicrotask(() => fleet.send(event)),
          }),
  }
}
