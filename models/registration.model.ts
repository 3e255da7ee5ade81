import { setup } from 'xstate'

/** From no account to the first login, by email verification. Not covered: other errors in the form; reset. */
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
  initial: 'signedOut',
  states: {
    signedOut: { on: { 'open the form': 'form' } },
    form: { on: { 'submit nothing': 'complained', register: 'registered' } },
    complained: { description: 'The form shows what is missing.', on: { register: 'corrected' } },
    corrected: { description: 'Same as registered at the first attempt.' },
    registered: {
      description: 'A message says that an email was sent, and the email arrived.',
      on: { 'register again': 'exists', 'log in': 'notActive', 'follow the link': 'verified' },
    },
    exists: { description: 'The form says that the account exists.' },
    notActive: {
      description: 'The dialog says that the address must be verified first.',
      on: { 'follow the link': 'verified' },
    },
    verified: {
      description: 'The page of the link confirms it and offers to log in.',
      on: { 'log in': 'loggedIn', 'follow the link': 'linkUsed' },
    },
    linkUsed: {
      description: 'The page of the link says that it works once, and offers to log in.',
      on: { 'log in': 'loggedIn' },
    },
    loggedIn: {},
  },
})
