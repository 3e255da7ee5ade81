import { setup } from 'xstate'

/**
 * Whose a machine is, and what it is called: linking, renaming, unlinking. Leaves out: the client on this computer, which is linked
 * by itself at a login; what the machine folds with.
 */
export const linkingModel = setup({
  types: {
    events: {} as
      | { type: 'type a name that is none' }
      | { type: 'link it' }
      | { type: 'rename it' }
      | { type: 'unlink it' }
      | { type: 'no' }
      | { type: 'yes' },
  },
}).createMachine({
  id: 'linking',
  initial: 'nobodys',
  states: {
    nobodys: {
      description: 'It is said that the machine does not belong to the account, and a name is proposed.',
      on: { 'type a name that is none': 'badName', 'link it': 'linked' },
    },
    badName: { description: 'The name is complained of, and it cannot be linked.' },
    linked: {
      description: 'The account has the machine under that name, and there is nothing to save.',
      on: { 'rename it': 'renamed', 'unlink it': 'asked' },
    },
    renamed: { description: 'The account and the machine know it by the new name.' },
    asked: { description: 'Remote access will be lost: is that meant?', on: { no: 'kept', yes: 'unlinked' } },
    kept: { description: 'The account has the machine still.' },
    unlinked: { description: 'The machine belongs to nobody again, and the account knows nothing of it.' },
  },
})
