/*
 * A short video of pictures that are drawn one after another. Where the browser cannot encode a video, the pictures come as
 * PNG files in a ZIP file.
 */
import { zipSync } from 'fflate'
import {
  BufferTarget,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSource,
  WebMOutputFormat,
  type VideoCodec,
} from 'mediabunny'

export type Recording = {
  readonly pictures: number
  /** Pictures per second. */
  readonly rate: number
  /** Both even: H.264 knows no other sizes. */
  readonly width: number
  readonly height: number
  /** Draws a picture, counted from 0. */
  readonly draw: (picture: number) => Promise<OffscreenCanvas>
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
}

export type RecordedFile = { readonly file: Blob; readonly extension: 'mp4' | 'webm' | 'zip' }

/** H.264 in MP4 plays in more programs than VP9 and VP8 in WebM. */
const CODECS: VideoCodec[] = ['avc', 'vp9', 'vp8']

const BITS_PER_PIXEL = 0.16

/** Rejects when the signal aborts. */
export async function record(recording: Recording): Promise<RecordedFile> {
  const { width, height, rate } = recording
  const quality = new Quality({ bitrate: Math.round(width * height * rate * BITS_PER_PIXEL) })
  const codec = await getFirstEncodableVideoCodec(CODECS, { width, height, quality, frameRate: rate })
  return codec === null ? asPictures(recording) : asVideo(recording, codec, quality)
}

async function asVideo(recording: Recording, codec: VideoCodec, quality: Quality): Promise<RecordedFile> {
  const { pictures, rate, draw, onProgress, signal } = recording
  const extension = codec === 'avc' ? 'mp4' : 'webm'
  const target = new BufferTarget()
  const output = new Output({
    format: extension === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat(),
    target,
  })
  try {
    const source = new VideoSampleSource({ codec, quality })
    output.addVideoTrack(source, { frameRate: rate })
    await output.start()
    for (let picture = 0; picture < pictures; picture++) {
      const canvas = await draw(picture)
      signal.throwIfAborted()
      const sample = new VideoSample(canvas, { timestamp: picture / rate, duration: 1 / rate })
      await source.add(sample)
      sample.close()
      onProgress((picture + 1) / pictures)
      await pause()
    }
    await output.finalize()
  } catch (fault) {
    await output.cancel()
    throw fault
  }
  signal.throwIfAborted()
  if (target.buffer === null) throw new Error('The video is empty.')
  return { file: new Blob([target.buffer], { type: `video/${extension}` }), extension }
}

async function asPictures({ pictures, draw, onProgress, signal }: Recording): Promise<RecordedFile> {
  const files: Record<string, Uint8Array> = {}
  const digits = String(pictures).length
  for (let picture = 0; picture < pictures; picture++) {
    const file = await (await draw(picture)).convertToBlob()
    files[`${String(picture + 1).padStart(digits, '0')}.png`] = new Uint8Array(await file.arrayBuffer())
    signal.throwIfAborted()
    onProgress((picture + 1) / pictures)
  }
  const zip = zipSync(files, { level: 0 })
  return { file: new Blob([zip], { type: 'application/zip' }), extension: 'zip' }
}

/** Lets the page respond between pictures. */
function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve))
}
