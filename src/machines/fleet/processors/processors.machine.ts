import { assign, enqueueActions, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { clientKeyOf } from '../../../folding/client/client.ts'
import {
  finishStep,
  heldNotes,
  NO_NOTES,
  notesOf,
  type ProcessorNote,
  type ProcessorNotes,
  withPatch,
} from '../../../folding/client/processors.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import type { GroupPatch } from '../../../protocol/client/commands.ts'
import { viewOf } from '../../connection/client/client.report.ts'
import { selectShownIds } from '../../connection/fleet/fleet.selectors.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { sendToSibling, siblingOf, type SiblingSystem } from '../../shared/siblings.ts'
import type { KeepProcessors, NoteProcessors, ProcessorsEvent } from './processors.events.ts'

export type ProcessorsContext = { readonly notes: ProcessorNotes }

/** Milliseconds that a client has to show that a processor is paused. */
const TIME_TO_SHOW = 180_000

type Advance = {
  readonly client: string
  readonly notes: readonly ProcessorNote[]
  readonly commands: readonly { readonly id: string; readonly group: string; readonly patch: GroupPatch }[]
}

/** What the notes of a client become, and what it is told for those that finish, one after the other. `now`: epoch milliseconds. */
function advanceOf(
  id: string,
  client: string,
  data: ClientData,
  notes: readonly ProcessorNote[],
  now: number,
): Advance {
  const held = heldNotes(data, notes)
  let expected = data
  const commands: Advance['commands'][number][] = []
  const next = notes.flatMap((note): readonly ProcessorNote[] => {
    if (!held.includes(note) && now - note.at > TIME_TO_SHOW) return []
    if (note.state === 'pause') return [note]
    const step = finishStep(expected, note, now)
    if (step.kind === 'lost') return []
    if (step.kind === 'wait') return [note]
    commands.push({ id, group: note.group, patch: step.patch })
    expected = withPatch(expected, note.group, step.patch)
    if (step.kind === 'hold') return [{ ...note, isHolding: true }]
    const { isHolding: _, ...others } = note
    const cpus = note.cpus + step.cpus
    return [step.kind === 'end' ? { ...others, state: 'pause', cpus, at: now } : { ...others, cpus }]
  })
  return { client, notes: next, commands }
}

/** Of the clients that are connected. */
function advances(notes: ProcessorNotes, now: number, system: SiblingSystem): readonly Advance[] {
  const fleet = siblingOf(system, 'fleet')?.getSnapshot()
  if (fleet === undefined) return []
  return selectShownIds('usual')(fleet).flatMap(id => {
    const snapshot = siblingOf(system, `client:${id}`)?.getSnapshot()
    const view = snapshot === undefined ? undefined : viewOf(snapshot.context)
    const client = view === undefined ? undefined : clientKeyOf(view)
    const noted = notesOf(notes, client)
    if (client === undefined || noted.length === 0 || view?.data === undefined || !view.isConnected) return []
    return [advanceOf(id, client, view.data, noted, now)]
  })
}

function withNotes(notes: ProcessorNotes, client: string, of: readonly ProcessorNote[]): ProcessorNotes {
  const { [client]: _, ...others } = notes
  return of.length === 0 ? others : { ...others, [client]: of }
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
    note: assign(({ context }, { client, notes }: Omit<NoteProcessors, 'type'>) => ({
      notes: withNotes(context.notes, client, notes),
    })),
    keep: sendTo('processorStore', ({ context }): KeepProcessors => ({ type: 'store.keep', value: context.notes })),
    advance: enqueueActions(({ context, enqueue, system }, now: number) => {
      let { notes } = context
      for (const { client, notes: next, commands } of advances(notes, now, system)) {
        const before = notesOf(notes, client)
        if (next.length !== before.length || next.some(note => !before.includes(note)))
          notes = withNotes(notes, client, next)
        for (const { id, group, patch } of commands)
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
    'GPUs and CPUs of groups that were paused or are finished by themselves, kept in this browser. One that finishes is paused when its unit has ended.',
  context: { notes: NO_NOTES },
  invoke: { src: 'processorStore', id: 'processorStore' },
  initial: 'idle',
  on: {
    'processors.restored': { actions: assign(({ event }) => ({ notes: event.notes })) },
    'processors.note': { actions: [{ type: 'note', params: ({ event }) => event }, 'keep'] },
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
