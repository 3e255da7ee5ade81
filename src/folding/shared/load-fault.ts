import { t } from '@lingui/core/macro'

/**
 * Why a chunk of code could not be loaded: the page's server does not respond, serves another version by now, or sent
 * something other than the code.
 */
export type LoadFault = 'serverAway' | 'newVersion' | 'damaged'

export class LoadError extends Error {
  readonly fault: LoadFault

  constructor(fault: LoadFault, cause?: unknown) {
    super(t`A part of Foldboard could not be loaded (${fault}).`, { cause })
    this.name = 'LoadError'
    this.fault = fault
  }
}

/** What happened and what to do. */
export const loadFaultTexts: Readonly<Record<LoadFault, string>> = {
  serverAway: t`The server of this page does not respond. Your machines keep folding. Try again when it is back.`,
  newVersion: t`A new version of Foldboard is available. Reload the page to use it.`,
  damaged: t`The server of this page sent unusable data. Try again, or reload the page.`,
}

export function loadFaultText(fault: LoadFault): string {
  return loadFaultTexts[fault]
}

/** Undefined when the error is not about loading. */
export function loadFaultOf(error: unknown): LoadFault | undefined {
  return error instanceof LoadError ? error.fault : undefined
}

/** The text for any thrown value; undefined when it is not about loading. */
export function loadErrorText(error: unknown): string | undefined {
  const fault = loadFaultOf(error)
  return fault === undefined ? undefined : loadFaultText(fault)
}
