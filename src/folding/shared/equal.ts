/* Equality for those who may not import the protocol: the only deep equality, and the only one of lists. */
export { isSameList, isSameValue } from '../../protocol/equal.ts'
