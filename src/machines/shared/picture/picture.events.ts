import type { LoadFault } from '../../../folding/shared/load-fault.ts'

export type PictureCommand = { readonly type: 'picture.choose'; readonly file: Blob }

export type PictureEvent = PictureCommand

/** Why a file could not be turned into a picture. */
export type PictureFault = 'unreadable' | 'too-small' | 'too-large' | LoadFault

export type PictureResult =
  | { readonly ok: true; readonly data: string }
  | { readonly ok: false; readonly fault: PictureFault }

/** Sent to the parent. `data`: an image of at most 128 × 128 pixels, as a data URL. */
export type PictureNotification = { readonly type: 'picture.made'; readonly id: string; readonly data: string }
