/** Values under these names are never shown in the inspector or in a recording. */
export { SECRET_NAMES } from '../../protocol/secret-names.ts'
