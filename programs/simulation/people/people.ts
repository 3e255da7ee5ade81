import type { PlannedPerson } from '../story/plan.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time/durations.ts'
import { LONGEST_LOOK } from '../inhabitants/reports.ts'
import { curious, newcomer } from './curious.ts'
import { regular, type PersonStep } from './steps.ts'

/** Looks twice a week from a phone, for some minutes at most; in between the page is closed. */
const phone = regular('phone', 3.5, [7 * HOUR, 22 * HOUR], (at, chance) => {
  const end = at + Math.round(chance.between(0.5, 2) * MINUTE)
  return [
    { at, does: 'openPage' },
    { at: at + 3 * SECOND, does: 'signIn' },
    ...(chance.isTrue(0.3) ? [{ at: Math.round((at + end) / 2), does: 'tellMachine' } as const] : []),
    { at: end, does: 'closePage' },
  ]
})

/** Watches in the evening, with the page in the background most of the time. */
const watcher = regular('watcher', 1, [17 * HOUR, 19 * HOUR], at => [
  { at, does: 'openPage' },
  { at: at + 5 * SECOND, does: 'signIn' },
  { at: at + 2 * MINUTE, does: 'hide' },
  { at: at + HOUR, does: 'show' },
  { at: at + HOUR + 20 * SECOND, does: 'tellMachine' },
  { at: at + HOUR + 2 * MINUTE, does: 'closePage' },
])

/** Changes settings of one machine in two tabs. */
const twoTabs = regular('twoTabs', 2, [8 * HOUR, 20 * HOUR], (at, chance) => {
  const edits = Array.from({ length: 6 }, (_step, index): readonly PersonStep[] => {
    const then = at + 15 * SECOND + index * chance.whole(100, 8 * SECOND)
    return [
      { at: then, does: 'changeSettings' },
      { at: then + 200, does: 'changeLooks' },
      { at: then + chance.whole(1, 3 * SECOND), does: 'switchTab' },
    ]
  })
  return [
    { at, does: 'openPage' },
    { at: at + 3 * SECOND, does: 'signIn' },
    { at: at + 8 * SECOND, does: 'openPage' },
    ...edits.flat(),
    { at: at + 90 * SECOND, does: 'closePage' },
    { at: at + 110 * SECOND, does: 'closePage' },
  ]
})

/** Remembers the passphrase at the third attempt. */
const forgetful = regular('forgetful', 3, [8 * HOUR, 20 * HOUR], at => [
  { at, does: 'openPage' },
  { at: at + 3 * SECOND, does: 'forgetPassphrase' },
  { at: at + 12 * SECOND, does: 'forgetPassphrase' },
  { at: at + 20 * SECOND, does: 'signIn' },
  { at: at + 80 * SECOND, does: 'closePage' },
])

/** Reads the history of work units once a week, for as long as units come and go. */
const reader = regular('reader', 7, [8 * HOUR, 20 * HOUR], at => [
  { at, does: 'openPage' },
  { at: at + 3 * SECOND, does: 'signIn' },
  { at: at + 10 * SECOND, does: 'readHistory' },
  { at: at + 15 * MINUTE, does: 'closePage' },
])

/** Keeps a fleet by its servers: schedules, commands, and what they have stored. */
const operator: PlannedPerson = {
  name: 'operator',
  days: (chance, days) => [
    { at: 3 * MINUTE, does: 'saveSchedules' },
    ...Array.from({ length: Math.ceil(days) }, (_, day): readonly PersonStep[] => [
      ...(chance.isTrue(0.4)
        ? [{ at: day * DAY + chance.whole(HOUR, 23 * HOUR), does: 'saveSchedules' } as const]
        : []),
      ...Array.from({ length: 24 }, (): PersonStep => ({
        at: day * DAY + chance.whole(10 * MINUTE, DAY),
        does: 'sendByServer',
      })),
      { at: day * DAY + chance.whole(10 * MINUTE, DAY), does: 'readServer' },
      ...Array.from({ length: 8 }, (): PersonStep => ({
        at: day * DAY + chance.whole(10 * MINUTE, DAY),
        does: 'sendAsViewer',
      })),
    ]).flat(),
    ...Array.from({ length: Math.ceil(24 * days) }, (): PersonStep => ({
      at: chance.whole(10 * MINUTE, Math.max(20 * MINUTE, days * DAY)),
      does: 'storeValue',
    })),
  ],
}

