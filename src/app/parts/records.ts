import { directNumber } from '../../folding/client/client.ts'
import { tiedInput } from '../../folding/schedule/tied-input.ts'
import { isPartThere } from '../../machines/app/app.selectors.ts'
import { selectSchedules } from '../../machines/server/session/session.selectors.ts'
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
                ? [{ id: view.id, client, owner, data: view.data, asOf }]
                : [],
            ),
          readInput: ({ id, data }, unit) => {
            const { app, serverSession } = system()
            const answer = isPartThere('server')(app.getSnapshot())
              ? selectSchedules(serverSession.getSnapshot())
              : undefined
            return answer === undefined ? undefined : tiedInput(answer, directNumber(id), data, unit)
          },
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
