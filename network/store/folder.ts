import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const isFolder = (path: string): boolean | undefined => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isDirectory()
}

/**
 * Makes a folder and those above it. One by one, because Node 20's recursive mkdir never ends where a folder exists but
 * takes no children, as /proc does. Throws what the system says, or that something else than a folder is in the way.
 */
export const makeFolder = (path: string): void => {
  const whole = resolve(path)
  const missing: string[] = []
  let at = whole
  while (isFolder(at) === undefined && dirname(at) !== at) {
    missing.unshift(at)
    at = dirname(at)
  }
  if (isFolder(at) !== true) throw new Error(`${at} is not a folder`)
  for (const folder of missing) {
    // Somebody else may have made it meanwhile.
    if (isFolder(folder) !== true) mkdirSync(folder)
  }
}
