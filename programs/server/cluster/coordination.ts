import type { AccountConnection } from '../account/account.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { createTurns } from '../../../src/folding/shared/turns.ts'
import type { Power } from '../power/power.ts'
import type { Processors } from '../processors/processors.ts'
import type { Scheduling } from '../schedules/scheduling.ts'

/** What one server does for all: incidents and their alerts, schedules, single processors, the account, and points of donors. */
export type CoordinationParts = {
  readonly alerts: Alerts
  readonly power: Power
  readonly scheduling: Scheduling
  readonly processors: Processors
  readonly account: AccountConnection | undefined
  /** Own names of GPUs and groups were changed. */
  readonly reloadNames: () => Promise<void>
  /** Ends what reads the points of donors and teams; undefined when nothing does. */
  readonly stopStandings: (() => void) | undefined
}

export type Coordination = {
  /** Undefined while another server coordinates, or this one begins or ends. */
  readonly parts: () => CoordinationParts | undefined
  /** Throws without them. */
  readonly needed: () => CoordinationParts
  /** Begins or ends when that changes. Resolves when it has; rejects when it could not begin. */
  readonly set: (isHeld: boolean) => Promise<void>
  /** Leaves the account and connects to the one that is enrolled now. Rejects when its key cannot be used. */
  readonly restartAccount: () => Promise<void>
}

/** Starts the parts while this server holds the coordination, one start or stop after another. */
export function createCoordination(
  start: () => Promise<CoordinationParts>,
  startAccount: () => Promise<AccountConnection | undefined>,
): Coordination {
  let parts: CoordinationParts | undefined
  let isWanted = false
  const inTurn = createTurns()

  const follow = async (): Promise<void> => {
    if (isWanted && parts === undefined) parts = await start()
    else if (!isWanted && parts !== undefined) {
      const { alerts, power, scheduling, processors, account, stopStandings } = parts
      parts = undefined
      stopStandings?.()
      account?.stop()
      await alerts.stop()
      await scheduling.stop()
      await processors.stop()
      await power.stop()
    }
  }
  return {
    parts: () => parts,
    needed: () => {
      if (parts === undefined) throw new Error('Another server coordinates.')
      return parts
    },
    set: isHeld => {
      isWanted = isHeld
      return inTurn(follow)
    },
    restartAccount: () =>
      inTurn(async () => {
        if (parts === undefined) return
        parts.account?.stop()
        parts = { ...parts, account: undefined }
        parts = { ...parts, account: await startAccount() }
      }),
  }
}
