import { setup } from 'xstate'

/**
 * A machine with a schedule at the server: it folds at night, and is paused otherwise. Not covered: several schedules,
 * groups, inputs, and units that are finished before a pause.
 */
export const schedulingModel = setup({
  types: {
    events: {} as
      | { type: 'save the schedule' }
      | { type: 'the evening comes' }
      | { type: 'the morning comes' }
      | { type: 'fold for two hours' }
      | { type: 'two hours pass' }
      | { type: 'follow the schedule again' }
      | { type: 'fold at the machine itself' }
      | { type: 'the machine goes away' }
      | { type: 'the machine comes back' }
      | { type: 'stop the server' }
      | { type: 'start it a day later' }
      | { type: 'turn the schedule off' },
  },
}).createMachine({
  id: 'scheduling',
  initial: 'free',
  states: {
    free: {
      description: 'The machine folds, and no schedule decides for it.',
      on: { 'save the schedule': 'day' },
    },
    day: {
      description: 'The machine is paused until 22:00, and the schedule is named as the reason.',
      on: {
        'the evening comes': 'night',
        'fold for two hours': 'overridden',
        'fold at the machine itself': 'changed',
        'the machine goes away': 'away',
        'stop the server': 'stopped',
        'turn the schedule off': 'released',
      },
    },
    night: {
      description: 'The machine folds until 06:00; one command was sent.',
      on: { 'the morning comes': 'nextDay' },
    },
    nextDay: { description: 'The machine is paused again. No boundary was missed.' },
    overridden: {
      description: 'The machine folds for two hours, and the record names the person.',
      on: { 'two hours pass': 'over', 'follow the schedule again': 'over' },
    },
    over: { description: 'The machine is paused until 22:00.' },
    changed: {
      description: 'The machine folds on: that wins until the next boundary, and nothing is sent.',
      on: { 'the evening comes': 'joined' },
    },
    joined: {
      description: 'The schedule wants what the machine does: nothing is sent.',
      on: { 'the morning comes': 'pausedAgain' },
    },
    pausedAgain: { description: 'The schedule is kept again: the machine is paused.' },
    away: {
      description: 'The machine is not connected, and has what it should have.',
      on: { 'the evening comes': 'waiting', 'the machine comes back': 'back' },
    },
    back: { description: 'The machine is paused as before: nothing is sent.' },
    waiting: {
      description: 'It should fold, and waits for the machine; nothing is sent.',
      on: { 'the machine comes back': 'late', 'the morning comes': 'missed' },
    },
    late: { description: 'The machine folds. No boundary was missed.' },
    missed: { description: 'The night is in the record as missed: the machine was not connected.' },
    stopped: {
      description: 'The machine keeps the state that it has.',
      on: { 'start it a day later': 'caughtUp' },
    },
    caughtUp: {
      description: 'The machine is paused, and the night is in the record as missed: the server did not run.',
    },
    released: { description: 'No schedule decides: the machine stays as it is, and nothing is sent.' },
  },
})
