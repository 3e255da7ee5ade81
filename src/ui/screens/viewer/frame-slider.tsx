import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { Slider } from 'react-aria-components/Slider'
import { formatNumber } from '../../../folding/text/format.ts'
import { selectFrame, selectFrameCount } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { SliderBar } from '../../parts/fields/slider-bar.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './controls.module.css'

/** Shows and changes the current frame. */
export function FrameSlider() {
  const { viewer } = useSystem()
  const frame = useSelector(viewer, selectFrame)
  const count = useSelector(viewer, selectFrameCount)
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
      <span className="quiet type-2 line-1 text-center">{valueText}</span>
      <SliderBar valueText={valueText} />
    </Slider>
  )
}
