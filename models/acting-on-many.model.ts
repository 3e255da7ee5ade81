import { setup } from 'xstate'

/** Selecting two machines that fold, and doing something with both. Not covered: each setting, names, the account. */
export const actingOnManyModel = setup({
  types: {
    events: {} as
      | { type: 'select both' }
      | { type: 'prepare to pause' }
      | { type: 'cancel' }
      | { type: 'confirm' }
      | { type: 'one goes away' }
      | { type: 'undo' }
      | { type: 'prepare a tag' },
  },
}).createMachine({
  id: 'acting-on-many',
  initial: 'folding',
  states: {
    folding: { description: 'Both fold, and nothing is selected.', on: { 'select both': 'selected' } },
    selected: {
      description: 'Two machines are selected.',
      on: { 'prepare to pause': 'prepared', 'prepare a tag': 'taggable' },
    },
    prepared: {
      description: 'The preview says that both would change. Both fold.',
      on: { cancel: 'cancelled', confirm: 'paused', 'one goes away': 'incomplete' },
    },
    cancelled: { description: 'Both fold, and both are selected.' },
    incomplete: {
      description: 'The preview says that one would change, and one is not connected.',
      on: { confirm: 'onePaused' },
    },
    onePaused: { description: 'The one that is there is paused; the result names what was skipped.' },
    paused: {
      description: 'Both are paused, and the result says that two of two are done.',
      on: { undo: 'resumed' },
    },
    resumed: { description: 'Both fold again.' },
    taggable: { description: 'The preview says that both would get the tag.', on: { confirm: 'tagged' } },
    tagged: { description: 'Both have the tag.', on: { undo: 'untagged' } },
    untagged: { description: 'Neither has a tag.' },
  },
})
