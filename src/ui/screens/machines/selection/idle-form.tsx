import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { BulkAction } from '../../../../folding/fleet/bulk-action.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { Checkbox } from '../../../parts/fields/checkbox.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import styles from './bulk-dialog.module.css'

type IdleAction = Extract<BulkAction, { readonly kind: 'idle' }>

/** A time as a field of the browser has it, by the clock of this computer; '' without one. */
function fieldText(at: number | undefined): string {
  if (at === undefined) return ''
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** By when the machines shall be idle. */
export function IdleForm({ action }: { readonly action: IdleAction }) {
  const { bulk, history } = useSystem()
  // The preview tells how long units usually take.
  useEffect(() => history.send({ type: 'history.open' }), [history])
  const edit = (change: Partial<IdleAction>): void => bulk.send({ type: 'bulk.edit', action: { ...action, ...change } })
  return (
    <form
      className={styles['content']}
      onSubmit={event => {
        event.preventDefault()
        bulk.send({ type: 'bulk.showPreview' })
      }}
    >
      <TextField
        label={t`Idle by`}
        type="datetime-local"
        value={fieldText(action.until)}
        autoFocus
        onChange={text => {
          const at = Date.parse(text)
          edit({ until: Number.isNaN(at) ? undefined : at })
        }}
        description={t`Machines fetch work until a unit of usual length would end too late, then finish. Keep this page open until then: otherwise they go on.`}
      />
      <Checkbox isSelected={action.pauses} onChange={pauses => edit({ pauses })}>
        {t`Pause then what is not done`}
      </Checkbox>
    </form>
  )
}
