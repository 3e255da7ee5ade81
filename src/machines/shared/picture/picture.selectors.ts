import { t } from '@lingui/core/macro'
import { loadFaultTexts } from '../../../folding/shared/load-fault.ts'
import type { PictureFault } from './picture.events.ts'
import type { PictureSnapshot } from './picture.machine.ts'

const faultTexts: Record<PictureFault, string> = {
  unreadable: t`The browser cannot read this file as a picture.`,
  'too-small': t`The picture is too small. Choose one of at least 32 × 32 pixels.`,
  'too-large': t`The picture is too large. The limits are 32 MB and 100 million pixels.`,
  ...loadFaultTexts,
}
/** Why the last file was rejected. */
export function selectPictureFault({ context: { fault } }: PictureSnapshot): string | undefined {
  return fault === undefined ? undefined : faultTexts[fault]
}
