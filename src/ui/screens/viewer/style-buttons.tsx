import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { drawStyles } from '../../../folding/molecule/molecule-style.ts'
import { selectDrawStyle } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { WithTooltip } from '../../parts/overlays/tooltip.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './controls.module.css'

/** 1, 2 and 3, as on the keys. */
export const StyleButtons = () => {
  const { viewer } = useSystem()
  const drawn = useSelector(viewer, selectDrawStyle)
  return (
    <div role="group" aria-label={t`Style`} className={styles['styles']}>
      {drawStyles.map(({ style, name }) => (
        <WithTooltip key={style} text={`${name} (${style})`}>
          <ToggleButton
            aria-label={`${style}: ${name}`}
            className={styles['style'] ?? ''}
            isSelected={style === drawn}
            onChange={() => viewer.send({ type: 'viewer.draw', style })}
          >
            {style}
          </ToggleButton>
        </WithTooltip>
      ))}
    </div>
  )
}
