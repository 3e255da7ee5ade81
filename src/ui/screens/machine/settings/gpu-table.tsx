import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import { formatValue } from '../../../../folding/shared/format.ts'
import { gpuOf, UNDETECTED } from '../../../../folding/machine/resources.ts'
import {
  selectGroupForm,
  selectRivals,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { classNames } from '../../../parts/class-names.ts'
import { Checkbox } from '../../../parts/fields/checkbox.tsx'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { useFact } from '../../machines/client-context.ts'
import styles from './gpu-table.module.css'
import { useDraft } from './settings-context.ts'
import { settingsHelp } from './settings-help.ts'

type Props = { readonly group: string }

const GpuRow = ({ group, id }: Props & { readonly id: string }) => {
  const draft = useDraft()
  const isEnabled = useSelector(draft, snapshot => selectGroupForm(group)(snapshot)?.gpus[id] === true)
  const rivals = useSelector(draft, selectRivals(group, id))
  const isDetected = useFact(({ context }) => gpuOf(context.record.data?.info, id) !== undefined)
  const isSupported = useFact(({ context }) => gpuOf(context.record.data?.info, id)?.supported !== false)
  const name = useFact(({ context }) =>
    isDetected ? formatValue(gpuOf(context.record.data?.info, id)?.description) : UNDETECTED,
  )
  return (
    <tr
      className={classNames(!isSupported && styles['unsupported'], !isDetected && styles['undetected'])}
      {...(isSupported ? {} : { title: t`Unsupported GPU` })}
    >
      <th scope="row" className={styles['description']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['notes']}>
          <span className={styles['id']}>{id}</span>
          {isSupported ? undefined : <span>{t`Unsupported GPU`}</span>}
          {isEnabled && rivals !== '' ? <span>{t`Also enabled in ${rivals}`}</span> : undefined}
        </span>
      </th>
      <td className={styles['enabled']}>
        <Checkbox
          isSelected={isEnabled}
          // One that was enabled all the same can be disabled.
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

/** Which GPUs a group may use: those that the machine reports, and those that are enabled though it does not. */
export const GpuTable = ({ group }: Props) => {
  const id = useId()
  const ids = useSelector(useDraft(), snapshot =>
    Object.keys(selectGroupForm(group)(snapshot)?.gpus ?? {})
      .sort()
      .join('\n'),
  )
  return (
    <div className={styles['block']}>
      <span className={styles['caption']}>
        <span id={id}>{t`GPUs`}</span>
        <FieldHelp about={t`GPUs`} text={settingsHelp.gpus} />
      </span>
      {ids === '' ? (
        <p className={styles['empty']}>{t`The client has detected no GPU.`}</p>
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
