import { t } from '@lingui/core/macro'
import { useState } from 'react'

/** Copies a text, and says what came of it until something else is copied. */
export const useCopy = (): { readonly copy: (what: string, text: string) => void; readonly outcome: string } => {
  const [outcome, setOutcome] = useState('')
  const copy = (what: string, text: string): void => {
    // An insecure page has no clipboard, whatever its type says.
    const clipboard = 'clipboard' in navigator ? navigator.clipboard : undefined
    const copying = clipboard?.writeText(text) ?? Promise.reject(new Error('There is no clipboard.'))
    copying.then(
      () => setOutcome(`${what} copied`),
      () => setOutcome(t`${what} could not be copied: the browser does not allow it`),
    )
  }
  return { copy, outcome }
}
