import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { formatPercent } from '../../../folding/text/format.ts'
import { projectKey } from '../../../folding/shared/resource-keys.ts'
import { pathPart } from '../../../folding/address/web-address.ts'
import { etaText, progressOf } from '../../../folding/unit/unit-cells.ts'
import { projectOf } from '../../../folding/unit/unit-progress.ts'
import { selectUnits } from '../../../machines/connection/client/client.selectors.ts'
import { useClientAt } from '../../hooks/client-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { contextOf } from '../machines/units/unit-access.ts'
import styles from './molecule-view.module.css'

/** Which unit the molecule is of, its cause, and how far it is; and the way to its page. */
export function UnitLine({ unit: id, atoms }: { readonly unit: string; readonly atoms: string }) {
  const project = useClientAt(snapshot => {
    const unit = selectUnits(snapshot).find(candidate => candidate.id === id)
    return unit === undefined ? undefined : projectOf(unit)
  })
  const state = useClientAt((snapshot, now) => {
    const unit = selectUnits(snapshot).find(candidate => candidate.id === id)
    if (unit === undefined) return ''
    const context = contextOf(snapshot, now)
    const share = progressOf(unit, context)
    return [share === undefined ? undefined : formatPercent(share), etaText(unit, context)]
      .filter(part => part !== undefined)
      .join(', ')
  })
  const { value } = useResource(project === undefined ? undefined : projectKey(project))
  const name = project === undefined ? t`Project ???` : t`Project ${project}`
  return (
    <>
      <Link to={`/unit/${pathPart(id)}`} className={styles['project']}>
        {name}
      </Link>{' '}
      {[atoms, value?.cause, state].filter(part => part !== undefined && part !== '').join(' · ')}
    </>
  )
}
