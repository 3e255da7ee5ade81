export type DownloadDeps = {
  readonly document: Pick<Document, 'createElement'>
  readonly url: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'>
}

/** Milliseconds. Chromium goes on reading the file for a while after the click. */
const REVOKE_DELAY = 60_000

/** Saves a file through the browser's download. */
export function downloadFile(
  file: Blob,
  name: string,
  { document, url }: DownloadDeps = { document: globalThis.document, url: URL },
): void {
  const address = url.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => url.revokeObjectURL(address), REVOKE_DELAY)
}
