import { t } from '@lingui/core/macro'
import { scaleBarOf } from '../../../folding/molecule/atom-labels.ts'
import styles from './molecule-view.module.css'
import type { MoleculeCanvas } from './molecule-canvas.ts'
import { useCanvas } from './use-canvas.ts'

const MAX_PIXELS = 96

/** Scale at the center of the molecule. */
export function ScaleBar({ canvas }: { readonly canvas: MoleculeCanvas | undefined }) {
  const perPixel = useCanvas(canvas, one => one.angstromsPerPixel()) ?? 0
  const bar = scaleBarOf(perPixel, MAX_PIXELS)
  return bar === undefined ? undefined : (
    <p className={styles['scale']}>
      <span className="visually-hidden">{t`Scale:`} </span>
      <span className={styles['bar']} style={{ inlineSize: `${Math.round(bar.pixels)}px` }} aria-hidden="true" />
      {bar.words}
    </p>
  )
}
