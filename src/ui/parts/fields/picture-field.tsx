import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { Button } from '../actions/button.tsx'
import { FileButton } from '../actions/file-button.tsx'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import fieldStyles from './field.module.css'
import styles from './picture-field.module.css'

type Props = {
  readonly label: string
  /** The image as a data URL; undefined for none. */
  readonly picture: string | undefined
  /** Shown when there is no image. */
  readonly icon: IconName
  readonly onChoose: (file: Blob) => void
  readonly onRemove: () => void
  readonly isBusy: boolean
  readonly description: string
  readonly error?: string | undefined
}

/** A small image, chosen from a file. */
export function PictureField({ label, picture, icon, onChoose, onRemove, isBusy, description, error }: Props) {
  const id = useId()
  return (
    <div
      role="group"
      aria-labelledby={id}
      className={fieldStyles['field']}
      {...(error === undefined ? {} : { 'data-invalid': true })}
    >
      <span id={id} className="type-3 medium">
        {label}
      </span>
      <div className="row gap-2">
        <span className={styles['frame']}>
          {picture === undefined ? <Icon name={icon} /> : <img src={picture} alt={t`Current ${label}`} />}
        </span>
        <FileButton icon="picture" isPending={isBusy} accept={['image/*']} onChoose={file => onChoose(file)}>
          {t`Choose…`}
        </FileButton>
        {picture === undefined ? undefined : (
          <Button icon="trash" onPress={onRemove}>
            {t`Remove`}
          </Button>
        )}
      </div>
      <p className="quiet type-2">{description}</p>
      <p role="status" className={classNames('color-failed type-2 medium', styles['error'])}>
        {error}
      </p>
    </div>
  )
}
