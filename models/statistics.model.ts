import { setup } from 'xstate'

/**
 * Which donor's statistics are shown, and what is shown when they cannot be loaded. Not covered: charts; teams that the
 * donor owns; a client on this computer, whose donor is used when signed out.
 */
export const statisticsModel = setup({
  types: {
    events: {} as
      | { type: 'log in without points' }
      | { type: 'log in with points' }
      | { type: 'log in while the statistics are down' }
      | { type: 'try again' }
      | { type: 'try again in vain' }
      | { type: 'open an award' }
      | { type: 'close it' }
      | { type: 'log out' },
  },
}).createMachine({
  id: 'statistics',
  initial: 'signedOut',
  states: {
    signedOut: {
      description: 'Folding anonymously, and no team selected.',
      on: {
        'log in without points': 'newcomer',
        'log in with points': 'known',
        'log in while the statistics are down': 'failed',
      },
    },
    newcomer: { description: 'A name without rank and points, and no team.', on: { 'log out': 'left' } },
    known: {
      description: 'Rank and points of the donor and of the team, and the donor’s share.',
      on: { 'open an award': 'award', 'log out': 'left' },
    },
    award: {
      description: 'The picture of an award, with a text alternative.',
      on: { 'close it': 'knownStill' },
    },
    knownStill: { description: 'As before the award.' },
    failed: {
      description: 'A message says that the statistics cannot be loaded; the rest works.',
      on: { 'try again': 'recovered', 'try again in vain': 'failedAgain', 'log out': 'left' },
    },
    failedAgain: { description: 'As at the first failure.', on: { 'try again': 'recovered' } },
    recovered: { description: 'Same as loaded at the first attempt.' },
    left: { description: 'No data of the donor is on the screen or on the device.' },
  },
})
