import { isCollapsed, type FleetView } from '../../../folding/fleet/fleet-view.ts'
import type { ClientOrder } from '../../../folding/client/order.ts'
import type { Preferences, ThemePreference } from './preferences.events.ts'
import type { PreferencesSnapshot } from './preferences.machine.ts'

/** Saved preferences with the preview applied. */
export const selectPreferences = ({ context }: PreferencesSnapshot): Preferences => context.shown
export const selectTheme = ({ context }: PreferencesSnapshot): ThemePreference => context.shown.theme
export const selectLanguage = ({ context }: PreferencesSnapshot): string | undefined => context.shown.language
export const isCompact = ({ context }: PreferencesSnapshot): boolean => context.shown.compact
export const isWide = ({ context }: PreferencesSnapshot): boolean => context.shown.wide
export const selectColumns = ({ context }: PreferencesSnapshot): readonly string[] | undefined => context.shown.columns
export const hidesEmptyGroups = ({ context }: PreferencesSnapshot): boolean => context.shown.hidesEmptyGroups
export const wrapsLog = ({ context }: PreferencesSnapshot): boolean => context.shown.wrapsLog
export const showsLocalLogTime = ({ context }: PreferencesSnapshot): boolean => context.shown.localLogTime
export const showsLogBook = ({ context }: PreferencesSnapshot): boolean => context.shown.showsLogBook
export const selectClientOrder = ({ context }: PreferencesSnapshot): ClientOrder => context.shown.order
export const selectFleetView = ({ context }: PreferencesSnapshot): FleetView => context.shown.fleetView
/** Whether the panel of the client with this id is collapsed. */
export const isPanelCollapsed =
  (id: string) =>
  ({ context }: PreferencesSnapshot): boolean =>
    isCollapsed(context.shown.fleetView.collapsed, id)
export const isUnlocked = ({ context }: PreferencesSnapshot): boolean => context.shown.advanced
