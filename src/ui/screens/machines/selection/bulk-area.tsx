import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { selectRun } from '../../../../machines/fleet/bulk/bulk.selectors.ts'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { useBulk } from '../../../hooks/use-bulk.ts'
import styles from './bulk-area.module.css'

const BulkResult = lazyComponent(() => import('./bulk-result.tsx').then(m => m.BulkResult), t`The result of the action`)
const SelectionBar = lazyComponent(() => import('./selection-bar.tsx').then(m => m.SelectionBar), t`The selection`)

type Props = {
  /** The shown clients. */
  readonly ids: readonly string[]
  readonly isFiltered: boolean
}

/** The bar of the selection, and the progress and result of the last action on many clients. */
export function BulkArea({ ids, isFiltered }: Props) {
  const { selection } = useSystem()
  const bulk = useBulk()
  const selects = useSelector(selection, snapshot => snapshot.hasTag('selecting'))
  const run = useSelector(bulk, snapshot => (snapshot === undefined ? undefined : selectRun(snapshot)))
  if (!selects && run === undefined) return null
  return (
    <div className={styles['area']}>
      {run === undefined ? undefined : <BulkResult run={run} />}
      {selects ? <SelectionBar ids={ids} isFiltered={isFiltered} /> : undefined}
    </div>
  )
}
