import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { LONGEST_REASON } from '../../../folding/unit/credits.ts'
import { leftOutReason } from '../../../folding/unit/unit-progress.ts'
import type { ArchivedUnit } from '../../../folding/unit/history.ts'
import { speedText } from '../../../folding/unit/speed-text.ts'
import { SPEED_BASES } from '../../../folding/unit/watched.ts'
import { selectPreferences } from '../../../machines/app/preferences/preferences.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'

const bases = SPEED_BASES.map(id => ({ id, label: speedText(id) }))

/** By which frames the speed of running units is measured, on all screens. */
export function SpeedChoice() {
  const { preferences } = useSystem()
  const speed = useSelector(preferences, snapshot => selectPreferences(snapshot).speed)
  return (
    <Select
      label={t`Speed of running units`}
      options={bases}
      value={speed}
      onChange={id => {
        const chosen = SPEED_BASES.find(basis => basis === id)
        if (chosen !== undefined) preferences.send({ type: 'preferences.change', change: { speed: chosen } })
      }}
    />
  )
}

/** Leaves a unit that ended out of benchmarks, with the reason, or takes it in again. */
export function BenchmarkChoice({ archived: { key, unit } }: { readonly archived: ArchivedUnit }) {
  const { history } = useSystem()
  const [typed, setTyped] = useState('')
  const reason = leftOutReason(unit)
  const send = (next: string | undefined): void => history.send({ type: 'history.leaveOut', key, reason: next })
  if (reason !== undefined)
    return (
      <div className="flex wrap align-center gap-2">
        <span>{t`Left out of benchmarks: ${reason}`}</span>
        <Button isSmall onPress={() => send(undefined)}>
          {t`Include again`}
        </Button>
      </div>
    )
  return (
    <form
      className="flex wrap align-end gap-2"
      onSubmit={event => {
        event.preventDefault()
        if (typed.trim() !== '') send(typed.trim())
      }}
    >
      <TextField
        label={t`Reason to leave it out of benchmarks`}
        value={typed}
        onChange={text => setTyped(text.slice(0, LONGEST_REASON))}
        autoComplete="off"
      />
      <Button type="submit" blockedBecause={typed.trim() === '' ? t`Type a reason.` : undefined}>
        {t`Leave out`}
      </Button>
    </form>
  )
}
