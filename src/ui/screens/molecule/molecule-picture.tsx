import { t } from '@lingui/core/macro'
import { classNames } from '../../parts/class-names.ts'
import { lazyComponent } from '../../parts/feedback/lazy-component.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import styles from './molecule-picture.module.css'

type Props = {
  /** The client's id in the fleet. */
  readonly client: string
  readonly unit: string
  /** Of the frame, which is as wide as its place, in the proportion of 16 to 10 unless this says otherwise. */
  readonly className?: string | undefined
}

const Still = lazyComponent(() => import('../../later.ts').then(m => m.Still), t`The 3D view`)

/**
 * A still picture of a unit's molecule, which leads to its 3D view, or why there is none. The client is asked for what this
 * browser has not stored, while the picture is on the screen, unless data cost money.
 */
export function MoleculePicture({ client, unit, className }: Props) {
  return (
    <div className={classNames(styles['picture'], className)}>
      <WhenLoaded part="viewer" what={t`The 3D view`}>
        <Still client={client} unit={unit} />
      </WhenLoaded>
    </div>
  )
}
