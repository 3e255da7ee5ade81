/** Whether the dialog of a machine is open. Of no module of that machine, which may not be loaded. */
export const isOpen = (snapshot: { readonly hasTag: (tag: 'open') => boolean }): boolean => snapshot.hasTag('open')
