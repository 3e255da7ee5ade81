import { setup } from 'xstate'

/** Filtering the history of work units and resetting the filter. Not covered: fields that work like the core's. */
export const unitFilteringModel = setup({
  types: {
    events: {} as
      | { type: 'choose a core' }
      | { type: 'only completed ones' }
      | { type: 'choose failed ones' }
      | { type: 'reset the filter' }
      | { type: 'type days that are none' }
      | { type: 'within a day' }
      | { type: 'sort by points' }
      | { type: 'reload' },
  },
}).createMachine({
  id: 'unit-filtering',
  initial: 'everything',
  states: {
    everything: {
      description: 'All units, newest assignment first.',
      on: {
        'choose a core': 'ofCore',
        'type days that are none': 'badDays',
        'within a day': 'recent',
        'sort by points': 'sorted',
      },
    },
    ofCore: { description: 'The units of that core.', on: { 'only completed ones': 'completedOfCore' } },
    completedOfCore: {
      description: 'Without those that failed.',
      on: { 'choose failed ones': 'nothing', reload: 'stillCompletedOfCore' },
    },
    stillCompletedOfCore: { description: 'As before the reload.', on: { 'reset the filter': 'lifted' } },
    nothing: { description: 'No unit is completed and failed.', on: { 'reset the filter': 'lifted' } },
    lifted: { description: 'All units again.' },
    badDays: {
      description: 'The number of days has a validation error and filters nothing.',
      on: { 'within a day': 'recent' },
    },
    recent: { description: 'Those that were assigned since yesterday.' },
    sorted: { description: 'All units, most points first.', on: { reload: 'stillSorted' } },
    stillSorted: { description: 'As before the reload.' },
  },
})
