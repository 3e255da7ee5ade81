import { t } from '@lingui/core/macro'
import { loadFaultTexts } from '../../../folding/shared/load-fault.ts'
import type { PictureFault } from './picture.events.ts'
import type { PictureSnapshot } from './picture.machine.ts'

const words: Record<PictureFault, string> = {
  unreadable: t`This file is not a picture that the browser can read.`,
  'too-small': t`The picture is too small: it must have at least 32 × 32 pixels.`,
  'too-large': t`The picture is too large to be read: it may have 32 MB and 100 million pixels.`,
  ...loadFaultTexts,
}

export const isPictureBusy = (snapshot: PictureSnapshot): boolean => snapshot.hasTag('busy')
/** Why the last file did not become a picture. */
export const selectPictureFault = ({ context: { fault } }: PictureSnapshot): string | undefined =>
  fault === undefined ? undefined : words[fault]
