import { setup } from 'xstate'

/**
 * An incident of one machine, from its beginning to its end, and what a person does with it. Facts begin and end it. Not
 * covered: how it is found, groups of incidents, notifications, and what belongs to an account.
 */
export const handlingIncidentsModel = setup({
  types: {
    events: {} as
      | { type: 'it begins' }
      | { type: 'acknowledge it' }
      | { type: 'snooze it for an hour' }
      | { type: 'reopen it' }
      | { type: 'load the page again' }
      | { type: 'let an hour pass' }
      | { type: 'it ends' }
      | { type: 'it begins again' },
  },
}).createMachine({
  id: 'handling-incidents',
  initial: 'well',
  states: {
    well: { description: 'Nothing needs attention.', on: { 'it begins': 'open' } },
    open: {
      description: 'One incident is counted and listed as open.',
      on: { 'acknowledge it': 'acknowledged', 'snooze it for an hour': 'snoozed', 'it ends': 'over' },
    },
    acknowledged: {
      description: 'It is listed as acknowledged, and not counted.',
      on: { 'reopen it': 'reopened', 'load the page again': 'stillAcknowledged' },
    },
    reopened: { description: 'It is counted and listed as open.' },
    stillAcknowledged: {
      description: 'It is listed as acknowledged, and not counted.',
      on: { 'it ends': 'handled' },
    },
    handled: {
      description: 'It is in the history only.',
      on: { 'it begins again': 'returnedAcknowledged' },
    },
    returnedAcknowledged: { description: 'It lasts for the second time, is acknowledged still, and is not counted.' },
    snoozed: {
      description: 'It is listed as snoozed, and not counted.',
      on: { 'load the page again': 'stillSnoozed', 'let an hour pass': 'due' },
    },
    stillSnoozed: { description: 'It is listed as snoozed, and not counted.' },
    due: { description: 'It is counted and listed as open.' },
    over: {
      description: 'Nothing needs attention; it is in the history.',
      on: { 'it begins again': 'returned' },
    },
    returned: { description: 'It lasts for the second time, and is counted and listed as open.' },
  },
})
