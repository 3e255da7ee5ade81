import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useId } from 'react'
import { gpuDescription, gpuOf, ownNameOf, UNDETECTED } from '../../../../folding/client/resources.ts'
import { formatValue } from '../../../../folding/text/format.ts'
import type { GroupField } from '../../../../folding/client/setting-texts.ts'
import {
  selectGroupForm,
  selectOtherGroupsOfGpu,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { classNames } from '../../../parts/class-names.ts'
import { Checkbox } from '../../../parts/fields/checkbox.tsx'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { useClientSelector } from '../../../hooks/client-context.ts'
import styles from './gpu-table.module.css'
import { useDraft } from './settings-context.ts'
import { useAskedFocus } from './use-asked-setting.ts'

type Props = { readonly group: string; readonly field: GroupField }

function GpuRow({ group, id }: { readonly group: string; readonly id: string }) {
  const draft = useDraft()
  const isEnabled = useSelector(draft, snapshot => selectGroupForm(group)(snapshot)?.gpus[id] === true)
  const others = useSelector(draft, selectOtherGroupsOfGpu(group, id))
  const isDetected = useClientSelector(({ context }) => gpuOf(context.record.data?.info, id) !== undefined)
  const isSupported = useClientSelector(({ context }) => gpuOf(context.record.data?.info, id)?.supported !== false)
  const row = useAskedFocus<HTMLTableRowElement>(group, `gpus ${id}`)
  const name = useClientSelector(({ context }) => {
    const info = context.record.data?.info
    const gpu = gpuOf(info, id)
    const model = gpu === undefined ? UNDETECTED : formatValue(gpuDescription(gpu))
    const personal = ownNameOf(info, id)
    return personal === undefined ? model : `${personal} (${model})`
  })
  return (
    <tr
      ref={row}
      className={classNames(!isSupported && styles['unsupported'], !isDetected && styles['undetected'])}
      {...(isSupported ? {} : { title: t`Unsupported GPU` })}
    >
      <th scope="row" className={styles['description']}>
        <span className={styles['name']}>{name}</span>
        <span className="row gap-1-2 quiet type-2">
          <span className="mono">{id}</span>
          {isSupported ? undefined : <span>{t`Unsupported GPU`}</span>}
          {isEnabled && others !== '' ? <span>{t`Also enabled in ${others}`}</span> : undefined}
        </span>
      </th>
      <td className={styles['enabled']}>
        <Checkbox
          isSelected={isEnabled}
          // An unsupported GPU that is enabled can be disabled.
          isDisabled={!isSupported && !isEnabled}
          onChange={isSelected =>
            draft.send({ type: 'draft.edit', change: { groups: { [group]: { gpus: { [id]: isSelected } } } } })
          }
        >
          <span className="visually-hidden">{t`Enable ${name} (${id})`}</span>
        </Checkbox>
      </td>
    </tr>
  )
}

/** The GPUs of a group: those that the client reports, and enabled ones that it does not report. */
export function GpuTable({ group, field: { label, help } }: Props) {
  const id = useId()
  const block = useAskedFocus<HTMLDivElement>(group, 'gpus')
  const ids = useSelector(useDraft(), snapshot =>
    Object.keys(selectGroupForm(group)(snapshot)?.gpus ?? {})
      .sort()
      .join('\n'),
  )
  return (
    <div ref={block} className="grid gap-1">
      <span className="line gap-1 type-3 medium">
        <span id={id}>{label}</span>
        <FieldHelp about={label} text={help} />
      </span>
      {ids === '' ? (
        <p className="quiet type-3">{t`The client detected no GPUs.`}</p>
      ) : (
        <table className={styles['table']} aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{t`Description`}</th>
              <th scope="col">{t`Enabled`}</th>
            </tr>
          </thead>
          <tbody>
            {ids.split('\n').map(gpu => (
              <GpuRow key={gpu} group={group} id={gpu} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
