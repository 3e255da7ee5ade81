/** Whether the dialog of a machine is open. Of no module of that machine, which may not be loaded. */
export function isOpen(snapshot: { readonly hasTag: (tag: 'open') => boolean }): boolean {
  return snapshot.hasTag('open')
}
