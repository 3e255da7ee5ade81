import { setup } from 'xstate'

/** Reading a machine's log: following the end, scrolling, searching, and a lost connection. Not covered: levels, stepping, trimmed lines. */
export const logModel = setup({
  types: {
    events: {} as
      | { type: 'open the log' }
      | { type: 'go to the start' }
      | { type: 'go to the end' }
      | { type: 'search' }
      | { type: 'search slowly' }
      | { type: 'search wrongly' }
      | { type: 'show in context' }
      | { type: 'lose the connection' },
  },
}).createMachine({
  id: 'log',
  initial: 'machines',
  states: {
    machines: { on: { 'open the log': 'following' } },
    following: {
      description: 'The newest line is visible, and so is the next one that is written.',
      on: {
        'go to the start': 'reading',
        search: 'found',
        'search wrongly': 'invalid',
        'lose the connection': 'again',
      },
    },
    reading: {
      description: 'The oldest line stays visible while lines are written.',
      on: { 'go to the end': 'atEnd', 'lose the connection': 'readingOn' },
    },
    atEnd: { description: 'Following the end again.' },
    again: { description: 'The machine is reconnected: every line is shown once.' },
    readingOn: { description: 'The machine is reconnected, and the scroll position is unchanged.' },
    found: {
      description: 'Only matching lines are shown.',
      on: { 'search slowly': 'slow', 'show in context': 'context' },
    },
    slow: { description: 'A message says that the pattern took too long; the previous result is still shown.' },
    context: { description: 'The match is shown among its neighboring lines.' },
    invalid: { description: 'A message says that the regular expression is invalid, and all lines are shown.' },
  },
})
