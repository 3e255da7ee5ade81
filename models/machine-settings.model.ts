import { setup } from 'xstate'

/**
 * Changing a machine's resources while they are changed elsewhere and the connection is lost and restored. Not covered:
 * each single field; linking and renaming; which group is shown.
 */
export const machineSettingsModel = setup({
  types: {
    events: {} as
      | { type: 'change the CPUs' }
      | { type: 'change them back' }
      | { type: 'add a group' }
      | { type: 'delete it' }
      | { type: 'save' }
      | { type: 'the CPUs change elsewhere' }
      | { type: 'a group is made elsewhere' }
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
      on: {
        'change the CPUs': 'changed',
        'add a group': 'added',
        'a group is made elsewhere': 'informed',
        leave: 'gone',
      },
    },
    changed: {
      description: 'It can be saved.',
      on: {
        'change them back': 'restored',
        save: 'saved',
        'the CPUs change elsewhere': 'conflicting',
        'a group is made elsewhere': 'joined',
        'the machine goes away': 'cutOff',
        leave: 'asked',
      },
    },
    restored: { description: 'There is nothing to save again.' },
    added: { description: 'The new group is shown, and not saved yet.', on: { save: 'made' } },
    made: { description: 'The machine has the group, paused.', on: { 'delete it': 'doomed' } },
    doomed: { description: 'The group is no longer shown.', on: { save: 'unmade' } },
    unmade: { description: 'The machine has only the default group.' },
    informed: {
      description: 'The new group is shown with a notice that it was added elsewhere. There is nothing to save.',
    },
    joined: { description: 'The new group is shown beside the unsaved changes.', on: { save: 'savedBoth' } },
    savedBoth: { description: 'The machine has the changes and the group that was added elsewhere.' },
    conflicting: {
      description: 'The user must choose one of the two values before saving.',
      on: { 'keep mine': 'decidedMine', 'take the machine’s': 'decidedTheirs', leave: 'askedTorn' },
    },
    decidedMine: { description: 'It can be saved.', on: { save: 'saved' } },
    decidedTheirs: { description: 'There is nothing to save, and the machine’s value is shown.' },
    askedTorn: {
      description: 'The dialog is shown with Save disabled.',
      on: { cancel: 'tornStill', discard: 'goneTorn' },
    },
    tornStill: { description: 'The changes and the conflict are still there.' },
    goneTorn: { description: 'On another screen; the machine has the value that was set elsewhere.' },
    cutOff: {
      description: 'The changes are still there, and cannot be saved.',
      on: { 'it comes back': 'reconnected', leave: 'askedCutOff' },
    },
    reconnected: { description: 'The changes are still there, and can be saved.', on: { save: 'saved' } },
    askedCutOff: { description: 'The dialog is shown with Save disabled.', on: { discard: 'goneCutOff' } },
    goneCutOff: { description: 'On another screen.' },
    asked: {
      description: 'Save, discard or cancel?',
      on: { cancel: 'stayed', discard: 'goneUnchanged', save: 'goneSaved' },
    },
    stayed: { description: 'The changes are still there.' },
    saved: { description: 'The machine reports the changes, and there is nothing to save.' },
    gone: { description: 'On another screen.' },
    goneUnchanged: { description: 'On another screen; the machine is unchanged.' },
    goneSaved: { description: 'On another screen; the machine has the changes.' },
  },
})
