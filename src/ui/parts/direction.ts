/** Whether the element is in a text from right to left. */
export function isMirrored(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl'
}

/** A pressed key as in a text from left to right: arrow keys follow the screen, where the next thing may be to the left. */
export function readingKey(key: string, element: Element): string {
  if (!isMirrored(element)) return key
  return key.endsWith('Left') ? key.replace('ArrowLeft', 'ArrowRight') : key.replace('ArrowRight', 'ArrowLeft')
}
