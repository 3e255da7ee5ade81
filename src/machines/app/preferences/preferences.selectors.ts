import { isCollapsed, type FleetView } from '../../../folding/fleet/fleet-view.ts'
import type { Preferences } from './preferences.events.ts'
import type { PreferencesSnapshot } from './preferences.machine.ts'

/** Saved preferences with the preview applied. */
export function selectPreferences({ context }: PreferencesSnapshot): Preferences {
  return context.shown
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
export function selectFleetView({ context }: PreferencesSnapshot): FleetView {
  return context.shown.fleetView
}
/** Whether the panel of the client with this id is collapsed. */
export function isPanelCollapsed(id: string) {
  return ({ context }: PreferencesSnapshot): boolean => isCollapsed(context.shown.fleetView.collapsed, id)
}
