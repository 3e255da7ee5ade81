import type { ResourceSnapshot } from './resource.machine.ts'

export const isResourceLoading = (snapshot: ResourceSnapshot): boolean => snapshot.hasTag('loading')
/** The value as its fetcher decoded it; undefined while there is none. */
export const selectResourceValue = (snapshot: ResourceSnapshot): unknown => snapshot.context.value
