import { setup } from 'xstate'

/** Reading a machine's log: following, staying, searching, and a connection that is lost. Leaves out levels, steps, and lines that are trimmed. */
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
      description: 'The newest line is in sight, and so is the next one that is written.',
      on: {
        'go to the start': 'reading',
        search: 'found',
        'search wrongly': 'invalid',
        'lose the connection': 'again',
      },
    },
    reading: {
      description: 'The oldest line is in sight, whatever is written.',
      on: { 'go to the end': 'atEnd', 'lose the connection': 'readingOn' },
    },
    atEnd: { description: 'As if it had never been left.' },
    again: { description: 'The machine is back: every line is there, and each once.' },
    readingOn: { description: 'The machine is back, and the reader where they were.' },
    found: {
      description: 'Only lines found are shown.',
      on: { 'search slowly': 'slow', 'show in context': 'context' },
    },
    slow: { description: 'It says that the pattern took too long, and what was found before is still shown.' },
    context: { description: 'The line found is among its neighbours.' },
    invalid: { description: 'It says that this is no regular expression, and all lines are shown.' },
  },
})
