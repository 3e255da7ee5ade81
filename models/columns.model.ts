import { setup } from 'xstate'

/**
 * Which columns of work units are shown, and in which order. Leaves out: dragging; how many a narrow window has room for; columns of
 * newer dashboards.
 */
export const columnsModel = setup({
  types: {
    events: {} as
      | { type: 'disable one' }
      | { type: 'disable all' }
      | { type: 'enable one' }
      | { type: 'put them back' }
      | { type: 'save' }
      | { type: 'leave' }
      | { type: 'discard' }
      | { type: 'cancel' }
      | { type: 'reload' },
  },
}).createMachine({
  id: 'columns',
  initial: 'usual',
  states: {
    usual: {
      description: 'The usual columns, and nothing to save or to put back.',
      on: { 'disable one': 'fewer', 'disable all': 'one', 'enable one': 'more' },
    },
    fewer: {
      description: 'The column stands among those that are disabled.',
      on: { 'put them back': 'restored', save: 'saved', leave: 'asked' },
    },
    one: { description: 'The last one cannot be disabled.', on: { 'put them back': 'restored' } },
    more: { description: 'The column stands last among those that are shown.', on: { save: 'savedMore' } },
    restored: { description: 'As in the beginning, with nothing to save or to put back.' },
    saved: { description: 'The server has the columns, and there is nothing to save.', on: { reload: 'stillSaved' } },
    savedMore: { description: 'The server has the columns in their order.' },
    stillSaved: { description: 'As before the reload.' },
    asked: { description: 'Save, discard or cancel?', on: { save: 'goneSaved', discard: 'gone', cancel: 'stayed' } },
    stayed: { description: 'What was chosen is still there.' },
    gone: { description: 'On another screen, and the server knows of nothing.' },
    goneSaved: { description: 'On another screen, and the server has the columns.' },
  },
})
