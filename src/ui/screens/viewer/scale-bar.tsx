import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import { scaleBarOf } from '../../../folding/molecule/atom-labels.ts'
import styles from './molecule-view.module.css'
import type { Stage } from './stage.ts'

const MOST_PIXELS = 96
const never = () => () => undefined

/** How long an ångström is on the screen, in the middle of the molecule. */
export const ScaleBar = ({ stage }: { readonly stage: Stage | undefined }) => {
  const perPixel = useSyncExternalStore(stage?.subscribe ?? never, () => stage?.angstromsPerPixel() ?? 0)
  const bar = scaleBarOf(perPixel, MOST_PIXELS)
  return bar === undefined ? undefined : (
    <p className={styles['scale']}>
      <span className="visually-hidden">{t`The scale bar is`} </span>
      <span className={styles['bar']} style={{ inlineSize: `${Math.round(bar.pixels)}px` }} aria-hidden="true" />
      {bar.words}
    </p>
  )
}
