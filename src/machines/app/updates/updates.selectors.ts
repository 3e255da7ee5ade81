import type { UpdatesSnapshot } from './updates.machine.ts'
/** Whether there is a new version, also when the user postponed it. */
export function isUpdateKnown(snapshot: UpdatesSnapshot): boolean {
  return !snapshot.matches('current')
}

const none: readonly string[] = []

/** What has to be saved or discarded before the page can be reloaded. */
export function selectUnsaved(snapshot: UpdatesSnapshot): readonly string[] {
  return snapshot.hasTag('held') ? snapshot.context.unsaved : none
}
