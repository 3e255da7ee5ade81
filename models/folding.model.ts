import { setup } from 'xstate'

/**
 * Fold, pause and finish for one machine or all at once. Not covered: groups; ignored commands; machines that cannot be
 * controlled.
 */
export const foldingModel = setup({
  types: {
    events: {} as
      | { type: 'pause one' }
      | { type: 'finish one' }
      | { type: 'fold it' }
      | { type: 'ask what is meant' }
      | { type: 'answer pause' }
      | { type: 'cancel' }
      | { type: 'pause all' }
      | { type: 'finish all' }
      | { type: 'fold all' },
  },
}).createMachine({
  id: 'folding',
  initial: 'folding',
  states: {
    folding: {
      description: 'Both machines fold, and so do their units.',
      on: {
        'pause one': 'onePaused',
        'finish one': 'oneFinishing',
        'ask what is meant': 'asked',
        'pause all': 'allPaused',
        'finish all': 'allFinishing',
      },
    },
    onePaused: { description: 'That one is paused with its units, and the other folds.', on: { 'fold it': 'resumed' } },
    oneFinishing: {
      description: 'That one finishes its units and takes no new ones; the other folds.',
      on: { 'fold it': 'resumed' },
    },
    asked: {
      description: 'The dialog asks: resume, pause or finish?',
      on: { 'answer pause': 'onePaused', cancel: 'unchanged' },
    },
    unchanged: { description: 'As before the dialog.' },
    allPaused: { description: 'Both machines are paused, and nothing folds.', on: { 'fold all': 'resumed' } },
    allFinishing: { description: 'Both machines finish.', on: { 'fold all': 'resumed' } },
    resumed: { description: 'Both machines fold, as at the start.' },
  },
})
