/** Whether a file that begins so is CSV that Foldboard did not write. */
export function isForeignCsv(start: string): boolean {
  const [titles = ''] = start
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/[\r\n]/, 1)
  return !/^[{[]/.test(titles) && !(/\bResult\b/.test(titles) && /\bEnd Time\b/.test(titles))
}
