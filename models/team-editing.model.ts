import { setup } from 'xstate'

/** Creating, editing and deleting a team. Not covered: the logo; teams with points. */
export const teamEditingModel = setup({
  types: {
    events: {} as
      | { type: 'begin a team' }
      | { type: 'type a name that is none' }
      | { type: 'type an unsafe address' }
      | { type: 'type a good team' }
      | { type: 'save' }
      | { type: 'cancel' }
      | { type: 'edit its name' }
      | { type: 'delete it' }
      | { type: 'keep it' }
      | { type: 'confirm' },
  },
}).createMachine({
  id: 'team-editing',
  initial: 'none',
  states: {
    none: { description: 'The account owns no team.', on: { 'begin a team': 'empty' } },
    empty: {
      description: 'The dialog, with nothing to save.',
      on: {
        'type a name that is none': 'badName',
        'type an unsafe address': 'badAddress',
        'type a good team': 'good',
        cancel: 'canceled',
      },
    },
    badName: {
      description: 'The name has a validation error, and Save is disabled.',
      on: { 'type a good team': 'corrected' },
    },
    badAddress: { description: 'The address has a validation error, and Save is disabled.' },
    corrected: { description: 'Same as typed correctly at first.' },
    good: { description: 'It can be saved.', on: { save: 'listed' } },
    canceled: { description: 'The account still owns no team.' },
    listed: {
      description: 'The team is in the list and on the server.',
      on: { 'edit its name': 'renamed', 'delete it': 'asked' },
    },
    renamed: { description: 'The list has the new name.' },
    asked: {
      description: 'A dialog warns that it cannot be recovered.',
      on: { 'keep it': 'kept', confirm: 'deleted' },
    },
    kept: { description: 'The team is in the list.' },
    deleted: { description: 'The account owns no team again.' },
  },
})
