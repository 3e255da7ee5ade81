type Disk = {
  isFull: boolean
  /** Names of databases that are full, and `localStorage`. */
  readonly full: Set<string>
  /** How often something could not be stored, by the name of the database. */
  readonly refused: Map<string, number>
  whenWritten: (text: string) => void
}

/** The disk of all devices. */
export const disk: Disk = { isFull: false, full: new Set(), refused: new Map(), whenWritten: () => undefined }

/** Fails as browsers do when there is no room. */
export function writeToDisk(value: unknown, store: string): void {
  if (disk.isFull || disk.full.has(store)) {
    disk.refused.set(store, (disk.refused.get(store) ?? 0) + 1)
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  disk.whenWritten(JSON.stringify(value))
}
