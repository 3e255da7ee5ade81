import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { drawStyles, type DrawStyle } from '../../../folding/molecule/molecule-style.ts'
import { drawnStyle } from '../../../folding/molecule/molecule.ts'
import { selectDrawStyle } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { Pressable } from '../../parts/actions/button.tsx'
import { Icon, type IconName } from '../../parts/icons/icon.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useTopology } from './molecule-facts.ts'
import styles from './controls.module.css'

const icons: Readonly<Record<DrawStyle, IconName>> = {
  1: 'space-filling',
  2: 'ball-and-stick',
  3: 'sticks',
  4: 'cartoon',
  5: 'surface',
}

/** Draw styles (docs/product.md §2), with the keys 1 to 5 as shortcuts. */
export function StyleButtons() {
  const { viewer } = useSystem()
  const drawn = useSelector(viewer, selectDrawStyle)
  const topology = useTopology()
  const whyNot = (style: DrawStyle): string | undefined =>
    drawnStyle(style, topology) === style ? undefined : t`No backbone was found in this molecule.`
  return (
    <div role="group" aria-label={t`Style`} className={styles['styles']}>
      {drawStyles.map(({ style, name }) => (
        <Pressable
          key={style}
          label={`${style} ${name}`}
          isPressed={style === drawn}
          blockedBecause={whyNot(style)}
          tooltip={{ text: whyNot(style) ?? name }}
          className={styles['style']}
          onPress={() => viewer.send({ type: 'viewer.setStyle', style })}
        >
          <Icon name={icons[style]} />
          <span className={styles['digit']}>{style}</span>
        </Pressable>
      ))}
    </div>
  )
}
