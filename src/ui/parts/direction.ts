/** Whether the element is in a text from right to left. */
export const isMirrored = (element: Element): boolean => getComputedStyle(element).direction === 'rtl'

/** A pressed key as in a text from left to right: arrow keys follow the screen, where the next thing may be to the left. */
export const readingKey = (key: string, element: Element): string => {
  if (!isMirrored(element)) return key
  return key.endsWith('Left') ? key.replace('ArrowLeft', 'ArrowRight') : key.replace('ArrowRight', 'ArrowLeft')
}
