import { setup } from 'xstate'

/** Searching among the machines, saving what is searched for, and coming back to it. Not covered: each kind of term. */
export const findingMachinesModel = setup({
  types: {
    events: {} as
      | { type: 'search for what holds' }
      | { type: 'search for what does not hold' }
      | { type: 'search for what is not understood' }
      | { type: 'show all machines' }
      | { type: 'leave and come back' }
      | { type: 'save it as a view' }
      | { type: 'choose the view' }
      | { type: 'make it the first' }
      | { type: 'open the page again' },
  },
}).createMachine({
  id: 'finding-machines',
  initial: 'everything',
  states: {
    everything: {
      description: 'All machines.',
      on: {
        'search for what holds': 'found',
        'search for what does not hold': 'nothing',
        'search for what is not understood': 'refused',
      },
    },
    found: {
      description: 'The machines that match, and what is searched for.',
      on: { 'leave and come back': 'stillFound', 'save it as a view': 'saved' },
    },
    stillFound: { description: 'As before another screen was shown.' },
    nothing: { description: 'No machine matches.', on: { 'show all machines': 'lifted' } },
    refused: { description: 'What is wrong is said, and it is read as text.' },
    lifted: { description: 'All machines again.' },
    saved: {
      description: 'The view is in the list, and shown.',
      on: { 'show all machines': 'left', 'make it the first': 'first' },
    },
    left: { description: 'All machines, and the view is in the list.', on: { 'choose the view': 'shown' } },
    shown: { description: 'What was saved is searched for.' },
    first: { description: 'The view is marked as the first.', on: { 'open the page again': 'begun' } },
    begun: { description: 'The page begins with the view.' },
  },
})
