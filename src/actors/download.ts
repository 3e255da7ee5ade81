export type DownloadDeps = {
  readonly document: Pick<Document, 'createElement'>
  readonly url: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'>
}

/** Chromium still reads a file for a while after the click that saves it. In milliseconds. */
const READ_FOR = 60_000

/** Has the browser save a file. */
export const download = ({ document, url }: DownloadDeps, file: Blob, name: string): void => {
  const address = url.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => url.revokeObjectURL(address), READ_FOR)
}
