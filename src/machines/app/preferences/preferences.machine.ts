import { assign, sendParent, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { defaultFleetView } from '../../../folding/fleet/fleet-view.ts'
import type {
  AppearancePreferences,
  Preferences,
  PreferencesEvent,
  PreferencesNotification,
} from './preferences.events.ts'

export const defaultPreferences: Preferences = {
  theme: 'auto',
  language: undefined,
  compact: false,
  wide: false,
  columns: undefined,
  hidesEmptyGroups: false,
  order: 'usual',
  fleetView: defaultFleetView,
  advanced: false,
  wrapsLog: true,
  localLogTime: false,
  listKeys: true,
  showsLogBook: true,
  putAway: {},
  speed: 'usual',
  followed: undefined,
}

/** Defaults of the preferences that only an account can set. */
const ofAccounts: Partial<Preferences> = { followed: undefined, columns: undefined, hidesEmptyGroups: false }

export type PreferencesContext = {
  readonly kept: Preferences
  readonly preview: AppearancePreferences | undefined
  /** What the screen uses: the saved preferences with the preview applied. */
  readonly shown: Preferences
}

export const preferencesMachine = setup({
  types: { context: {} as PreferencesContext, events: {} as PreferencesEvent, input: {} as Preferences },
  actions: {
    keepPreferences: (_, _params: Preferences): void => undefined,
    change: assign(({ context }, change: Partial<Preferences>) =>
      showing({ ...context.kept, ...change }, context.preview),
    ),
    notifyParent: sendParent(({ context }): PreferencesNotification => ({
      type: 'preferences.saved',
      preferences: context.kept,
    })),
  },
}).createMachine({
  id: 'preferences',
  description: 'Display preferences of this browser, with a preview of unsaved ones.',
  context: ({ input }) => showing(input, undefined),
  on: {
    'preferences.change': {
      actions: [
        { type: 'change', params: ({ event }) => event.change },
        { type: 'keepPreferences', params: ({ context }) => context.kept },
        'notifyParent',
      ],
    },
    'preferences.applyAccount': {
      guard: ({ context, event }) => context.kept.followed !== textOf(event.appearance),
      actions: [
        { type: 'change', params: ({ event }) => ({ ...event.appearance, followed: textOf(event.appearance) }) },
        { type: 'keepPreferences', params: ({ context }) => context.kept },
        'notifyParent',
      ],
    },
    'preferences.resetAccount': {
      actions: [
        { type: 'change', params: ofAccounts },
        { type: 'keepPreferences', params: ({ context }) => context.kept },
      ],
    },
    'preferences.preview': { actions: assign(({ context, event }) => showing(context.kept, event.appearance)) },
    'preferences.changedElsewhere': {
      actions: assign(({ context, event }) => showing(event.preferences, context.preview)),
    },
  },
})

export type PreferencesRef = ActorRefFrom<typeof preferencesMachine>
export type PreferencesSnapshot = SnapshotFrom<typeof preferencesMachine>

function textOf(appearance: AppearancePreferences): string {
  return JSON.stringify(appearance)
}

function showing(saved: Preferences, preview: AppearancePreferences | undefined): PreferencesContext {
  return {
    kept: saved,
    preview,
    shown: preview === undefined ? saved : { ...saved, ...preview },
  }
}
