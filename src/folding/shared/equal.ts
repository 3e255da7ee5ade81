/* Equality, also for those who may not import the protocol: the only deep equality, and the only one of lists. */
export { isSameList, isSameValue } from '../../protocol/equal.ts'

export function isSameInAnyCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
