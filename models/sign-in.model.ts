import { setup } from 'xstate'

/**
 * Logging in and out with a passphrase. Not covered: registration, reset and providers, which have models of their own
 * or none yet; several tabs; a server that does not answer.
 */
export const signInModel = setup({
  types: {
    events: {} as
      | { type: 'open the dialog' }
      | { type: 'submit nothing' }
      | { type: 'submit a wrong passphrase' }
      | { type: 'submit the right passphrase' }
      | { type: 'cancel' }
      | { type: 'reload' }
      | { type: 'log out' },
  },
}).createMachine({
  id: 'sign-in',
  initial: 'loggedOut',
  states: {
    loggedOut: { description: 'A Login button and no account.', on: { 'open the dialog': 'asked' } },
    asked: {
      description: 'The dialog shows no errors yet.',
      on: {
        'submit nothing': 'complained',
        'submit a wrong passphrase': 'refused',
        'submit the right passphrase': 'loggedIn',
        cancel: 'closed',
      },
    },
    complained: {
      description: 'The dialog says what is missing.',
      on: { cancel: 'closed' },
    },
    refused: {
      description: 'The dialog says that the passphrase is wrong.',
      on: { 'submit the right passphrase': 'corrected' },
    },
    corrected: { description: 'Same as logged in at the first attempt.' },
    loggedIn: {
      description: 'The account is named in the header, its machines are listed.',
      on: { reload: 'remembered', 'log out': 'left' },
    },
    remembered: { description: 'As before the reload, without a dialog.', on: { 'log out': 'left' } },
    closed: { description: 'As before the dialog.' },
    left: { description: 'No data of the account is on the screen or on the device.' },
  },
})
