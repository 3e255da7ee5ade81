import type { PictureResult } from '../../machines/shared/picture/picture.events.ts'
import { PICTURE_FILE_BYTES, PICTURE_PIXELS } from '../limits.ts'

export type PictureDeps = {
  readonly document: Pick<Document, 'createElement'>
  readonly url: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'>
}

/** Pixels a side (docs/product.md §5). Larger pictures are scaled down to `MAX_SIDE`; those below `MIN_SIDE` are refused. */
const MAX_SIDE = 128
const MIN_SIDE = 32
const QUALITY = 0.9

/** Width and height of a picture that fits the square of `MAX_SIDE`; undefined when a side is too small. */
export function fittingSize(
  width: number,
  height: number,
): { readonly width: number; readonly height: number } | undefined {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return size.width < MIN_SIDE || size.height < MIN_SIDE ? undefined : size
}

/** Scales an image file of any format that the browser reads to a WebP data URL (PNG where WebP cannot be written). */
export function scalePicture({ document, url }: PictureDeps) {
  return async (file: Blob): Promise<PictureResult> => {
    if (file.size > PICTURE_FILE_BYTES) return { ok: false, fault: 'too-large' }
    const source = url.createObjectURL(file)
    try {
      const image = document.createElement('img')
      await loaded(image, source)
      if (image.naturalWidth * image.naturalHeight > PICTURE_PIXELS) return { ok: false, fault: 'too-large' }
      await image.decode()
      // An SVG may have no size of its own.
      const size = fittingSize(image.naturalWidth || MAX_SIDE, image.naturalHeight || MAX_SIDE)
      if (size === undefined) return { ok: false, fault: 'too-small' }
      const canvas = document.createElement('canvas')
      canvas.width = size.width
      canvas.height = size.height
      const context = canvas.getContext('2d')
      if (context === null) return { ok: false, fault: 'unreadable' }
      context.imageSmoothingQuality = 'high'
      context.drawImage(image, 0, 0, size.width, size.height)
      return { ok: true, data: canvas.toDataURL('image/webp', QUALITY) }
    } catch {
      return { ok: false, fault: 'unreadable' }
    } finally {
      url.revokeObjectURL(source)
    }
  }
}

/** Resolves when the size is known, before the image is decoded. */
function loaded(image: HTMLImageElement, source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    image.onload = () => resolve()
    image.onerror = () => reject(new Error('The picture cannot be read.'))
    image.src = source
  })
}
