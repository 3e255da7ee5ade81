import { setup } from 'xstate'

/** Editing the account, saving it, and leaving with unsaved changes. Not covered: each single field; changes made elsewhere. */
export const accountChangesModel = setup({
  types: {
    events: {} as
      | { type: 'change the user name' }
      | { type: 'change it back' }
      | { type: 'type a user name that is none' }
      | { type: 'switch to dark mode' }
      | { type: 'save' }
      | { type: 'save while the server is down' }
      | { type: 'leave' }
      | { type: 'cancel' }
      | { type: 'discard' },
  },
}).createMachine({
  id: 'account-changes',
  initial: 'unchanged',
  states: {
    unchanged: {
      description: 'There is nothing to save.',
      on: {
        'change the user name': 'changed',
        'type a user name that is none': 'invalid',
        'switch to dark mode': 'previewed',
        leave: 'gone',
      },
    },
    changed: {
      description: 'It can be saved.',
      on: { 'change it back': 'restored', save: 'saved', 'save while the server is down': 'failed', leave: 'asked' },
    },
    restored: { description: 'There is nothing to save again.', on: { leave: 'gone' } },
    failed: { description: 'A message gives the reason; the changes are still there.', on: { save: 'saved' } },
    invalid: {
      description: 'The field shows a validation error, and Save is disabled.',
      on: { leave: 'askedInvalid' },
    },
    previewed: { description: 'The page previews the dark theme; nothing is saved.', on: { leave: 'askedPreviewed' } },
    asked: {
      description: 'Save, discard or cancel?',
      on: { cancel: 'stayed', discard: 'goneUnchanged', save: 'goneSaved' },
    },
    askedInvalid: { description: 'The dialog is shown with Save disabled.', on: { discard: 'goneUnchanged' } },
    askedPreviewed: { on: { discard: 'goneUnchanged' } },
    stayed: { description: 'The changes are still there.' },
    saved: { description: 'The server has the changes, and there is nothing to save.' },
    gone: { description: 'On another screen.' },
    goneUnchanged: { description: 'On another screen; the account and the appearance are unchanged.' },
    goneSaved: { description: 'On another screen; the server has the changes.' },
  },
})
