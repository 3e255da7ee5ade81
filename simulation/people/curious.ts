import type { PlannedPerson } from '../story/plan.ts'
import type { Chance } from '../time/chance.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'
import { accountActions } from './account-actions.ts'
import type { ActionName } from './actions.ts'
import { fleetActions } from './fleet-actions.ts'
import { screenActions } from './screen-actions.ts'
import { settingsActions } from './settings-actions.ts'
import type { PersonStep } from './steps.ts'

type Weighted = readonly (readonly [share: number, names: readonly ActionName[]])[]

const namesOf = (actions: object): readonly ActionName[] => Object.keys(actions) as readonly ActionName[]

const { signInToOwn, register, followLink, usePassphrase, useResetPage, ...usual } = accountActions

const EVERYTHING: Weighted = [
  [4, namesOf(fleetActions)],
  [4, namesOf(screenActions)],
  [4, namesOf(settingsActions)],
  [1, namesOf(usual)],
  [2, ['answer', 'signIn']],
  [1, ['hide', 'show', 'show', 'openPage', 'switchTab', 'tellMachine']],
]

const OF_NEWCOMERS: Weighted = [
  [3, namesOf({ register, followLink })],
  [4, namesOf({ signInToOwn, usePassphrase, useResetPage })],
  [2, namesOf(usual)],
  [1, ['answer']],
]

const draw = (chance: Chance, actions: Weighted): ActionName => {
  const whole = actions.reduce((sum, [share]) => sum + share, 0)
  let at = chance.between(0, whole)
  const [, names = []] = actions.find(([share]) => (at -= share) < 0) ?? []
  return chance.oneOf(names) ?? 'show'
}

/** A visit of so many actions, one every few seconds. */
const busyVisit = (from: number, count: number, actions: Weighted, chance: Chance): readonly PersonStep[] => {
  let at = from
  const done = Array.from({ length: count }, (): PersonStep => {
    at += chance.isTrue(0.3) ? chance.whole(10, SECOND) : chance.whole(SECOND, 15 * SECOND)
    return { at, does: draw(chance, actions) }
  })
  // As many pages as may have been opened.
  const closed = done.flatMap(({ does }) =>
    does === 'openPage' ? [{ at: at + 2 * MINUTE, does: 'closePage' } as const] : [],
  )
  return [{ at: from, does: 'openPage' }, ...done, ...closed, { at: at + 2 * MINUTE, does: 'closePage' }]
}

/** Tries everything that there is, often twice and at the wrong moment. */
export const curious: PlannedPerson = {
  name: 'curious',
  days: (chance, days) =>
    Array.from({ length: Math.ceil(days) }, (_, day) =>
      busyVisit(Math.floor(day * DAY + chance.between(0, 23 * HOUR)), 90, EVERYTHING, chance),
    ).flat(),
}

/** Makes accounts, forgets their passphrases, and deletes them. */
export const newcomer: PlannedPerson = {
  name: 'newcomer',
  days: (chance, days) =>
    Array.from({ length: Math.ceil(days / 2) }, (_, number) =>
      busyVisit(Math.floor(number * 2 * DAY + chance.between(0, 47 * HOUR)), 50, OF_NEWCOMERS, chance),
    ).flat(),
}
