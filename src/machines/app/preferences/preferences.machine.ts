import { assign, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { Preferences, PreferencesEvent } from './preferences.events.ts'

export const defaultPreferences: Preferences = {
  theme: 'auto',
  compact: false,
  wide: false,
  columns: undefined,
  order: 'usual',
}

export const preferencesMachine = setup({
  types: {
    context: {} as Preferences,
    events: {} as PreferencesEvent,
    input: {} as Preferences,
  },
  actions: { keepPreferences: (_, _params: Preferences): void => undefined },
}).createMachine({
  id: 'preferences',
  description: 'How this browser shows things.',
  context: ({ input }) => input,
  on: {
    'preferences.change': {
      actions: [
        assign(({ event }) => event.change),
        { type: 'keepPreferences', params: ({ context, event }) => ({ ...context, ...event.change }) },
      ],
    },
    'preferences.changedElsewhere': { actions: assign(({ event }) => event.preferences) },
  },
})

export type PreferencesRef = ActorRefFrom<typeof preferencesMachine>
export type PreferencesSnapshot = SnapshotFrom<typeof preferencesMachine>
