import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { formatBothClocks, formatLocalShort } from '../../../folding/text/times.ts'
import { statusOf } from '../../../folding/unit/unit-cells.ts'
import type { UnitRecord } from '../../../folding/unit/unit-record.ts'
import { statusAppearance } from '../../../folding/unit/unit-status.ts'
import { unitTimeline, type UnitEvent } from '../../../folding/unit/unit-timeline.ts'
import { Button } from '../../parts/actions/button.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import type { Tone } from '../../parts/display/tone.ts'
import type { IconName } from '../../parts/icons/icon.tsx'
import { useResource } from '../../hooks/use-resource.ts'
import styles from './unit-timeline.module.css'
import { useCreditsKey, useUnitSource, useUnitValue } from './unit-source.ts'

type Look = { readonly label: string; readonly icon: IconName; readonly tone: Tone }

const looks: Readonly<Record<Extract<UnitEvent['what'], string>, Look>> = {
  assigned: { label: t`Assigned`, icon: 'download', tone: 'paused' },
  lost: { label: t`Continued from its last checkpoint`, icon: 'warning', tone: 'failed' },
  unseen: { label: t`Not seen`, icon: 'offline', tone: 'stale' },
  logged: { label: t`Credit`, icon: 'done', tone: 'done' },
  timeout: { label: t`Timeout`, icon: 'wait', tone: 'paused' },
  deadline: { label: t`Deadline`, icon: 'wait', tone: 'paused' },
}

function lookOf({ what }: UnitEvent): Look {
  return typeof what === 'string' ? looks[what] : statusAppearance(what.status)
}

/** Shown at first. */
const SHOWN = 8

/** What happened to the unit from its assignment on, newest first. */
export function UnitTimeline({ record }: { readonly record: UnitRecord | undefined }) {
  const source = useUnitSource()
  const status = useUnitValue(statusOf) ?? ''
  const { value: credits } = useResource(useCreditsKey())
  const [isWhole, setWhole] = useState(false)
  const events = useMemo(() => {
    const unit = source.read()?.unit
    return unit === undefined ? [] : unitTimeline(unit, status, record, credits ?? [])
  }, [source, status, record, credits])
  return (
    <>
      <ol aria-label={t`History`}>
        {events.slice(0, isWhole ? undefined : SHOWN).map(event => {
          const { label, icon, tone } = lookOf(event)
          return (
            <li key={`${event.at} ${label}`} className={styles['event']}>
              <time
                className="quiet type-3 nowrap"
                dateTime={new Date(event.at).toISOString()}
                title={formatBothClocks(event.at)}
              >
                {formatLocalShort(event.at)}
              </time>
              <StatusMark icon={icon} tone={tone} text={label} />
              <bdi className="quiet type-3">{event.detail}</bdi>
            </li>
          )
        })}
      </ol>
      {isWhole || events.length <= SHOWN ? undefined : (
        <div>
          <Button isSmall onPress={() => setWhole(true)}>{t`Show more`}</Button>
        </div>
      )}
    </>
  )
}
