/** Whatever sits under one of these names is never shown, whoever wants to see what machines hold. */
export { SECRET_NAMES } from '../../protocol/secret-names.ts'
