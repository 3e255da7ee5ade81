import { Link } from 'react-router-dom'
import { formatPercent } from '../../../folding/text/format.ts'
import { projectKey } from '../../../folding/shared/resource-keys.ts'
import { pathPart } from '../../../folding/address/web-address.ts'
import { etaText, progressOf } from '../../../folding/unit/unit-cells.ts'
import { projectOf, projectTitle } from '../../../folding/unit/unit-progress.ts'
import { useClientSelector } from '../../hooks/client-context.ts'
import { useResource } from '../../hooks/use-resource.ts'
import { useUnitAt } from '../machines/units/use-unit.ts'
import { selectKeyOf } from '../unit/unit-source.ts'
import styles from './molecule-view.module.css'

/** Which unit the molecule is of, its cause, and how far it is; and the way to its page. */
export function UnitLine({ unit: id, atoms }: { readonly unit: string; readonly atoms: string }) {
  const unit = useClientSelector(selectKeyOf(id)) ?? ''
  const project = useUnitAt(unit, projectOf)
  const share = useUnitAt(unit, progressOf)
  const eta = useUnitAt(unit, etaText)
  const { value } = useResource(project === undefined ? undefined : projectKey(project))
  const state = [share === undefined ? undefined : formatPercent(share), eta].filter(part => part !== undefined)
  return (
    <>
      <Link to={`/unit/${pathPart(id)}`} className={styles['project']}>
        {projectTitle(project)}
      </Link>{' '}
      {[atoms, value?.cause, state.join(', ')].filter(part => part !== undefined && part !== '').join(' · ')}
    </>
  )
}
