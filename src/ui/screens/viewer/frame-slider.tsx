import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { Slider } from 'react-aria-components/Slider'
import { formatDistance } from '../../../folding/molecule/atom-labels.ts'
import { formatNumber } from '../../../folding/text/format.ts'
import { SliderBar } from '../../parts/fields/slider-bar.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './controls.module.css'
import type { MoleculeCanvas } from './molecule-canvas.ts'
import { useCanvas } from './use-canvas.ts'

const NONE: readonly number[] = []

/** Above the slider: how far the backbone of each frame is from that of the first. */
function DeviationLine({ deviations }: { readonly deviations: readonly number[] }) {
  const most = Math.max(...deviations)
  const points = deviations.map((value, at) => `${at / (deviations.length - 1)},${1 - value / most}`)
  return (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true" className={styles['deviations']}>
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** Shows and changes the current frame. */
export function FrameSlider({ canvas }: { readonly canvas: MoleculeCanvas | undefined }) {
  const { viewer } = useSystem()
  const frame = useSelector(viewer, ({ context }) => context.frame)
  const count = useSelector(viewer, ({ context }) => context.frames.length)
  const all = useCanvas(canvas, one => one.deviations()) ?? NONE
  const deviations = all.every(Number.isFinite) && Math.max(...all) > 0 ? all : NONE
  const deviation = deviations[frame]
  const valueText = t`${formatNumber(frame + 1)} of ${formatNumber(count)}`
  return (
    <Slider
      aria-label={t`Frame`}
      className={styles['slider'] ?? ''}
      value={frame + 1}
      minValue={1}
      maxValue={Math.max(2, count)}
      isDisabled={count < 2}
      onChange={to => viewer.send({ type: 'viewer.goTo', frame: to - 1 })}
    >
      <span className="quiet type-2 line-1 text-center">
        {valueText}
        {deviation === undefined ? undefined : ` · ${t`RMSD ${formatDistance(deviation)}`}`}
      </span>
      {deviations.length > 1 ? <DeviationLine deviations={deviations} /> : undefined}
      <SliderBar valueText={valueText} />
    </Slider>
  )
}
