import { dirname } from 'node:path'
import { ProcessEnded, type Realm } from './realm.ts'

type Entry = { readonly isFolder: boolean; mode: number; bytes: Buffer }

type Mode = { readonly mode?: number; readonly flag?: string } | string

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}

function statsOf({ isFolder, mode, bytes }: Entry) {
  return {
    mode,
    size: bytes.length,
    isDirectory: () => isFolder,
    isFile: () => !isFolder,
  }
}

/** A disk, and `node:fs` of a process that uses it. `moved`: a file has another name, or none. */
export function createFileSystem(moved: (from: string, to: string | undefined) => void) {
  const entries = new Map<string, Entry>([['/', { isFolder: true, mode: 0o755, bytes: Buffer.alloc(0) }]])

  const found = (path: string): Entry => {
    const entry = entries.get(path)
    if (entry === undefined) throw failure('ENOENT', path)
    return entry
  }

  const create = (path: string, isFolder: boolean, mode: number): Entry => {
    if (!found(dirname(path)).isFolder) throw failure('ENOTDIR', path)
    const entry = { isFolder, mode, bytes: Buffer.alloc(0) }
    entries.set(path, entry)
    return entry
  }

  const write = (path: string, data: string | Uint8Array, options: Mode = {}): void => {
    const { mode = 0o644, flag = 'w' } = typeof options === 'string' ? {} : options
    if (flag === 'wx' && entries.has(path)) throw failure('EEXIST', path)
    const entry = entries.get(path) ?? create(path, false, mode)
    entry.bytes = Buffer.from(data)
  }

  const operations = {
    existsSync: (path: string): boolean => entries.has(path),
    statSync: (path: string, options: { readonly throwIfNoEntry?: boolean } = {}) =>
      options.throwIfNoEntry === false && !entries.has(path) ? undefined : statsOf(found(path)),
    mkdirSync: (path: string, { mode = 0o777 }: { readonly mode?: number } = {}): void => void create(path, true, mode),
    readdirSync: (path: string): readonly string[] =>
      [...entries.keys()]
        .filter(each => dirname(each) === path && each !== path)
        .map(each => each.slice(path.length + 1)),
    openSync: (path: string, _flags: string, mode = 0o644): number => {
      if (!entries.has(path)) create(path, false, mode)
      return 0
    },
    closeSync: (): void => undefined,
    readFileSync: (path: string, encoding?: BufferEncoding): string | Buffer => {
      const { bytes } = found(path)
      return encoding === undefined ? Buffer.from(bytes) : bytes.toString(encoding)
    },
    writeFileSync: write,
    chmodSync: (path: string, mode: number): void => {
      found(path).mode = mode
    },
    renameSync: (from: string, to: string): void => {
      entries.set(to, found(from))
      entries.delete(from)
      moved(from, to)
    },
    rmSync: (path: string, { force = false }: { readonly force?: boolean } = {}): void => {
      if (!force) found(path)
      if (entries.delete(path)) moved(path, undefined)
    },
  }

  /** `node:fs` of a process. `before` may end the process. */
  const moduleOf = (realm: Realm, before: (what: string) => void): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [
        name,
        (...parameters: unknown[]): unknown => {
          if (!realm.isAlive()) throw new ProcessEnded()
          before(name)
          return Reflect.apply(operation, undefined, parameters)
        },
      ]),
    )
  return {
    moduleOf,
    /** What a database writes at its first use: only that there is something matters. */
    grow: (path: string): void => {
      const entry = entries.get(path)
      if (entry?.bytes.length === 0) entry.bytes = Buffer.alloc(1)
    },
  }
}
