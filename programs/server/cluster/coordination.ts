import type { AccountConnection } from '../account/account.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { createTurns } from '../../../src/folding/shared/turns.ts'
import { NO_POWER } from '../../../src/folding/power/power.ts'
import { NO_LISTS } from '../../../src/folding/power/price.ts'
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
  /** Ends what reads the points of donors and teams; undefined when nothing does. */
  readonly stopStandings: (() => void) | undefined
}

export type Coordination = {
  /** Undefined while another server coordinates, or this one begins or ends. */
  readonly parts: () => CoordinationParts | undefined
  /** Begins or ends when that changes. Resolves when it has; rejects when it could not begin. */
  readonly set: (isHeld: boolean) => Promise<void>
  /** Leaves the account and connects to the one that is enrolled now. Rejects when its key cannot be used. */
  readonly restartAccount: () => Promise<void>
  /** The current parts under one name for those who use them: without them there is nothing. */
  readonly alerts: Alerts
  readonly power: Power
  readonly scheduling: Scheduling
  readonly processors: Processors
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
  const needed = (): CoordinationParts => {
    if (parts === undefined) throw new Error('Another server coordinates.')
    return parts
  }
  return {
    parts: () => parts,
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
    alerts: {
      incidents: () => parts?.alerts.incidents() ?? [],
      change: command => needed().alerts.change(command),
      test: channel => needed().alerts.test(channel),
      lastTest: channel => parts?.alerts.lastTest(channel),
      counts: () => parts?.alerts.counts() ?? { waiting: 0, failing: 0, isAliveFailing: false },
      foundMeters: () => parts?.alerts.foundMeters() ?? [],
      addUnits: units => parts?.alerts.addUnits(units),
      stop: () => Promise.resolve(),
    },
    power: {
      settings: () => parts?.power.settings() ?? NO_POWER,
      lists: () => parts?.power.lists() ?? NO_LISTS,
      meters: () => parts?.power.meters() ?? [],
      of: client => parts?.power.of(client),
      reload: () => parts?.power.reload() ?? Promise.resolve(),
      receivePrices: (input, intervals) => needed().power.receivePrices(input, intervals),
      removePrices: input => needed().power.removePrices(input),
      receiveReading: (meter, reading) => parts?.power.receiveReading(meter, reading),
      resetMeter: meter => needed().power.resetMeter(meter),
      news: schedules => parts?.power.news(schedules) ?? {},
      follow: schedules => needed().power.follow(schedules),
      stop: () => Promise.resolve(),
    },
    scheduling: {
      overview: () => needed().scheduling.overview(),
      replace: (revision, schedules) => needed().scheduling.replace(revision, schedules),
      input: name => parts?.scheduling.input(name),
      receiveInput: (name, value) => needed().scheduling.receiveInput(name, value),
      removeInput: name => needed().scheduling.removeInput(name),
      override: (subject, state, until, by) => needed().scheduling.override(subject, state, until, by),
      follow: subject => needed().scheduling.follow(subject),
      setClients: clients => parts?.scheduling.setClients(clients),
      observePower: () => parts?.scheduling.observePower(),
      uses: name => parts?.scheduling.uses(name) === true,
      silent: address => parts?.scheduling.silent(address) ?? [],
      pending: () => parts?.scheduling.pending() ?? [],
      personChanged: (subject, state, by) => parts?.scheduling.personChanged(subject, state, by),
      stop: () => Promise.resolve(),
    },
    processors: {
      reload: () => parts?.processors.reload() ?? Promise.resolve(),
      notes: id => parts?.processors.notes(id) ?? [],
      command: (request, number, send) => needed().processors.command(request, number, send),
      stop: () => Promise.resolve(),
    },
  }
}
