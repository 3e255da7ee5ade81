import { setup } from 'xstate'

/**
 * Linking, renaming and unlinking a machine. Not covered: the client on this computer, which is linked automatically at a
 * login; the resources of the machine.
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
  initial: 'unowned',
  states: {
    unowned: {
      description: 'The page says that the machine does not belong to the account, and proposes a name.',
      on: { 'type a name that is none': 'badName', 'link it': 'linked' },
    },
    badName: { description: 'The name has a validation error, and the machine cannot be linked.' },
    linked: {
      description: 'The account has the machine under that name, and there is nothing to save.',
      on: { 'rename it': 'renamed', 'unlink it': 'asked' },
    },
    renamed: { description: 'The account and the machine have the new name.' },
    asked: { description: 'A dialog warns that remote access will be lost.', on: { no: 'kept', yes: 'unlinked' } },
    kept: { description: 'The machine is still in the account.' },
    unlinked: { description: 'The machine has no account, and the account does not list it.' },
  },
})