/** Has the page open for a night of each week, behind other windows, and for an hour in sight. */
const keeper = regular('keeper', 7, [0, DAY], at => [
  { at, does: 'openPage' },
  { at: at + 3 * SECOND, does: 'signIn' },
  { at: at + HOUR, does: 'hide' },
  { at: at + 10 * HOUR, does: 'show' },
  { at: at + 10 * HOUR + 5 * MINUTE, does: 'closePage' },
])

/** Looks at computers at home for some hours, most of the time from behind other windows. */
const owner = regular('owner', 1, [0, 12 * HOUR], (at, chance) => {
  const hidden = at + chance.whole(MINUTE, 20 * MINUTE)
  const end = hidden + chance.whole(HOUR, 8 * HOUR)
  return [
    { at, does: 'openAtHome' },
    { at: at + chance.whole(MINUTE / 2, MINUTE), does: 'tellMachine' },
    { at: at + 2.2 * MINUTE, does: 'checkHome' },
    { at: hidden, does: 'hide' },
    { at: end, does: 'show' },
    { at: end + MINUTE, does: 'tellMachine' },
    { at: end + 1.5 * MINUTE, does: 'closeCheck' },
    { at: end + 2.2 * MINUTE, does: 'checkHome' },
    { at: end + 4 * MINUTE, does: 'closePage' },
  ]
})

/** What somebody at a desk does with an open page, one thing every quarter of an hour. */
const AT_DESK = [
  ...(['tellMachine', 'tellMachine', 'tellGroup', 'changeSettings'] as const),
  ...(['readLog', 'readHistory', 'readOwnStatistics', 'signIn'] as const),
]

/** What the household does with its computers. */
const HOUSEHOLD = [
  ...(['tellComputer', 'tellComputer', 'removeComputer', 'addComputer', 'removeLeftOver'] as const),
  'signIn',
] as const

/** Has the page in sight from eight to six, so that faults meet it. */
const desk: PlannedPerson = {
  name: 'desk',
  days: (chance, days) =>
    Array.from({ length: Math.ceil(days) }, (_, day): readonly PersonStep[] => {
      const at = day * DAY + 8 * HOUR
      const done = Array.from({ length: 39 }, (_step, number): PersonStep => ({
        at: at + Math.floor((number + chance.between(0.5, 1.5)) * 15 * MINUTE),
        does: chance.oneOf(AT_DESK) ?? 'tellMachine',
      }))
      return [
        { at, does: 'openPage' },
        { at: at + 3 * SECOND, does: 'signIn' },
        ...done,
        ...[3, 6, 9].flatMap((hour): readonly PersonStep[] => {
          const then = at + hour * HOUR + chance.whole(0, 40 * MINUTE)
          return [
            { at: then, does: 'pauseOrFoldMany' },
            { at: then + chance.whole(15 * SECOND, MINUTE), does: 'undoMany' },
          ]
        }),
        { at: at + 10 * HOUR, does: 'closePage' },
      ]
    }).flat(),
}

/** Clicks again and again on one machine, until it is left for the next one. */
const clicker = regular('clicker', 1, [6 * HOUR, 22 * HOUR], (at, chance) => {
  let then = at + 20 * SECOND
  const clicks = Array.from({ length: 80 }, (): PersonStep => {
    then += chance.isTrue(0.5) ? chance.whole(50, SECOND) : chance.whole(SECOND, 6 * SECOND)
    return { at: then, does: 'tellFirst' }
  })
  return [
    { at, does: 'openPage' },
    { at: at + 3 * SECOND, does: 'signIn' },
    ...clicks,
    { at: then + 4 * MINUTE, does: 'closePage' },
  ]
})

