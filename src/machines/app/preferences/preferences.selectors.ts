import { isCollapsed, type FleetView } from '../../../folding/fleet/fleet-view.ts'
import type { ClientOrder } from '../../../folding/client/order.ts'
import type { Preferences, ThemePreference } from './preferences.events.ts'
import type { PreferencesSnapshot } from './preferences.machine.ts'

/** Saved preferences with the preview applied. */
export function selectPreferences({ context }: PreferencesSnapshot): Preferences {
  return context.shown
}
export function selectTheme({ context }: PreferencesSnapshot): ThemePreference {
  return context.shown.theme
}
export function isCompact({ context }: PreferencesSnapshot): boolean {
  return context.shown.compact
}
export function selectColumns({ context }: PreferencesSnapshot): readonly string[] | undefined {
  return context.shown.columns
}
export function wrapsLog({ context }: PreferencesSnapshot): boolean {
  return context.shown.wrapsLog
}
export function showsLocalLogTime({ context }: PreferencesSnapshot): boolean {
  return context.shown.localLogTime
}
export function hasListKeys({ context }: PreferencesSnapshot): boolean {
  return context.shown.listKeys
}
export function selectClientOrder({ context }: PreferencesSnapshot): ClientOrder {
  return context.shown.order
}
export function selectFleetView({ context }: PreferencesSnapshot): FleetView {
  return context.shown.fleetView
}
/** Whether the panel of the client with this id is collapsed. */
export function isPanelCollapsed(id: string) {
  return ({ context }: PreferencesSnapshot): boolean => isCollapsed(context.shown.fleetView.collapsed, id)
}
export function isUnlocked({ context }: PreferencesSnapshot): boolean {
  return context.shown.advanced
}
