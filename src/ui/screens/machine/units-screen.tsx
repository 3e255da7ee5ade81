import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { pathPart } from '../../../folding/address/web-address.ts'
import { sortRows } from '../../../folding/unit/unit-rows.ts'
import { selectClientKey, selectId, selectName } from '../../../machines/connection/client/client.selectors.ts'
import { selectRows } from '../../../machines/units/history/history.selectors.ts'
import { useClientSelector } from '../../hooks/client-context.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useHistoryOf } from '../../hooks/use-ppd-history.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { ClientPpd } from '../machines/charts/client-ppd.tsx'
import { Groups, useShownClient } from '../machines/panels/client-panel.tsx'
import { UnitList } from '../machines/units/unit-list.tsx'
import { UnitSheet } from '../machines/units/unit-sheet.tsx'
import { AT_ONCE, sortOf, withSort } from '../machines/view-params.ts'
import { Section } from '../section.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import { HistoryGrid } from '../work-units/history-grid.tsx'

/** Units of the client that ended. */
function History() {
  const id = useClientSelector(selectId)
  const name = useClientSelector(selectName)
  const key = useClientSelector(selectClientKey)
  useHistoryOf(
    'units',
    useMemo(() => [id], [id]),
  )
  const all = useSelector(useSystem().history, selectRows)
  const [params, setParams] = useSearchParams()
  const search = params.toString()
  const sort = useMemo(() => sortOf(new URLSearchParams(search)), [search])
  const rows = useMemo(
    () =>
      sortRows(
        all.filter(({ clientKey }) => clientKey === key),
        sort,
      ),
    [all, key, sort],
  )
  return (
    <Section
      title={t`History`}
      tools={<ButtonLink to={`/wus?machine=${pathPart(name)}`}>{t`Work Unit Stats`}</ButtonLink>}
    >
      <HistoryGrid rows={rows} sort={sort} onSort={next => setParams(now => withSort(now, next), AT_ONCE)} />
    </Section>
  )
}

/** The units of a client: those that it has, as a table, and those that ended. */
export function UnitsScreen() {
  return (
    <div className="stack gap-5" {...useShownClient()}>
      <h2 className="visually-hidden">{t`Units`}</h2>
      <UnitSheet>
        <Groups Units={UnitList} />
      </UnitSheet>
      <WhenLoaded part="history" what={t`The history`} shape="table">
        <ClientPpd />
        <History />
      </WhenLoaded>
    </div>
  )
}
