type Disk = { isFull: boolean; whenWritten: (text: string) => void }

/** The disk of all devices. */
export const disk: Disk = { isFull: false, whenWritten: () => undefined }

/** Fails as browsers do when there is no room. */
export const writeToDisk = (value: unknown): void => {
  if (disk.isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  disk.whenWritten(JSON.stringify(value))
}
