import { assign, sendTo, setup, type SnapshotFrom } from 'xstate'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { UpdatesEvent, VersionCommand } from './updates.events.ts'

export type UpdatesContext = {
  /** What a reload would lose, as named on the screen. */
  readonly unsaved: readonly string[]
  /** Whether the page opens without a network. */
  readonly isStored: boolean
  /** Whether the version is new in this browser, until the user has seen that. */
  readonly isUpgraded: boolean
}

/** Milliseconds after which a page that is still there was not reloaded: the browser asked, and the user stayed. */
const RELOAD_TIMEOUT = 10_000

export const updatesMachine = setup({
  types: { context: {} as UpdatesContext, events: {} as UpdatesEvent },
  actors: {
    versionWatch: actorPlaceholder<VersionCommand, undefined>('versionWatch'),
    findUnsaved: taskPlaceholder<readonly string[], undefined>('findUnsaved'),
  },
  actions: {
    reload: sendTo('versionWatch', { type: 'version.reload' } satisfies VersionCommand),
  },
  delays: { reloadTimeout: RELOAD_TIMEOUT },
}).createMachine({
  id: 'updates',
  description:
    'Offers a new version of this page, and reloads the page when the user agrees and nothing would be lost.',
  context: { unsaved: [], isStored: false, isUpgraded: false },
  invoke: { src: 'versionWatch', id: 'versionWatch' },
  on: {
    'updates.stored': { actions: assign({ isStored: true }) },
    'updates.upgraded': { actions: assign({ isUpgraded: true }) },
    'updates.dismiss': { actions: assign({ isUpgraded: false }) },
  },
  initial: 'current',
  states: {
    current: { on: { 'updates.found': 'offered' } },
    offered: {
      tags: 'offered',
      on: { 'updates.take': 'checking', 'updates.postpone': 'postponed' },
    },
    postponed: {
      description: 'Only the About page still offers it.',
      on: { 'updates.take': 'checking' },
    },
    checking: {
      tags: 'offered',
      invoke: {
        src: 'findUnsaved',
        onDone: [
          { guard: ({ event }) => event.output.length === 0, target: 'reloading' },
          { target: 'held', actions: assign(({ event }) => ({ unsaved: event.output })) },
        ],
        onError: 'offered',
      },
    },
    held: {
      description: 'There are unsaved changes. The user saves or discards them and then agrees again.',
      tags: ['offered', 'held'],
      on: { 'updates.take': 'checking', 'updates.postpone': 'postponed' },
    },
    reloading: {
      tags: ['offered', 'reloading'],
      entry: 'reload',
      after: { reloadTimeout: 'offered' },
    },
  },
})

export type UpdatesSnapshot = SnapshotFrom<typeof updatesMachine>
