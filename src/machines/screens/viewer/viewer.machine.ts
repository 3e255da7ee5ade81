import { assign, and, not, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { playbackInterval, WIGGLE_INTERVAL } from '../../../folding/molecule/playback.ts'
import { initialContext, type Recording, type ViewerContext } from './viewer.context.ts'
import type { FileToSave, ViewerEvent } from './viewer.events.ts'
import { viewerSetup } from './viewer.setup.ts'

const wantsFile = {
  'viewer.savePicture': 'saving',
  'viewer.saveMolecule': { guard: 'hasMolecule', target: 'saving' },
  'viewer.record': {
    guard: 'hasMolecule',
    target: 'recording',
    actions: { type: 'assignRecording', params: ({ event }: { event: Omit<Recording, 'share'> }) => event },
  },
} as const

export const viewerMachine = viewerSetup.createMachine({
  id: 'viewer',
  description: 'The molecule viewer: data stream, drawing style, rotation, playback and pointer.',
  context: initialContext,
  type: 'parallel',
  invoke: { src: 'moleculeStore', id: 'store' },
  on: {
    'viewer.setStyle': { actions: assign(({ event }) => ({ style: event.style })) },
    'viewer.setColoring': { actions: assign(({ event }) => ({ coloring: event.coloring })) },
    'viewer.toggle': {
      actions: assign(({ context, event: { option } }) => ({ ...context, [option]: !context[option] })),
    },
    'viewer.hover': { actions: { type: 'assignHovered', params: ({ event }) => event.atom } },
    'viewer.pick': { actions: { type: 'togglePicked', params: ({ event }) => event.atom } },
    'viewer.focus': { actions: assign(({ event }) => ({ focus: event.residue })) },
    'viewer.clearStore': { actions: 'clearStore' },
    'viewer.webglMissing': { actions: 'showWebglMessage' },
  },
  states: {
    stream: {
      initial: 'closed',
      on: { 'viewer.open': { target: '.restoring', actions: { type: 'assignSubject', params: ({ event }) => event } } },
      states: {
        closed: {},
        restoring: {
          description: 'Loading the stored part of the molecule, which is not requested again.',
          tags: 'loading',
          entry: 'loadStored',
          after: { restoreTimeout: 'streaming' },
          on: {
            'viewer.close': { target: 'closed', actions: 'clearSubject' },
            'molecule.restored': {
              guard: { type: 'isSubject', params: ({ event }) => event },
              target: 'streaming',
              actions: { type: 'assignStored', params: ({ event }) => event.structure },
            },
          },
        },
        streaming: {
          description: 'The machine sends the missing parts and new frames.',
          entry: 'subscribeMolecule',
          exit: 'unsubscribeMolecule',
          on: {
            'viewer.close': { target: 'closed', actions: 'clearSubject' },
            'molecule.changed': {
              guard: { type: 'isSubject', params: ({ event }) => event },
              actions: [{ type: 'assignStructure', params: ({ event }) => event.structure }, 'store'],
            },
          },
        },
      },
    },
    rotation: {
      initial: 'running',
      on: {
        'viewer.economize': {
          target: '.paused',
          actions: assign(({ event }) => ({ economy: event.because })),
        },
        'viewer.setReducedMotion': [
          { guard: ({ event }) => event.isStill, target: '.paused', actions: assign({ prefersStill: true }) },
          { actions: assign({ prefersStill: false }) },
        ],
      },
      states: {
        running: {
          description: 'It rotates, except while it is dragged.',
          on: { 'viewer.toggleRotation': 'paused' },
        },
        paused: { on: { 'viewer.toggleRotation': 'running' } },
      },
    },
    motion: {
      initial: 'waiting',
      on: {
        'viewer.open': '.waiting',
        'viewer.close': '.waiting',
        'viewer.economize': '.still',
        'viewer.setSpeed': { actions: assign(({ event }) => ({ speed: event.speed })) },
        'viewer.setSwing': { actions: assign(({ event }) => ({ swings: event.swings, direction: 1 as const })) },
        'viewer.step': {
          guard: 'hasSeveralFrames',
          target: '.still',
          actions: { type: 'step', params: ({ event }) => event.by },
        },
        'viewer.goTo': {
          guard: { type: 'isFrame', params: ({ event }) => event.frame },
          target: '.still',
          actions: assign(({ event }) => ({ frame: event.frame })),
        },
        'viewer.setReducedMotion': { guard: ({ event }) => event.isStill, target: '.still' },
      },
      states: {
        waiting: {
          description: 'It plays as soon as there are frames, unless the user prefers reduced motion.',
          always: [
            { guard: and(['hasMolecule', 'hasSeveralFrames', 'prefersStill']), target: 'still' },
            { guard: and(['hasMolecule', 'hasSeveralFrames']), target: 'playing' },
          ],
        },
        still: {
          on: {
            'viewer.toggleWiggle': { guard: 'hasSeveralFrames', target: 'wiggling' },
            'viewer.togglePlayback': { guard: 'hasSeveralFrames', target: 'playing' },
          },
        },
        wiggling: {
          description: 'Ten frames per second.',
          invoke: { src: 'framePacer', input: { every: WIGGLE_INTERVAL } },
          on: {
            'viewer.toggleWiggle': 'still',
            'viewer.togglePlayback': 'playing',
            'viewer.frameElapsed': { actions: { type: 'step', params: 1 } },
          },
        },
        playing: {
          description: 'Slow enough to follow the folding.',
          invoke: { src: 'framePacer', input: ({ context }) => ({ every: playbackInterval(context.speed) }) },
          on: {
            'viewer.togglePlayback': 'still',
            'viewer.toggleWiggle': 'wiggling',
            'viewer.frameElapsed': { actions: 'advance' },
            'viewer.setSpeed': {
              target: 'playing',
              reenter: true,
              actions: assign(({ event }) => ({ speed: event.speed })),
            },
          },
        },
      },
    },
    pointer: {
      initial: 'free',
      on: { 'viewer.open': '.free', 'viewer.close': '.free' },
      states: {
        free: { on: { 'viewer.grab': 'dragging' } },
        dragging: {
          on: {
            'viewer.release': [
              { guard: and([({ event }) => event.isCoasting, not('prefersStill')]), target: 'coasting' },
              { target: 'free' },
            ],
          },
        },
        coasting: {
          description: 'Released while moving: it rotates on and slows down.',
          on: { 'viewer.grab': 'dragging', 'viewer.endCoasting': 'free', 'viewer.setReducedMotion': 'free' },
        },
      },
    },
    layout: {
      initial: 'inline',
      on: { 'viewer.open': '.inline', 'viewer.close': '.inline' },
      states: {
        inline: { on: { 'viewer.toggleFullScreen': { guard: 'isOpen', target: 'fullScreen' } } },
        fullScreen: {
          tags: 'fullScreen',
          on: { 'viewer.toggleFullScreen': 'inline', 'viewer.leaveFullScreen': 'inline' },
        },
      },
    },
    file: {
      initial: 'none',
      on: { 'viewer.cancelFile': '.none' },
      states: {
        none: { on: { ...wantsFile, 'viewer.pictureFailed': 'failed' } },
        recording: {
          description: 'The screen draws the pictures of a video and reports them.',
          tags: ['saving', 'recording'],
          exit: assign({ recording: undefined }),
          on: {
            'viewer.recordingProgressed': {
              actions: assign(({ context: { recording }, event }) =>
                recording === undefined ? {} : { recording: { ...recording, share: event.share } },
              ),
            },
            'viewer.recorded': 'saving',
            'viewer.recordingFailed': 'failed',
            'viewer.open': 'none',
            'viewer.close': 'none',
          },
        },
        saving: {
          tags: 'saving',
          invoke: {
            src: 'saveFile',
            input: ({ context, event }) => fileOf(context, event),
            onDone: 'none',
            onError: 'failed',
          },
        },
        failed: {
          description: 'The browser could not make the file.',
          tags: 'saveFailed',
          on: { ...wantsFile, 'viewer.open': 'none', 'viewer.close': 'none' },
        },
      },
    },
  },
})

export type ViewerRef = ActorRefFrom<typeof viewerMachine>
export type ViewerSnapshot = SnapshotFrom<typeof viewerMachine>

function fileOf({ structure: { topology }, frames, frame: shown }: ViewerContext, event: ViewerEvent): FileToSave {
  if (event.type === 'viewer.recorded') return { kind: 'picture', name: event.name, picture: event.file }
  if (event.type === 'viewer.savePicture') return { kind: 'picture', name: event.name, picture: event.picture }
  const frame = frames[shown]
  if (event.type !== 'viewer.saveMolecule' || topology === undefined || frame === undefined)
    throw new Error('There is nothing to save.')
  return {
    kind: 'molecule',
    name: event.name,
    format: event.format,
    topology,
    frames: event.isTrajectory ? frames : [frame],
  }
}
