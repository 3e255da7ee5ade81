import { assign, setup, type SnapshotFrom } from 'xstate'
import type { ClientGone } from '../../connection/fleet/fleet.events.ts'
import type { SelectionEvent } from './selection.events.ts'

export type SelectionContext = {
  /** Ids of the selected clients, in the order in which they were selected. */
  readonly ids: readonly string[]
  /** The client that was selected or deselected last: ranges start there. */
  readonly anchor: string | undefined
  /** What was selected before the anchor's range was extended. */
  readonly base: readonly string[]
  /** Selected clients that left since. */
  readonly left: readonly { readonly id: string; readonly name: string }[]
}

const EMPTY: SelectionContext = { ids: [], anchor: undefined, base: [], left: [] }

export const selectionMachine = setup({
  types: { context: {} as SelectionContext, events: {} as SelectionEvent },
  guards: {
    concerns: ({ context: { ids } }, clients: readonly ClientGone[]) => {
      const gone = new Set(clients.map(({ id }) => id))
      return ids.some(id => gone.has(id))
    },
  },
  actions: {
    toggle: assign(({ context: { ids } }, id: string) => {
      const next = ids.includes(id) ? ids.filter(other => other !== id) : [...ids, id]
      return { ids: next, anchor: id, base: next }
    }),
    extend: assign(({ context: { ids, anchor, base } }, { id, order }: { id: string; order: readonly string[] }) => {
      const range = rangeOf(order, anchor, id)
      if (range !== undefined) return { ids: united(base, range) }
      const next = united(ids, [id])
      return { ids: next, anchor: id, base: next }
    }),
    selectAll: assign((_, ids: readonly string[]) => {
      const selected = united(ids)
      return { ids: selected, anchor: undefined, base: selected, left: [] }
    }),
    remove: assign(({ context: { ids, anchor, base, left } }, clients: readonly ClientGone[]) => {
      const gone = new Map(clients.map(client => [client.id, client]))
      const now = (id: string): string | undefined => {
        const client = gone.get(id)
        return client === undefined ? id : client.shownAs
      }
      const selected = new Set(ids)
      return {
        ids: replaced(ids, now),
        anchor: anchor === undefined ? undefined : now(anchor),
        base: replaced(base, now),
        left: [
          ...left,
          ...clients.flatMap(({ id, name, shownAs }) =>
            selected.has(id) && shownAs === undefined ? [{ id, name }] : [],
          ),
        ],
      }
    }),
  },
}).createMachine({
  id: 'selection',
  description: 'The machines that were selected to do something with all of them: a fixed list of ids.',
  context: EMPTY,
  initial: 'off',
  on: {
    'selection.begin': '.on',
    'selection.toggle': { target: '.on', actions: { type: 'toggle', params: ({ event }) => event.id } },
    'selection.select': {
      target: '.on',
      actions: assign(({ event }) => ({ ids: [event.id], anchor: event.id, base: [event.id], left: [] })),
    },
    'selection.extend': { target: '.on', actions: { type: 'extend', params: ({ event }) => event } },
    'selection.selectAll': { target: '.on', actions: { type: 'selectAll', params: ({ event }) => event.ids } },
  },
  states: {
    off: { description: 'Nothing is selected; panels show no checkboxes.' },
    on: {
      tags: 'selecting',
      on: {
        'selection.clear': { target: 'off', actions: assign(EMPTY) },
        'selection.machinesGone': {
          guard: { type: 'concerns', params: ({ event }) => event.machines },
          actions: { type: 'remove', params: ({ event }) => event.machines },
        },
      },
    },
  },
})

export type SelectionSnapshot = SnapshotFrom<typeof selectionMachine>

/** The ids from the anchor to `id`; undefined without an anchor that is shown. */
function rangeOf(order: readonly string[], anchor: string | undefined, id: string): readonly string[] | undefined {
  const from = anchor === undefined ? -1 : order.indexOf(anchor)
  const to = order.indexOf(id)
  return from < 0 || to < 0 ? undefined : order.slice(Math.min(from, to), Math.max(from, to) + 1)
}

function united(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())]
}

function replaced(ids: readonly string[], now: (id: string) => string | undefined): readonly string[] {
  return united(ids.flatMap(id => now(id) ?? []))
}
