import type { MachineOrder } from '../../../folding/order.ts'
import type { Preferences, Theme } from './preferences.events.ts'
import type { PreferencesSnapshot } from './preferences.machine.ts'

export const selectPreferences = (snapshot: PreferencesSnapshot): Preferences => snapshot.context
export const selectTheme = (snapshot: PreferencesSnapshot): Theme => snapshot.context.theme
export const isCompact = (snapshot: PreferencesSnapshot): boolean => snapshot.context.compact
export const isWide = (snapshot: PreferencesSnapshot): boolean => snapshot.context.wide
export const selectColumns = (snapshot: PreferencesSnapshot): readonly string[] | undefined => snapshot.context.columns
export const selectMachineOrder = (snapshot: PreferencesSnapshot): MachineOrder => snapshot.context.order
