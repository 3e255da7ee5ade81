import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

function isFolder(path: string): boolean | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isDirectory()
}

/**
 * Creates a folder and its parents, one by one: Node 20's recursive mkdir never returns for a folder that takes no
 * children, such as /proc. Throws the system's error, or an error if a path is not a folder. `mode`: of folders that are
 * made.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const whole = resolve(path)
  const missing: string[] = []
  let at = whole
  while (isFolder(at) === undefined && dirname(at) !== at) {
    missing.unshift(at)
    at = dirname(at)
  }
  if (isFolder(at) !== true) throw new Error(`${at} is not a folder`)
  for (const folder of missing) {
    // It may have been created meanwhile.
    if (isFolder(folder) !== true) mkdirSync(folder, { mode })
  }
}
