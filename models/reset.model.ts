import { setup } from 'xstate'

/** A forgotten passphrase, from the request to the login with the new one. Not covered: machines, which reconnect later. */
export const resetModel = setup({
  types: {
    events: {} as
      | { type: 'ask for a reset' }
      | { type: 'follow the link' }
      | { type: 'submit two different passphrases' }
      | { type: 'submit a generated passphrase' }
      | { type: 'log in with the old passphrase' }
      | { type: 'log in with the new passphrase' }
      | { type: 'use the link again' },
  },
}).createMachine({
  id: 'reset',
  initial: 'forgotten',
  states: {
    forgotten: { on: { 'ask for a reset': 'asked' } },
    asked: {
      description: 'A message says that an email was sent, and the email arrived.',
      on: { 'follow the link': 'page' },
    },
    page: {
      description: 'The page explains the effects of a reset and shows no errors.',
      on: { 'submit two different passphrases': 'complained', 'submit a generated passphrase': 'done' },
    },
    complained: {
      description: 'The page says that the passphrases differ.',
      on: { 'submit a generated passphrase': 'corrected' },
    },
    corrected: { description: 'Same as done at the first attempt.' },
    done: {
      description: 'The page confirms the reset and offers to log in.',
      on: {
        'log in with the old passphrase': 'refused',
        'log in with the new passphrase': 'loggedIn',
        'use the link again': 'linkUsed',
      },
    },
    refused: {
      description: 'The dialog says that the passphrase is wrong.',
      on: { 'log in with the new passphrase': 'loggedIn' },
    },
    linkUsed: { description: 'The page says that the link was used already.' },
    loggedIn: {},
  },
})
