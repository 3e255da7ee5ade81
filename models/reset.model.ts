import { setup } from 'xstate'

/** A forgotten passphrase, from the request to the login with the new one. Leaves out: machines, which reconnect later. */
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
      description: 'A message says that a letter was sent, and the letter is there.',
      on: { 'follow the link': 'page' },
    },
    page: {
      description: 'The page tells the effects of a reset and complains of nothing.',
      on: { 'submit two different passphrases': 'complained', 'submit a generated passphrase': 'done' },
    },
    complained: {
      description: 'The page says that the passphrases differ.',
      on: { 'submit a generated passphrase': 'corrected' },
    },
    corrected: { description: 'As done at the first try.' },
    done: {
      description: 'The page says that it is done, and offers to log in.',
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