/** Has a computer whose clock is wrong, and odd names for everything. */
const traveler = regular('traveler', 1, [6 * HOUR, 20 * HOUR], at => [
  { at: at - 1, does: 'setClock' },
  { at, does: 'openPage' },
  { at: at + 3 * SECOND, does: 'signIn' },
  { at: at + MINUTE, does: 'typeAccount' },
  { at: at + MINUTE + SECOND, does: 'decideOnAccount' },
  { at: at + 2 * MINUTE, does: 'readOwnStatistics' },
  ...Array.from({ length: 6 }, (_step, number): PersonStep => ({
    at: at + 3 * MINUTE + number * 8 * SECOND,
    does: 'readStatistics',
  })),
  { at: at + 4 * MINUTE, does: 'tellMachine' },
  { at: at + 5 * MINUTE, does: 'openSettings' },
  { at: at + 5 * MINUTE + SECOND, does: 'changeGroups' },
  { at: at + 6 * MINUTE, does: 'renameMachine' },
  { at: at + 7 * MINUTE, does: 'closeSettings' },
  { at: at + 8 * MINUTE, does: 'changeSettings' },
  { at: at + 100 * MINUTE, does: 'closePage' },
])

/** Links and unlinks the machine on this computer, and forgets the passphrase for good. */
const mover = regular('mover', 1, [6 * HOUR, 22 * HOUR], (at, chance) => {
  const asks = chance.isTrue(0.3)
  return [
    { at, does: 'openPage' },
    ...(asks ? [{ at: at + 3 * SECOND, does: 'resetPassphrase' } as const] : []),
    { at: at + 40 * SECOND, does: 'signIn' },
    { at: at + 50 * SECOND, does: 'linkOwnMachine' },
    { at: at + 80 * SECOND, does: 'linkOwnMachine' },
    { at: at + 3 * MINUTE, does: chance.isTrue(0.5) ? 'linkOwnMachine' : 'tellMachine' },
    { at: at + 6 * MINUTE, does: 'closePage' },
  ]
})

/** Looks at the clients of reports and recordings. */
const visitor = regular('visitor', 3, [0, 2 * DAY], (at, chance, number) => [
  { at, does: number % 2 === 0 ? 'visitReports' : 'visitRecordings' },
  { at: at + chance.whole(MINUTE, 40 * MINUTE), does: 'tellMachine' },
  { at: at + LONGEST_LOOK, does: 'closePage' },
])

/** Has computers of the account at home: looks at them twice a day, moves them between accounts, and tells them what to do. */
const household = regular('household', 0.5, [0, 10 * HOUR], (at, chance, number) => {
  const minutes = chance.whole(10, 60)
  const done = Array.from({ length: 8 }, (): PersonStep => ({
    at: at + chance.whole(20 * SECOND, minutes * MINUTE),
    does: chance.oneOf(HOUSEHOLD) ?? 'tellComputer',
  }))
  return [
    { at, does: 'startComputers' },
    ...(number === 0 ? [{ at: at + 2 * MINUTE, does: 'enrollServer' } as const] : []),
    { at: at + SECOND, does: 'openPage' },
    { at: at + 4 * SECOND, does: 'signIn' },
    ...done,
    { at: at + (minutes + 4) * MINUTE, does: 'closePage' },
  ]
})

/** Everybody who may live in a world, by name. */
export const people: Readonly<Record<string, PlannedPerson>> = {
  phone,
  watcher,
  twoTabs,
  forgetful,
  reader,
  curious,
  newcomer,
  operator,
  keeper,
  visitor,
  owner,
  mover,
  desk,
  clicker,
  traveler,
  household,
}
