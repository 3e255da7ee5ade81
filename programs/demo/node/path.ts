/* The network names files that nobody reads. */

export function join(...parts: readonly string[]): string {
  return parts.join('/')
}

export { join as resolve }

export function basename(path: string): string {
  return path.split('/').findLast(part => part !== '') ?? ''
}
