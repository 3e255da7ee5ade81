import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { groupNameOf } from '../../../../folding/client/group.ts'
import { unitNotice, unitSetting } from '../../../../folding/unit/unit-cells.ts'
import { selectId } from '../../../../machines/connection/client/client.selectors.ts'
import { logPath } from '../../log/log-path.ts'
import { useClientSelector, useLogTime } from '../../../hooks/client-context.ts'
import { settingPath } from '../../machine/settings-path.ts'
import { useUnitAt } from './use-unit.ts'
import { originalOf } from '../../../../folding/text/client-words.ts'

/** Leads to the line about it, where its time is known. */
function LogLink({ number }: { readonly number: number }) {
  const client = useClientSelector(selectId)
  const at = useLogTime(({ evidence }) => evidence.unit === number)
  return (
    <Link to={logPath(client, number, at)} className="link space-start-2">
      {t`Log`}
    </Link>
  )
}

/** Leads to the setting that keeps it from going on. */
function SettingLink({ unit }: { readonly unit: string }) {
  const client = useClientSelector(selectId)
  const group = useUnitAt(unit, groupNameOf) ?? ''
  const setting = useUnitAt(unit, unitSetting)
  return setting === undefined ? null : (
    <Link to={settingPath(client, { group, setting })} className="link space-start-2">{t`Settings`}</Link>
  )
}

type Props = { readonly unit: string; readonly role?: 'cell'; readonly className: string | undefined }

/** The notice of a unit with links to the setting that decides and to the log. */
export function UnitNotice({ unit, role, className }: Props) {
  const number = useUnitAt(unit, found => found.number)
  const notice = useUnitAt(unit, unitNotice)
  const original = useUnitAt(unit, found => originalOf(found.pause_reason))
  if (notice === undefined) return null
  return (
    <div role={role} className={className}>
      <p title={original} className="quiet type-2">
        {notice}
        <SettingLink unit={unit} />
        {number === undefined ? undefined : <LogLink number={number} />}
      </p>
    </div>
  )
}
