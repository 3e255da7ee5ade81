import { setup } from 'xstate'

/**
 * Enrolling an account at the server, and what its machines may be told afterwards. Not covered: a provider's sign-in; new
 * keys of the account, which end the session.
 */
export const enrollingModel = setup({
  types: {
    events: {} as
      | { type: 'enter a wrong passphrase' }
      | { type: 'enter the passphrase' }
      | { type: 'start the server' }
      | { type: 'open a machine' }
      | { type: 'pause it' }
      | { type: 'let a schedule pause it' }
      | { type: 'allow commands' }
      | { type: 'let others read the key' }
      | { type: 'lose the key' },
  },
}).createMachine({
  id: 'enrolling',
  initial: 'unknown',
  states: {
    unknown: {
      description: 'Nothing of the account is stored.',
      on: { 'enter a wrong passphrase': 'refused', 'enter the passphrase': 'enrolled' },
    },
    refused: { description: 'The reason is said, and nothing is stored.' },
    enrolled: {
      description: 'The file of the account has neither passphrase nor a readable key, and only its owner can read it.',
      on: {
        'start the server': 'listed',
        'let others read the key': 'exposed',
        'lose the key': 'locked',
        'allow commands': 'allowed',
      },
    },
    exposed: { description: 'The server does not start, and says how to correct it.' },
    locked: { description: 'The server does not start, and says that the account must be enrolled again.' },
    listed: {
      description: 'The machines of the account are listed, with their state.',
      on: { 'open a machine': 'opened' },
    },
    opened: { description: 'A page gets the state of the machine.', on: { 'pause it': 'observed' } },
    observed: { description: 'The machine folds on, and the refusal is recorded nowhere as an action.' },
    allowed: {
      description: 'A page gets the state of a machine that may be told to pause.',
      on: { 'pause it': 'paused', 'let a schedule pause it': 'scheduled' },
    },
    scheduled: { description: 'The machine is paused, and the record names the schedule.' },
    paused: { description: 'The machine is paused, and the record says who did it.' },
  },
})
