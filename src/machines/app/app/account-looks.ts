import type { Appearance } from '../../../protocol/api.ts'
import type { Looks } from '../preferences/preferences.events.ts'

/** What an account's config says of the looks. What it does not say is left as this browser has it. */
export const looksOf = (config: Appearance | undefined): Looks => ({
  ...(typeof config?.dark === 'boolean' ? { theme: config.dark ? ('dark' as const) : ('light' as const) } : {}),
  ...(typeof config?.compact === 'boolean' ? { compact: config.compact } : {}),
  ...(typeof config?.wide === 'boolean' ? { wide: config.wide } : {}),
  ...(typeof config?.hide_empty_groups === 'boolean' ? { hidesEmptyGroups: config.hide_empty_groups } : {}),
  ...(config?.columns === undefined ? {} : { columns: config.columns }),
})
