import { assign, enqueueActions, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { clientKeyOf } from '../../../folding/client/client.ts'
import { type ProcessorNotes, withNotes, NO_NOTES, notesOf } from '../../../folding/client/processor-notes.ts'
import { advanceNotes, type NotesStep } from '../../../folding/client/processor-changes.ts'
import { viewOf } from '../../connection/client/client.report.ts'
import { selectShownIds } from '../../connection/fleet/fleet.selectors.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { sendToSibling, siblingOf, type SiblingSystem } from '../../shared/siblings.ts'
import type { KeepProcessors, NoteProcessors, ProcessorsEvent, ProcessorsNotification } from './processors.events.ts'

export type ProcessorsContext = {
  readonly notes: ProcessorNotes
  /** Whether the server of this page keeps the notes too, and watches its own clients. */
  readonly isServed: boolean
}

type Advance = NotesStep & { readonly id: string; readonly client: string }

/** Of the clients that are connected; those of a server are left to it, also where they are shown by another connection. */
function advances({ notes, isServed }: ProcessorsContext, now: number, system: SiblingSystem): readonly Advance[] {
  const fleet = siblingOf(system, 'fleet')?.getSnapshot()
  if (fleet === undefined) return []
  const views = Object.values(fleet.context.members).map(({ ref }) => viewOf(ref.getSnapshot().context))
  const watched = new Set(
    isServed ? views.filter(({ limit }) => limit !== undefined).map(view => clientKeyOf(view)) : [],
  )
  return selectShownIds('usual')(fleet).flatMap(id => {
    const snapshot = siblingOf(system, `client:${id}`)?.getSnapshot()
    const view = snapshot === undefined ? undefined : viewOf(snapshot.context)
    const client = view === undefined ? undefined : clientKeyOf(view)
    const noted = notesOf(notes, client)
    if (client === undefined || noted.length === 0 || view?.data === undefined || !view.isConnected) return []
    if (watched.has(client)) return []
    return [{ id, client, ...advanceNotes(view.data, noted, now) }]
  })
}

export const processorsMachine = setup({
  types: { context: {} as ProcessorsContext, events: {} as ProcessorsEvent },
  actors: {
    /** Keeps the notes in this browser. */
    processorStore: actorPlaceholder<KeepProcessors, undefined>('processorStore'),
    /** The time of now: the page's clock stands still while nobody sees the page. */
    readClock: taskPlaceholder<number, undefined>('readClock'),
  },
  delays: { pace: 5000 },
  guards: {
    hasNotes: ({ context }) => Object.keys(context.notes).length > 0,
  },
  actions: {
    assignServed: assign((_, notes: ProcessorNotes) => ({ notes, isServed: true })),
    keep: sendTo('processorStore', ({ context }): KeepProcessors => ({ type: 'store.keep', value: context.notes })),
    notifyStarted: sendParent({ type: 'processors.started' } satisfies ProcessorsNotification),
    notifyChanged: sendParent((_, change: NoteProcessors): ProcessorsNotification => ({
      type: 'processors.changed',
      change,
    })),
    advance: enqueueActions(({ context, enqueue, system }, now: number) => {
      let { notes } = context
      for (const { id, client, notes: next, patches } of advances(context, now, system)) {
        if (next !== notesOf(notes, client)) {
          notes = withNotes(notes, client, next)
          const change: NoteProcessors = { type: 'processors.note', machine: client, notes: next }
          enqueue.sendParent({ type: 'processors.changed', change } satisfies ProcessorsNotification)
        }
        for (const { group, patch } of patches)
          sendToSibling({ enqueue, system }, `client:${id}`, {
            type: 'client.configure',
            config: { groups: { [group]: patch } },
            keepsOtherGpus: true,
          })
      }
      if (notes === context.notes) return
      enqueue.assign({ notes })
      enqueue.sendTo('processorStore', { type: 'store.keep', value: notes } satisfies KeepProcessors)
    }),
  },
}).createMachine({
  id: 'processors',
  description:
    'GPUs and CPUs of groups that were paused or are finished by themselves, kept in this browser, and by the server of this page where there is one. One that finishes is paused when its unit has ended.',
  context: { notes: NO_NOTES, isServed: false },
  entry: 'notifyStarted',
  invoke: { src: 'processorStore', id: 'processorStore' },
  initial: 'idle',
  on: {
    'processors.restored': { actions: assign(({ event }) => ({ notes: event.notes })) },
    'processors.served': [
      {
        guard: ({ event }) => event.isCopied,
        actions: [{ type: 'assignServed', params: ({ event }) => event.notes }, 'keep'],
      },
      { actions: { type: 'assignServed', params: ({ event }) => event.notes } },
    ],
    'processors.note': {
      actions: [
        assign(({ context, event: { machine, notes } }) => ({
          notes: withNotes(context.notes, machine, notes),
        })),
        'keep',
        { type: 'notifyChanged', params: ({ event }) => event },
      ],
    },
  },
  states: {
    idle: {
      description: 'Nothing is noted.',
      always: { guard: 'hasNotes', target: 'watching' },
    },
    watching: {
      description: 'Waits until the notes are compared with what the clients report.',
      always: { guard: ({ context }) => Object.keys(context.notes).length === 0, target: 'idle' },
      after: { pace: 'advancing' },
    },
    advancing: {
      description: 'Drops notes that clients contradict, and does the next step for those that finish.',
      invoke: {
        src: 'readClock',
        onDone: { target: 'watching', actions: { type: 'advance', params: ({ event }) => event.output } },
        onError: 'watching',
      },
    },
  },
})

export type ProcessorsRef = ActorRefFrom<typeof processorsMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly processors: ProcessorsRef
  }
}
export type ProcessorsSnapshot = SnapshotFrom<typeof processorsMachine>
