import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { UNKNOWN } from '../../../../folding/shared/format.ts'
import { cpusLimit } from '../../../../folding/shared/limits.ts'
import { keyField, type GroupForm } from '../../../../folding/machine/machine-form.ts'
import { GROUP_LABELS } from '../../../../folding/machine/setting-labels.ts'
import {
  isGroupNew,
  selectAllCpus,
  selectGroupForm,
  selectGroupNames,
  selectMachineComplaint,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { Banner } from '../../../parts/feedback/banner.tsx'
import { Checkbox } from '../../../parts/fields/checkbox.tsx'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { NumberField } from '../../../parts/fields/number-field.tsx'
import { Slider } from '../../../parts/fields/slider.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { useFact } from '../../machines/client-context.ts'
import { GpuTable } from './gpu-table.tsx'
import { Section } from './section.tsx'
import { useDraft } from './settings-context.ts'
import { settingsHelp } from './settings-help.ts'
import styles from './settings.module.css'

type Props = { readonly group: string }
type Flag = 'on_idle' | 'on_battery' | 'keep_awake' | 'beta' | 'cuda' | 'hip'

const useEdit = (group: string) => {
  const draft = useDraft()
  return (change: Partial<GroupForm>): void =>
    draft.send({ type: 'draft.edit', change: { groups: { [group]: change } } })
}

/** Nothing where the client does not know the setting. */
const FlagBox = ({ group, flag, help }: Props & { readonly flag: Flag; readonly help: string }) => {
  const isOn = useSelector(useDraft(), snapshot => selectGroupForm(group)(snapshot)?.[flag])
  const edit = useEdit(group)
  const label = GROUP_LABELS[flag] ?? flag
  if (isOn === undefined) return null
  return (
    <div className={styles['check']}>
      <Checkbox isSelected={isOn} onChange={isSelected => edit({ [flag]: isSelected })}>
        {label}
      </Checkbox>
      <FieldHelp about={label} text={help} />
    </div>
  )
}

const Cpus = ({ group }: Props) => {
  const draft = useDraft()
  const edit = useEdit(group)
  const cpus = useSelector(draft, snapshot => selectGroupForm(group)(snapshot)?.cpus ?? 0)
  const all = useSelector(draft, selectAllCpus)
  const isShared = useSelector(draft, snapshot => selectGroupNames(snapshot).length > 1)
  const count = useFact(({ context }) => context.record.data?.info.cpus)
  return (
    <div className={styles['block']}>
      <Slider
        label={t`CPUs`}
        value={Math.min(cpus, count ?? cpus)}
        maximum={Math.max(count === undefined ? cpus : cpusLimit(count).most, 1)}
        valueText={`${cpus} of ${count ?? UNKNOWN}`}
        isDisabled={count === undefined}
        onChange={value => edit({ cpus: value })}
        help={<FieldHelp about={t`CPUs`} text={settingsHelp.cpus} />}
        field={
          count === undefined ? undefined : (
            <>
              <NumberField
                label={t`Number of CPUs`}
                value={cpus}
                // As many as are set now, even where the machine has fewer: they are not changed by looking at them.
                maximum={Math.max(count, cpus)}
                onChange={value => edit({ cpus: value })}
              />
              <span className={styles['of']}>of {count}</span>
            </>
          )
        }
      />
      {isShared && count !== undefined && all > count ? (
        <p className={styles['quiet']}>
          {t`All groups together are given ${all} CPUs, more than the machine has. The client shares them out.`}
        </p>
      ) : undefined}
    </div>
  )
}

const ProjectKey = ({ group }: Props) => {
  const draft = useDraft()
  const edit = useEdit(group)
  const key = useSelector(draft, snapshot => selectGroupForm(group)(snapshot)?.key ?? '')
  const error = useSelector(draft, selectMachineComplaint(keyField(group)))
  return (
    <div className={styles['key']}>
      <TextField
        label={t`Project Key`}
        name="project-key"
        autoComplete="off"
        inputMode="numeric"
        placeholder={t`None`}
        value={key}
        error={error}
        onChange={typed => edit({ key: typed })}
        help={<FieldHelp about={t`Project Key`} text={settingsHelp.key} />}
      />
    </div>
  )
}

/** The settings of one resource group. */
export const GroupSettings = ({ group, isAdvanced }: Props & { readonly isAdvanced: boolean }) => {
  const isNew = useSelector(useDraft(), isGroupNew(group))
  const level = isAdvanced ? 3 : 2
  return (
    <div className={isAdvanced ? styles['group'] : styles['parts']}>
      {isNew ? (
        <Banner tone="transfer" icon="plus">
          {t`This group is made when you save. It begins paused.`}
        </Banner>
      ) : undefined}
      <Section title={t`Scheduling`} about={t`When it may fold.`} level={level}>
        <div className={styles['checks']}>
          <FlagBox group={group} flag="on_idle" help={settingsHelp.onIdle} />
          <FlagBox group={group} flag="on_battery" help={settingsHelp.onBattery} />
          <FlagBox group={group} flag="keep_awake" help={settingsHelp.keepAwake} />
        </div>
      </Section>
      <Section title={t`Resource Usage`} about={t`What it may fold on.`} level={level}>
        <Cpus group={group} />
        <GpuTable group={group} />
      </Section>
      {isAdvanced ? (
        <Section title={t`Advanced`} about={t`Mainly for testing.`} level={level}>
          <div className={styles['checks']}>
            <FlagBox group={group} flag="beta" help={settingsHelp.beta} />
          </div>
          <ProjectKey group={group} />
          <div className={styles['checks']}>
            <FlagBox group={group} flag="cuda" help={settingsHelp.cuda} />
            <FlagBox group={group} flag="hip" help={settingsHelp.hip} />
          </div>
        </Section>
      ) : undefined}
    </div>
  )
}
