import { build } from '../../folding/shared/build.ts'

const KEPT_VERSION = 'foldboard-version'

/** Notes the running version, and says whether it is another one than before. Throws where nothing can be stored. */
export function noteVersion(storage: Pick<Storage, 'getItem' | 'setItem'>, version = build.version): boolean {
  const before = storage.getItem(KEPT_VERSION)
  storage.setItem(KEPT_VERSION, version)
  return before !== null && before !== version
}
