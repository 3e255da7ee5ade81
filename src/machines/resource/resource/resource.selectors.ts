import type { ResourceSnapshot } from './resource.machine.ts'

export const isResourceLoading = (snapshot: ResourceSnapshot): boolean => snapshot.hasTag('loading')
/** The value as its fetcher decoded it; undefined while there is none. */
export const selectResourceValue = (snapshot: ResourceSnapshot): unknown => snapshot.context.value

const none: readonly string[] = []

/** The value as a list of texts; empty while there is none. */
export const selectTexts = ({ context: { value } }: ResourceSnapshot): readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string') ? value : none
