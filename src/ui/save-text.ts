/** Chromium still reads a file for a while after the click that saves it. In milliseconds. */
const READ_FOR = 60_000

/** Has the browser save a text as a file. */
export const saveText = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_FOR)
}
