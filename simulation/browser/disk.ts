type Disk = {
  isFull: boolean
  /** Names of databases that are full, and `localStorage`. */
  readonly full: Set<string>
  whenWritten: (text: string) => void
}

/** The disk of all devices. */
export const disk: Disk = { isFull: false, full: new Set(), whenWritten: () => undefined }

/** Fails as browsers do when there is no room. */
export const writeToDisk = (value: unknown, store: string): void => {
  if (disk.isFull || disk.full.has(store)) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  disk.whenWritten(JSON.stringify(value))
}
