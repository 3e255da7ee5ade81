import { Buffer } from 'buffer'

/*
 * The class of Node, as a global: imported first, since modules use it while they are evaluated. The package reads base64url as
 * base64, but has no name for it, and does not write it.
 */

type Prototype = { toString: (encoding?: string, start?: number, end?: number) => string }

const prototype = Buffer.prototype as Prototype
const write = prototype.toString
const read = Reflect.get(Buffer, 'from') as (...parameters: readonly unknown[]) => Buffer

prototype.toString = function toText(this: Buffer, encoding?: string, start?: number, end?: number): string {
  const text = write.call(this, encoding === 'base64url' ? 'base64' : encoding, start, end)
  return encoding === 'base64url' ? text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') : text
}

Object.assign(Buffer, {
  from: (data: string, encoding?: unknown, length?: number) =>
    Reflect.apply(read, Buffer, [data, encoding === 'base64url' ? 'base64' : encoding, length]),
})
Object.assign(globalThis, { Buffer })
