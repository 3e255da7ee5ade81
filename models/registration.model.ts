import { setup } from 'xstate'

/** From no account to the first login, through the letter. Leaves out: what else can be wrong in the form; reset. */
export const registrationModel = setup({
  types: {
    events: {} as
      | { type: 'open the form' }
      | { type: 'submit nothing' }
      | { type: 'register' }
      | { type: 'register again' }
      | { type: 'log in' }
      | { type: 'follow the link' },
  },
}).createMachine({
  id: 'registration',
  initial: 'nobody',
  states: {
    nobody: { on: { 'open the form': 'form' } },
    form: { on: { 'submit nothing': 'complained', register: 'registered' } },
    complained: { description: 'The form says what is missing.', on: { register: 'corrected' } },
    corrected: { description: 'As registered at the first try.' },
    registered: {
      description: 'A message says that a letter was sent, and the letter is there.',
      on: { 'register again': 'exists', 'log in': 'notActive', 'follow the link': 'verified' },
    },
    exists: { description: 'The form says that there is such an account.' },
    notActive: {
      description: 'The dialog says that the address must be verified first.',
      on: { 'follow the link': 'verified' },
    },
    verified: {
      description: 'The page of the link says so, and offers to log in.',
      on: { 'log in': 'loggedIn', 'follow the link': 'linkUsed' },
    },
    linkUsed: {
      description: 'The page of the link says that it works once, and offers to log in.',
      on: { 'log in': 'loggedIn' },
    },
    loggedIn: {},
  },
})
