import { setup } from 'xstate'

/**
 * Changing what a machine folds with, while somebody else changes it too and the connection comes and goes. Leaves out: each
 * single field; linking and renaming; which group is shown.
 */
export const machineSettingsModel = setup({
  types: {
    events: {} as
      | { type: 'change the CPUs' }
      | { type: 'change them back' }
      | { type: 'add a group' }
      | { type: 'delete it' }
      | { type: 'save' }
      | { type: 'somebody changes the CPUs' }
      | { type: 'somebody makes a group' }
      | { type: 'keep mine' }
      | { type: 'take the machine’s' }
      | { type: 'the machine goes away' }
      | { type: 'it comes back' }
      | { type: 'leave' }
      | { type: 'cancel' }
      | { type: 'discard' },
  },
}).createMachine({
  id: 'machine-settings',
  initial: 'unchanged',
  states: {
    unchanged: {
      description: 'There is nothing to save.',
      on: { 'change the CPUs': 'changed', 'add a group': 'added', 'somebody makes a group': 'informed', leave: 'gone' },
    },
    changed: {
      description: 'It can be saved.',
      on: {
        'change them back': 'restored',
        save: 'saved',
        'somebody changes the CPUs': 'torn',
        'somebody makes a group': 'joined',
        'the machine goes away': 'cutOff',
        leave: 'asked',
      },
    },
    restored: { description: 'There is nothing to save again.' },
    added: { description: 'The group is shown, and will be made.', on: { save: 'made' } },
    made: { description: 'The machine has the group, paused.', on: { 'delete it': 'doomed' } },
    doomed: { description: 'It is not shown any more.', on: { save: 'unmade' } },
    unmade: { description: 'The machine has only the default group.' },
    informed: {
      description: 'The new group is shown, and it is said that it was changed since. There is nothing to save.',
    },
    joined: { description: 'The new group is shown beside what was typed.', on: { save: 'savedBoth' } },
    savedBoth: { description: 'The machine has what was typed and the group of somebody else.' },
    torn: {
      description: 'It is asked which of the two shall be, and cannot be saved before.',
      on: { 'keep mine': 'decidedMine', 'take the machine’s': 'decidedTheirs', leave: 'askedTorn' },
    },
    decidedMine: { description: 'It can be saved.', on: { save: 'saved' } },
    decidedTheirs: { description: 'There is nothing to save, and what the machine has is shown.' },
    askedTorn: { description: 'Save is out of reach.', on: { cancel: 'tornStill', discard: 'goneTorn' } },
    tornStill: { description: 'What was typed is still there, and so is the question.' },
    goneTorn: { description: 'On another screen. The machine has what somebody else gave it.' },
    cutOff: {
      description: 'What was typed is there, and cannot be saved.',
      on: { 'it comes back': 'reconnected', leave: 'askedCutOff' },
    },
    reconnected: { description: 'What was typed is there, and can be saved.', on: { save: 'saved' } },
    askedCutOff: { description: 'Save is out of reach.', on: { discard: 'goneCutOff' } },
    goneCutOff: { description: 'On another screen.' },
    asked: {
      description: 'Save, discard or cancel?',
      on: { cancel: 'stayed', discard: 'goneUnchanged', save: 'goneSaved' },
    },
    stayed: { description: 'What was typed is still there.' },
    saved: { description: 'The machine reports it, and there is nothing to save.' },
    gone: { description: 'On another screen.' },
    goneUnchanged: { description: 'On another screen, and the machine is as it was.' },
    goneSaved: { description: 'On another screen, and the machine has what was typed.' },
  },
})
