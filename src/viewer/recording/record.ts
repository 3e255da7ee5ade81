/*
 * A short video of pictures that are drawn one after another. Where the browser cannot encode a video, the pictures come as
 * PNG files in a ZIP file.
 */
import { pngOf } from './png.ts'
import { webmOf, type EncodedPicture, type WebmTrack } from './webm.ts'
import { zipOf, type ZipEntry } from './zip.ts'

export type Recording = {
  readonly pictures: number
  /** Pictures per second. */
  readonly rate: number
  readonly width: number
  readonly height: number
  /** Draws a picture, counted from 0. */
  readonly draw: (picture: number) => Promise<HTMLCanvasElement>
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

export type RecordedFile = { readonly file: Blob; readonly extension: 'webm' | 'zip' }

const CODECS = [
  { codec: 'vp09.00.40.08', name: 'V_VP9' },
  { codec: 'vp8', name: 'V_VP8' },
] as const

const BITS_PER_PIXEL = 0.16
/** Seconds between pictures that need no other. */
const KEY_INTERVAL = 1
/** Pictures that wait for the encoder. */
const MOST_WAITING = 4

/** Rejects when the signal aborts. */
export const record = async (recording: Recording): Promise<RecordedFile> => {
  const config = await usableConfig(recording)
  return config === undefined ? asPictures(recording) : asVideo(recording, config)
}

type Config = { readonly encoder: VideoEncoderConfig; readonly name: WebmTrack['codec'] }

const usableConfig = async ({ width, height, rate }: Recording): Promise<Config | undefined> => {
  if (!('VideoEncoder' in globalThis)) return undefined
  for (const { codec, name } of CODECS) {
    const encoder = {
      codec,
      width,
      height,
      framerate: rate,
      bitrate: Math.round(width * height * rate * BITS_PER_PIXEL),
    }
    const isSupported = await VideoEncoder.isConfigSupported(encoder).then(
      ({ supported }) => supported === true,
      () => false,
    )
    if (isSupported) return { encoder, name }
  }
  return undefined
}

const asVideo = async (recording: Recording, { encoder: config, name }: Config): Promise<RecordedFile> => {
  const { pictures, rate, width, height, draw, onProgress, signal } = recording
  const encoded: EncodedPicture[] = []
  const faults: DOMException[] = []
  const encoder = new VideoEncoder({
    output: chunk => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      encoded.push({ data, at: chunk.timestamp / 1000, isKey: chunk.type === 'key' })
    },
    error: fault => faults.push(fault),
  })
  try {
    encoder.configure(config)
    for (let picture = 0; picture < pictures; picture++) {
      const canvas = await draw(picture)
      signal.throwIfAborted()
      for (const fault of faults) throw fault
      const frame = new VideoFrame(canvas, {
        timestamp: Math.round((picture * 1_000_000) / rate),
        duration: Math.round(1_000_000 / rate),
      })
      encoder.encode(frame, { keyFrame: picture % (KEY_INTERVAL * rate) === 0 })
      frame.close()
      while (encoder.encodeQueueSize > MOST_WAITING) await pause()
      onProgress((picture + 1) / pictures)
      await pause()
    }
    await encoder.flush()
  } finally {
    if (encoder.state !== 'closed') encoder.close()
  }
  signal.throwIfAborted()
  return { file: webmOf(encoded, { codec: name, width, height, every: 1000 / rate }), extension: 'webm' }
}

const asPictures = async ({ pictures, draw, onProgress, signal }: Recording): Promise<RecordedFile> => {
  const entries: ZipEntry[] = []
  const digits = String(pictures).length
  for (let picture = 0; picture < pictures; picture++) {
    const file = await pngOf(await draw(picture))
    signal.throwIfAborted()
    entries.push({
      name: `${String(picture + 1).padStart(digits, '0')}.png`,
      data: new Uint8Array(await file.arrayBuffer()),
    })
    onProgress((picture + 1) / pictures)
  }
  return { file: zipOf(entries), extension: 'zip' }
}

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve))
