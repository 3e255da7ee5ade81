import type { Chance } from '../time/chance.ts'
import { HOUR, MINUTE, SECOND } from '../time/durations.ts'
import { accountActions } from './account-actions.ts'
import type { ActionName } from './actions.ts'
import { fleetActions } from './fleet-actions.ts'
import { screenActions } from './screen-actions.ts'
import { settingsActions } from './settings-actions.ts'
import { regular, type PersonStep } from './steps.ts'

type Weighted = readonly (readonly [share: number, names: readonly ActionName[]])[]

function namesOf(actions: object): readonly ActionName[] {
  return Object.keys(actions) as readonly ActionName[]
}

const { signInToOwn, register, followLink, usePassphrase, useResetPage, ...usual } = accountActions

const EVERYTHING: Weighted = [
  [4, namesOf(fleetActions)],
  [4, namesOf(screenActions)],
  [4, namesOf(settingsActions)],
  [2, namesOf(usual)],
  [2, ['answer', 'signIn']],
  [1, ['hide', 'show', 'show', 'openPage', 'switchTab', 'tellMachine', 'closePage']],
]

const OF_NEWCOMERS: Weighted = [
  [3, namesOf({ register, followLink })],
  [4, namesOf({ signInToOwn, usePassphrase, useResetPage })],
  [2, namesOf(usual)],
  [1, ['answer']],
]

/** Actions that follow one another, by each of them. */
const FAMILIES: ReadonlyMap<ActionName, readonly ActionName[]> = new Map(
  (
    [
      ['actOnMany', 'decideOnMany'],
      ['readLog', ...Array.from({ length: 4 }, () => 'searchLog' as const)],
      ['lookAtMolecule', 'turnMolecule', 'turnMolecule', 'saveMolecule'],
      ['readProjects'],
      ['openSettings', 'typeSettings', 'decideOnSettings', 'changeGroups', 'renameMachine', 'answer', 'closeSettings'],
      ['typeAccount', 'decideOnAccount', 'answer'],
      ['haveTeams'],
      ['connectByAddress', 'answer'],
      ['readStatistics'],
      ['chooseLooks'],
      ['usePassphrase'],
      ['useSignIn', 'signIn'],
    ] satisfies readonly (readonly ActionName[])[]
  ).flatMap(family => family.map(name => [name, family] as const)),
)

function draw(chance: Chance, actions: Weighted): ActionName {
  const whole = actions.reduce((sum, [share]) => sum + share, 0)
  let at = chance.between(0, whole)
  const [, names = []] = actions.find(([share]) => (at -= share) < 0) ?? []
  return chance.oneOf(names) ?? 'show'
}

/** What is done next is often more of the same: a search needs an open log. */
const SHARE_OF_SAME = 0.6

/** A visit that begins with `first` and has so many more actions, one every few seconds. */
function busyVisit(
  from: number,
  first: readonly ActionName[],
  count: number,
  actions: Weighted,
  chance: Chance,
): readonly PersonStep[] {
  const begun = first.map((does, number): PersonStep => ({ at: from + (4 + 20 * number) * SECOND, does }))
  let at = begun.at(-1)?.at ?? from
  let does = draw(chance, actions)
  const done = Array.from({ length: count }, (): PersonStep => {
    at += chance.isTrue(0.3) ? chance.whole(10, SECOND) : chance.whole(SECOND, 15 * SECOND)
    does = chance.isTrue(SHARE_OF_SAME) ? (chance.oneOf(FAMILIES.get(does) ?? []) ?? does) : draw(chance, actions)
    return { at, does }
  })
  // As many pages as may have been opened.
  const closed = done
    .filter(step => step.does === 'openPage')
    .map(() => ({ at: at + 2 * MINUTE, does: 'closePage' }) as const)
  return [{ at: from, does: 'openPage' }, ...begun, ...done, ...closed, { at: at + 2 * MINUTE, does: 'closePage' }]
}

/** Tries everything that there is, often twice and at the wrong moment. */
export const curious = regular('curious', 1, [0, 23 * HOUR], (at, chance) =>
  busyVisit(at, ['signIn'], 120, EVERYTHING, chance),
)

/** Makes accounts, forgets their passphrases, and deletes them. */
export const newcomer = regular('newcomer', 1, [0, 22 * HOUR], (at, chance) =>
  busyVisit(at, ['register', 'followLink', 'signInToOwn'], 50, OF_NEWCOMERS, chance),
)
