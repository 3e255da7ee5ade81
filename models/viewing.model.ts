import { setup } from 'xstate'

/**
 * Viewing a work unit's molecule. Not covered: dragging, colors, files, and molecules with faults.
 */
export const viewingModel = setup({
  types: {
    events: {} as
      | { type: 'open the view' }
      | { type: 'step back' }
      | { type: 'step forward' }
      | { type: 'choose the third style' }
      | { type: 'pause the rotation' }
      | { type: 'wiggle' }
      | { type: 'stop wiggling' }
      | { type: 'lose the machine' }
      | { type: 'get the machine back' }
      | { type: 'open a unit that is not there' }
      | { type: 'close' },
  },
}).createMachine({
  id: 'viewing',
  initial: 'machines',
  states: {
    machines: {
      description: 'The machines, with their units.',
      on: { 'open the view': 'first', 'open a unit that is not there': 'unknown' },
    },
    first: {
      description: 'The first of several frames, as a cartoon, rotating; it has played and was stopped.',
      on: {
        'step back': 'last',
        'choose the third style': 'sticks',
        'pause the rotation': 'paused',
        wiggle: 'wiggling',
        'lose the machine': 'lost',
        close: 'closed',
      },
    },
    last: { description: 'The last frame: there is none before the first.', on: { 'step forward': 'around' } },
    around: { description: 'The first frame again.' },
    sticks: { description: 'The style is announced and drawn as sticks.' },
    paused: { description: 'The rotation is stopped.' },
    wiggling: { description: 'Frames change by themselves.', on: { 'stop wiggling': 'still' } },
    still: { description: 'The frames no longer change.' },
    lost: {
      description: 'The molecule is still shown, with a notice that the machine is disconnected.',
      on: { 'get the machine back': 'back' },
    },
    back: { description: 'The notice is gone, and there are as many frames as before.' },
    unknown: { description: 'The page says that the machine has no such unit.', on: { close: 'closed' } },
    closed: { description: 'The machines are shown; frames are no longer requested.' },
  },
})
