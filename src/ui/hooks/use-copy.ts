import { t } from '@lingui/core/macro'
import { useState } from 'react'

/** Copies texts to the clipboard. `outcome` is a status message about the last copy. */
export function useCopy(): { readonly copy: (what: string, text: string) => void; readonly outcome: string } {
  const [outcome, setOutcome] = useState('')
  const copy = (what: string, text: string): void => {
    // Insecure pages have no clipboard, which its type leaves out.
    const clipboard = 'clipboard' in navigator ? navigator.clipboard : undefined
    const copying = clipboard?.writeText(text) ?? Promise.reject(new Error('There is no clipboard.'))
    copying.then(
      () => setOutcome(t`${what} copied`),
      () => setOutcome(t`${what} could not be copied: the browser does not allow it`),
    )
  }
  return { copy, outcome }
}
