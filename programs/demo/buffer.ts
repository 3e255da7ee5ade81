import { Buffer } from 'buffer'

/* The class of Node, as a global: imported first, since modules use it while they are evaluated. */

const { from } = Buffer
const { toString } = Buffer.prototype

/** The package `buffer` reads base64url as base64, but has no name for it, and does not write it. */
Object.assign(Buffer, {
  from: (data: string, encoding?: unknown, length?: number) =>
    Reflect.apply(from, Buffer, [data, encoding === 'base64url' ? 'base64' : encoding, length]) as Buffer,
})
Buffer.prototype.toString = function write(encoding?: BufferEncoding, start?: number, end?: number): string {
  if (encoding !== 'base64url') return toString.call(this, encoding, start, end)
  return toString.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

Object.assign(globalThis, { Buffer })
