import type { UpdatesSnapshot } from './updates.machine.ts'

export const isUpdateOffered = (snapshot: UpdatesSnapshot): boolean => snapshot.hasTag('offered')
/** Whether there is a new version, also when the user postponed it. */
export const isUpdateKnown = (snapshot: UpdatesSnapshot): boolean => !snapshot.matches('current')
export const isReloading = (snapshot: UpdatesSnapshot): boolean => snapshot.hasTag('reloading')
/** Whether the page opens without a network. */
export const isStoredOffline = ({ context }: UpdatesSnapshot): boolean => context.isStored

const none: readonly string[] = []

/** What has to be saved or discarded before the page can be reloaded. */
export const selectUnsaved = (snapshot: UpdatesSnapshot): readonly string[] =>
  snapshot.hasTag('held') ? snapshot.context.unsaved : none
