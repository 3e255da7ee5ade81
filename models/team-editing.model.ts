import { setup } from 'xstate'

/** Making, editing and deleting a team. Leaves out: the logo; teams with points, which nobody gets within a test. */
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
        cancel: 'cancelled',
      },
    },
    badName: {
      description: 'The name is complained of, and it cannot be saved.',
      on: { 'type a good team': 'corrected' },
    },
    badAddress: { description: 'The address is complained of, and it cannot be saved.' },
    corrected: { description: 'As good as typed so at first.' },
    good: { description: 'It can be saved.', on: { save: 'listed' } },
    cancelled: { description: 'The account still owns no team.' },
    listed: {
      description: 'The team is in the list, and at the server.',
      on: { 'edit its name': 'renamed', 'delete it': 'asked' },
    },
    renamed: { description: 'The list has the new name.' },
    asked: { description: 'It cannot be recovered: is that meant?', on: { 'keep it': 'kept', confirm: 'deleted' } },
    kept: { description: 'The team is in the list.' },
    deleted: { description: 'The account owns no team again.' },
  },
})
