import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { dataUrlImage } from '../../../folding/address/web-address.ts'
import type { PictureRef } from '../../../machines/shared/picture/picture.machine.ts'
import { selectPictureFault } from '../../../machines/shared/picture/picture.selectors.ts'
import { PictureField } from '../../parts/fields/picture-field.tsx'
import type { IconName } from '../../parts/icons/icon.tsx'

type Props = {
  readonly label: string
  readonly icon: IconName
  /** The draft's picture, a data URL. */
  readonly value: string | undefined
  /** Scales what was chosen, and edits the draft. */
  readonly picture: PictureRef
  readonly onRemove: () => void
}

/** A picture of a draft: an avatar or a logo. */
export function DraftPicture({ label, icon, value, picture, onRemove }: Props) {
  return (
    <PictureField
      label={label}
      icon={icon}
      picture={dataUrlImage(value)}
      isBusy={useSelector(picture, snapshot => snapshot.hasTag('busy'))}
      error={useSelector(picture, selectPictureFault)}
      description={t`An image of at least 32 × 32 pixels. Larger ones are scaled down to 128 × 128.`}
      onChoose={file => picture.send({ type: 'picture.choose', file })}
      onRemove={onRemove}
    />
  )
}
