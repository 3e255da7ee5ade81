import { useSelector } from '../../../hooks/use-selector.ts'
import { createContext, use } from 'react'
import type {
  ClientSettingsRef,
  ClientDraftRef,
} from '../../../../machines/connection/client-settings/client-settings.machine.ts'
import { selectClientDraft } from '../../../../machines/connection/client-settings/client-settings.selectors.ts'

/** The settings machine of the page. */
export const SettingsContext = createContext<ClientSettingsRef | undefined>(undefined)

export function useSettings(): ClientSettingsRef {
  const settings = use(SettingsContext)
  if (settings === undefined) throw new Error('A part of the settings is used outside of SettingsContext.')
  return settings
}

/** The draft of the form. */
export function useDraft(): ClientDraftRef {
  return useSelector(useSettings(), selectClientDraft)
}
