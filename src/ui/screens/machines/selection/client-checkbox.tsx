import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { use, useRef } from 'react'
import { isSelected } from '../../../../machines/fleet/selection/selection.selectors.ts'
import { Checkbox } from '../../../parts/fields/checkbox.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { ShownIds } from './shown-ids.ts'
import styles from './select-box.module.css'

type Props = { readonly id: string; readonly name: string }

/** A client's checkbox. With Shift it selects all from the one before. */
export function ClientCheckbox({ id, name }: Props) {
  const { selection } = useSystem()
  const order = use(ShownIds)
  const isChosen = useSelector(selection, isSelected(id))
  const isRange = useRef(false)
  return (
    <span
      className={styles['box']}
      onPointerDownCapture={event => (isRange.current = event.shiftKey)}
      onKeyDownCapture={event => (isRange.current = event.shiftKey)}
    >
      <Checkbox
        isSelected={isChosen}
        onChange={() =>
          selection.send(isRange.current ? { type: 'selection.extend', id, order } : { type: 'selection.toggle', id })
        }
      >
        <span className="visually-hidden">{t`Select ${name}`}</span>
      </Checkbox>
    </span>
  )
}
