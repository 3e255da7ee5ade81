import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { drawStyles, type DrawStyle } from '../../../folding/molecule/molecule-style.ts'
import { selectDrawStyle } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { Icon, type IconName } from '../../parts/icons/icon.tsx'
import { WithTooltip } from '../../parts/overlays/tooltip.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './controls.module.css'

const icons: Readonly<Record<DrawStyle, IconName>> = { 1: 'space-filling', 2: 'ball-and-stick', 3: 'sticks' }

/** Draw styles (docs/product.md §2), with the keys 1 to 3 as shortcuts. */
export const StyleButtons = () => {
  const { viewer } = useSystem()
  const drawn = useSelector(viewer, selectDrawStyle)
  return (
    <div role="group" aria-label={t`Style`} className={styles['styles']}>
      {drawStyles.map(({ style, name }) => (
        <WithTooltip key={style} text={`${name} (${style})`}>
          <ToggleButton
            aria-label={name}
            className={styles['style'] ?? ''}
            isSelected={style === drawn}
            onChange={() => viewer.send({ type: 'viewer.setStyle', style })}
          >
            <Icon name={icons[style]} />
          </ToggleButton>
        </WithTooltip>
      ))}
    </div>
  )
}
