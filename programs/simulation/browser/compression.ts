import { gunzipSync, gzipSync } from 'node:zlib'

/** `DecompressionStream` and `CompressionStream` without threads. */
function streamOf(work: (bytes: Uint8Array) => Uint8Array) {
  return class extends TransformStream<Uint8Array, Uint8Array> {
    constructor(format: string) {
      if (format !== 'gzip') throw new TypeError(`The format ${format} is not simulated.`)
      const chunks: Uint8Array[] = []
      super({
        transform: chunk => void chunks.push(chunk),
        flush: controller => {
          try {
            controller.enqueue(new Uint8Array(work(Buffer.concat(chunks))))
          } catch {
            controller.error(new TypeError('The data are not gzip.'))
          }
        },
      })
    }
  }
}

export const compression = { DecompressionStream: streamOf(gunzipSync), CompressionStream: streamOf(gzipSync) }
