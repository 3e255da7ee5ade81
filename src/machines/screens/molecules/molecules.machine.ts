import { assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { Structure } from '../../../folding/molecule/structure.ts'
import type { MoleculeNotification } from '../../connection/client/client.events.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import { sendToSibling } from '../../shared/siblings.ts'
import type { MoleculeStoreCommand } from '../viewer/viewer.events.ts'
import {
  entryOf,
  initialContext,
  isDrawable,
  isEnough,
  isSame,
  left,
  stillOf,
  wanted,
  withEntry,
  type Entry,
  type MoleculesContext,
  type Progress,
} from './molecules.context.ts'
import type { MoleculesEvent, Subject } from './molecules.events.ts'

type Received = Subject & { readonly structure?: Structure }

type StreamCommand = 'client.subscribeMolecule' | 'client.unsubscribeMolecule'

/** The molecule that is waited for, if a picture can be drawn of it. */
function drawableOf({ subject }: MoleculesContext, { structure, ...other }: Received): Structure | undefined {
  return subject !== undefined && isSame(subject, other) && isDrawable(structure) ? structure : undefined
}
function isUnread({ readers, progress }: Entry): boolean {
  return readers > 0 && progress === 'unread'
}
function isAskable({ readers, progress, mayAsk }: Entry): boolean {
  return readers > 0 && progress === 'missing' && mayAsk
}

const takesWhole = {
  guard: { type: 'isWhole', params: ({ event }: { event: MoleculeNotification }) => event },
  target: '#molecules.idle',
  actions: [
    { type: 'take', params: ({ event }: { event: MoleculeNotification }) => event },
    { type: 'assignProgress', params: 'known' },
  ],
} as const

export const moleculesMachine = setup({
  types: { context: {} as MoleculesContext, events: {} as MoleculesEvent },
  actors: {
    /** Stores molecules in this browser. */
    moleculeStore: actorPlaceholder<MoleculeStoreCommand, undefined>('moleculeStore'),
  },
  delays: {
    /** Limit for loading a stored molecule: some browsers never answer. */
    restoreTimeout: 3000,
    /** Limit for the atoms and one frame, some megabytes through a relay. */
    askTimeout: 60_000,
    gatherTime: 1000,
  },
  guards: {
    hasUnread: ({ context: { entries } }) => entries.some(isUnread),
    hasAskable: ({ context: { entries } }) => entries.some(isAskable),
    isSubject: ({ context: { subject } }, other: Subject) => subject !== undefined && isSame(subject, other),
    isMolecule: ({ context }, received: Received) => drawableOf(context, received) !== undefined,
    /** A molecule with as many frames as are asked for. */
    isWhole: ({ context }, received: Received) => isEnough(drawableOf(context, received)),
    isUnwanted: ({ context }) => {
      const entry = context.subject === undefined ? undefined : entryOf(context, context.subject)
      return entry === undefined || !isAskable(entry)
    },
  },
  actions: {
    assignMayAsk: assign(
      ({ context: { entries } }, { mayAsk, ...subject }: Subject & { readonly mayAsk: boolean }) => ({
        entries: withEntry(entries, subject, () => ({ mayAsk })),
      }),
    ),
    forgetFailure: assign(({ context: { entries } }, subject: Subject) => ({
      entries: withEntry(entries, subject, ({ progress }) => ({
        progress: progress === 'failed' ? 'missing' : progress,
      })),
    })),
    readStored: enqueueActions(({ context: { subject }, enqueue }) => {
      if (subject === undefined) return
      const { client, unit } = subject
      enqueue.sendTo('store', { type: 'store.restore', client, unit, frames: 1 } satisfies MoleculeStoreCommand)
    }),
    assignProgress: assign(({ context: { entries, subject } }, progress: Progress) =>
      subject === undefined ? {} : { entries: withEntry(entries, subject, () => ({ progress })) },
    ),
    assignStructure: assign(({ context: { entries, subject } }, structure: Structure | undefined) =>
      subject === undefined || structure === undefined
        ? {}
        : { entries: withEntry(entries, subject, () => ({ structure: stillOf(structure) })) },
    ),
    tellClient: enqueueActions((args, type: StreamCommand) => {
      const { subject } = args.context
      if (subject !== undefined)
        sendToSibling(args, `client:${subject.client}`, { type, unit: subject.unit, reader: 'molecules' })
    }),
    take: enqueueActions(({ context: { entries }, enqueue }, { client, unit, structure }: Required<Received>) => {
      enqueue.assign({ entries: withEntry(entries, { client, unit }, () => ({ structure: stillOf(structure) })) })
      enqueue.sendTo('store', { type: 'store.save', client, unit, structure } satisfies MoleculeStoreCommand)
    }),
  },
}).createMachine({
  id: 'molecules',
  description:
    'Molecules for still pictures: one after the other, from this browser or from the client, each with one frame.',
  context: initialContext,
  invoke: { src: 'moleculeStore', id: 'store' },
  initial: 'idle',
  on: {
    'molecules.want': { actions: assign(({ context: { entries }, event }) => ({ entries: wanted(entries, event) })) },
    'molecules.leave': { actions: assign(({ context: { entries }, event }) => ({ entries: left(entries, event) })) },
    'molecules.allow': {
      actions: { type: 'assignMayAsk', params: ({ event: { client, unit, mayAsk } }) => ({ client, unit, mayAsk }) },
    },
    'molecules.retry': { actions: { type: 'forgetFailure', params: ({ event }) => event } },
    'molecules.clear': {
      actions: assign(({ context: { entries } }) => ({ entries: entries.filter(({ readers }) => readers > 0) })),
    },
  },
  states: {
    idle: {
      always: [
        { guard: 'hasUnread', target: 'restoring' },
        { guard: 'hasAskable', target: 'asking' },
      ],
    },
    restoring: {
      description: 'Reading what this browser has stored.',
      entry: [assign(({ context: { entries } }) => ({ subject: entries.find(isUnread) })), 'readStored'],
      after: { restoreTimeout: { target: 'idle', actions: { type: 'assignProgress', params: 'missing' } } },
      on: {
        'molecule.restored': [
          {
            guard: { type: 'isMolecule', params: ({ event }) => event },
            target: 'idle',
            actions: [
              { type: 'assignStructure', params: ({ event }) => event.structure },
              { type: 'assignProgress', params: 'known' },
            ],
          },
          {
            guard: { type: 'isSubject', params: ({ event }) => event },
            target: 'idle',
            actions: { type: 'assignProgress', params: 'missing' },
          },
        ],
      },
    },
    asking: {
      description: 'The client sends the atoms and all frames; it is stopped after the first ones.',
      entry: [
        assign(({ context: { entries } }) => ({ subject: entries.find(isAskable) })),
        { type: 'tellClient', params: 'client.subscribeMolecule' },
      ],
      exit: { type: 'tellClient', params: 'client.unsubscribeMolecule' },
      always: { guard: 'isUnwanted', target: 'idle' },
      initial: 'waiting',
      states: {
        waiting: {
          after: { askTimeout: { target: '#molecules.idle', actions: { type: 'assignProgress', params: 'failed' } } },
          on: {
            'molecule.changed': [
              takesWhole,
              {
                guard: { type: 'isMolecule', params: ({ event }) => event },
                target: 'gathering',
                actions: { type: 'take', params: ({ event }) => event },
              },
              {
                guard: { type: 'isSubject', params: ({ event }) => event },
                actions: { type: 'assignStructure', params: ({ event }) => event.structure },
              },
            ],
          },
        },
        gathering: {
          description:
            'Frames that come within a moment are kept too: the viewer needs them, and the last one is shown.',
          after: { gatherTime: { target: '#molecules.idle', actions: { type: 'assignProgress', params: 'known' } } },
          on: {
            'molecule.changed': [
              takesWhole,
              {
                guard: { type: 'isMolecule', params: ({ event }) => event },
                actions: { type: 'take', params: ({ event }) => event },
              },
            ],
          },
        },
      },
    },
  },
})

export type MoleculesRef = ActorRefFrom<typeof moleculesMachine>
export type MoleculesSnapshot = SnapshotFrom<typeof moleculesMachine>
