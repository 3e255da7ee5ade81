import { recordStore, type RecordDatabase } from '../../actors/records/record-store.ts'
import { recordWatch } from '../../actors/records/record-watch.ts'
import {
  isAccountLoading,
  isAccountUnreachable,
  selectAccountId,
} from '../../machines/account/account/account.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { recordsMachine } from '../../machines/units/records/records.machine.ts'
import { watchedClients } from './incidents.ts'

export type RecordDeps = {
  readonly open: () => Promise<RecordDatabase | undefined>
  readonly system: () => System
  /** Epoch milliseconds, corrected. */
  readonly now: () => number
}

/** The machine of what was seen of units, with its effects. */
export function recordMachines({ open, system, now }: RecordDeps) {
  return {
    records: recordsMachine.provide({
      actors: {
        recordStore: recordStore(open),
        recordWatch: recordWatch({
          readClients: () =>
            watchedClients(system()).flatMap(({ machine: client, owner, view, isRestored, asOf }) =>
              view.isConnected && !isRestored && view.data !== undefined
                ? [{ client, owner, data: view.data, asOf }]
                : [],
            ),
          readAccount: () => {
            const account = system().account.getSnapshot()
            if (isAccountLoading(account) || isAccountUnreachable(account)) return undefined
            return selectAccountId(account) ?? null
          },
          now,
        }),
      },
    }),
  }
}
