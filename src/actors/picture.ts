import type { PictureResult } from '../machines/shared/picture/picture.events.ts'
import { PICTURE_FILE_BYTES, PICTURE_PIXELS } from './limits.ts'

export type PictureDeps = {
  readonly document: Pick<Document, 'createElement'>
  readonly url: Pick<typeof URL, 'createObjectURL' | 'revokeObjectURL'>
}

/** Pixels a side (docs/product.md §5): scaled down to the ideal, and never smaller than the least. */
const IDEAL = 128
const LEAST = 32
const QUALITY = 0.9

/** Width and height of a picture that fits into the ideal square; undefined when one of them is too small. */
export const fittingSize = (
  width: number,
  height: number,
): { readonly width: number; readonly height: number } | undefined => {
  const scale = Math.min(1, IDEAL / Math.max(width, height))
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return size.width < LEAST || size.height < LEAST ? undefined : size
}

/** A file becomes a small picture, as a WebP data URL (PNG where the browser cannot write WebP). Any format that it can read. */
export const scalePicture =
  ({ document, url }: PictureDeps) =>
  async (file: Blob): Promise<PictureResult> => {
    if (file.size > PICTURE_FILE_BYTES) return { ok: false, fault: 'too-large' }
    const source = url.createObjectURL(file)
    try {
      const image = document.createElement('img')
      await loaded(image, source)
      if (image.naturalWidth * image.naturalHeight > PICTURE_PIXELS) return { ok: false, fault: 'too-large' }
      await image.decode()
      // A drawing without a size of its own has none.
      const size = fittingSize(image.naturalWidth || IDEAL, image.naturalHeight || IDEAL)
      if (size === undefined) return { ok: false, fault: 'too-small' }
      const canvas = document.createElement('canvas')
      canvas.width = size.width
      canvas.height = size.height
      const brush = canvas.getContext('2d')
      if (brush === null) return { ok: false, fault: 'unreadable' }
      brush.imageSmoothingQuality = 'high'
      brush.drawImage(image, 0, 0, size.width, size.height)
      return { ok: true, data: canvas.toDataURL('image/webp', QUALITY) }
    } catch {
      return { ok: false, fault: 'unreadable' }
    } finally {
      url.revokeObjectURL(source)
    }
  }

/** Its size is known then, and nothing was decoded yet. */
const loaded = (image: HTMLImageElement, source: string): Promise<void> =>
  new Promise((resolve, reject) => {
    image.onload = () => resolve()
    image.onerror = () => reject(new Error('The picture cannot be read.'))
    image.src = source
  })
