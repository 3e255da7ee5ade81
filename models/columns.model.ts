import { setup } from 'xstate'

/**
 * Which columns of work units are shown, and in which order. Not covered: dragging; how many fit into a narrow window; columns of
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
      description: 'The default columns; nothing to save or reset.',
      on: { 'disable one': 'fewer', 'disable all': 'one', 'enable one': 'more' },
    },
    fewer: {
      description: 'The column is in the list of disabled ones.',
      on: { 'put them back': 'restored', save: 'saved', leave: 'asked' },
    },
    one: { description: 'The last one cannot be disabled.', on: { 'put them back': 'restored' } },
    more: { description: 'The column is the last of those shown.', on: { save: 'savedMore' } },
    restored: { description: 'As at the start; nothing to save or reset.' },
    saved: { description: 'The server has the columns, and there is nothing to save.', on: { reload: 'stillSaved' } },
    savedMore: { description: 'The server has the columns in their order.' },
    stillSaved: { description: 'As before the reload.' },
    asked: { description: 'Save, discard or cancel?', on: { save: 'goneSaved', discard: 'gone', cancel: 'stayed' } },
    stayed: { description: 'The selection is still there.' },
    gone: { description: 'On another screen; nothing was saved.' },
    goneSaved: { description: 'On another screen; the server has the columns.' },
  },
})
