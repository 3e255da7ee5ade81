import { t } from '@lingui/core/macro'
/**
 * Why a part of the program could not be loaded: the server of the page does not answer, it serves another version by
 * now, or it answers with something that is not the code that was asked for.
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

/** What happened and what to do, for a person. */
export const loadFaultTexts: Readonly<Record<LoadFault, string>> = {
  serverAway: t`The server that this page came from does not answer. Your machines go on folding. Try again when it is back.`,
  newVersion: t`There is a new version of Foldboard. Reload the page to use it.`,
  damaged: t`The server of this page sent something that cannot be used. Try again, or reload the page.`,
}

export const loadFaultText = (fault: LoadFault): string => loadFaultTexts[fault]

/** Undefined when it was not the loading that failed. */
export const loadFaultOf = (error: unknown): LoadFault | undefined =>
  error instanceof LoadError ? error.fault : undefined

/** The text for whatever was thrown; undefined when it was not the loading that failed. */
export const loadErrorText = (error: unknown): string | undefined => {
  const fault = loadFaultOf(error)
  return fault === undefined ? undefined : loadFaultText(fault)
}
