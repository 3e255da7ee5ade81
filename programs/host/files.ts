import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { contentTypeOf, isCompressible } from './content-types.ts'

export type Encoding = 'br' | 'gzip' | 'identity'
export type StaticFile = {
  type: string
  tag: string
  text: () => string
  body: (encoding: Encoding) => Promise<Buffer>
}

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)
const WORTH_PACKING = 1_000

const QUICK = 9
const BEST = 11

function brotli(raw: Buffer, quality: number): Promise<Buffer> {
  return packBrotli(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  })
}

function pack(raw: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return Promise.resolve(raw)
  return encoding === 'gzip' ? packGzip(raw, { level: 9 }) : brotli(raw, QUICK)
}

export function fileOf(path: string, raw: Buffer): StaticFile {
  const packed = new Map<Encoding, Promise<Buffer>>()
  return {
    type: contentTypeOf(path),
    tag: `"${createHash('sha256').update(raw).digest('base64url').slice(0, 20)}"`,
    text: () => raw.toString('utf8'),
    body: encoding => {
      const cached = packed.get(encoding)
      if (cached !== undefined) return cached
      const quick = pack(raw, encoding)
      packed.set(encoding, quick)
      // The best compression takes seconds, so the first request gets a quick one.
      if (encoding === 'br')
        quick
          .then(() => brotli(raw, BEST))
          .then(best => packed.set(encoding, Promise.resolve(best)))
          .catch(() => undefined)
      return quick
    },
  }
}

/** The best encoding that the browser accepts; `identity` for small or compressed files. */
export function encodingFor(accepts: string | undefined, type: string, size: number): Encoding {
  if (accepts === undefined || size < WORTH_PACKING || !isCompressible(type)) return 'identity'
  if (/\bbr\b/.test(accepts)) return 'br'
  return /\bgzip\b/.test(accepts) ? 'gzip' : 'identity'
}

// Shared by the whole process: compression takes a second or two, and tests start many networks.
const cache = new Map<string, { changed: number; file: StaticFile }>()

/** The files of a folder. Each is read and compressed once, and again when it has changed. */
export function createFiles(folder: string): (urlPath: string) => Promise<StaticFile | undefined> {
  return async urlPath => {
    const path = pathIn(folder, urlPath)
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined)
    if (path === undefined || found?.isFile() !== true) return undefined
    const before = cache.get(path)
    if (before?.changed === found.mtimeMs) return before.file
    const file = fileOf(path, await readFile(path))
    cache.set(path, { changed: found.mtimeMs, file })
    return file
  }
}

/** Compresses in advance what the built index.html loads. */
export async function packFirstPage(folder: string): Promise<void> {
  const fileAt = createFiles(folder)
  const index = await fileAt('/index.html')
  const named = index?.text().matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g) ?? []
  await Promise.all(Array.from(named, async ([, path = '']) => (await fileAt(path))?.body('br')))
}

/** The file of a URL path; undefined if it is outside the folder. */
function pathIn(folder: string, urlPath: string): string | undefined {
  let decoded: string
  try {
    decoded = decodeURIComponent(urlPath)
  } catch {
    return undefined
  }
  if (decoded.includes('\0') || decoded.includes('\\') || decoded.split('/').some(part => part.startsWith('.')))
    return undefined
  const path = normalize(join(folder, decoded))
  return path.startsWith(normalize(folder) + sep) ? path : undefined
}
