import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { formatNumber, formatPercent } from '../../../folding/text/format.ts'
import { pathPart } from '../../../folding/address/web-address.ts'
import { progressOf } from '../../../folding/unit/unit-cells.ts'
import { isActive, projectOf } from '../../../folding/unit/unit-progress.ts'
import { selectUnits } from '../../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { ClientContext, useClientSelector } from '../../hooks/client-context.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useClientName } from '../../hooks/use-client-name.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { keysOf, unitKey } from '../machines/units/unit-access.ts'
import { UnitStatus } from '../machines/units/unit-cell.tsx'
import { useUnitAt } from '../machines/units/use-unit.ts'
import styles from './projects-screen.module.css'

/** More are reached by the search for machines. */
const MOST = 6

function Unit({ unit }: { readonly unit: string }) {
  const id = useUnitAt(unit, found => found.id)
  const progress = formatPercent(useUnitAt(unit, progressOf))
  return (
    <>
      <UnitStatus unit={unit} />
      {id === undefined ? (
        <span>{progress}</span>
      ) : (
        <Link to={`/unit/${pathPart(id)}`} title={t`View Work Unit details`}>
          {progress}
        </Link>
      )}
    </>
  )
}

type Props = { readonly id: string; readonly project: number }

function Units({ id, project }: Props) {
  const name = useClientName(id)
  const keys = useClientSelector(snapshot =>
    selectUnits(snapshot)
      .flatMap((unit, index) => (isActive(unit) && projectOf(unit) === project ? [unitKey(unit, index)] : []))
      .join('\n'),
  )
  return keysOf(keys).map(key => (
    <li key={key}>
      <Link to={`/${pathPart(id)}`}>
        <bdi>{name}</bdi>
      </Link>
      <Unit unit={key} />
    </li>
  ))
}

function Client({ id, project }: Props) {
  const client = useSelector(useSystem().fleet, selectClientRef(id))
  return client === undefined ? null : (
    <ClientContext value={client}>
      <Units id={id} project={project} />
    </ClientContext>
  )
}

/** The machines that fold a project now, with their units. `clients`: ids of connections. */
export function RunsOn({ project, clients }: { readonly project: number; readonly clients: readonly string[] }) {
  const title = useId()
  return (
    <div>
      <p id={title} className="quiet type-2">
        {t`Runs on`}
      </p>
      <ul aria-labelledby={title} className={styles['clients']}>
        {clients.slice(0, MOST).map(id => (
          <Client key={id} id={id} project={project} />
        ))}
        {clients.length <= MOST ? undefined : (
          <li>
            <Link to={`/machines?filter=project:${project}`}>{t`and ${formatNumber(clients.length - MOST)} more`}</Link>
          </li>
        )}
      </ul>
    </div>
  )
}
