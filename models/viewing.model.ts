import { setup } from 'xstate'

/**
 * Looking at a work unit's molecule. Leaves out: how it is turned and moved by hand, colours, files, and molecules that
 * something is wrong with.
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
      description: 'The first of several frames, as balls and sticks, which turns by itself.',
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
    sticks: { description: 'It is told and shown that these are sticks.' },
    paused: { description: 'It stands still.' },
    wiggling: { description: 'Frames change by themselves.', on: { 'stop wiggling': 'still' } },
    still: { description: 'Frames change no more.' },
    lost: {
      description: 'The molecule is still there, and it is said that the machine is not.',
      on: { 'get the machine back': 'back' },
    },
    back: { description: 'Nothing is said any more, and as many frames are there as before.' },
    unknown: { description: 'It is said that the machine has no such unit.', on: { close: 'closed' } },
    closed: { description: 'The machines again; nobody asks for frames any more.' },
  },
})
