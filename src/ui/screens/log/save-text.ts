/** Milliseconds. Chromium still reads the URL for a while after the click. */
const URL_LIFETIME = 60_000

/** Downloads a text as a file. */
export const saveText = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME)
}
