import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { UNKNOWN } from '../../../../folding/text/format.ts'
import { groupField } from '../../../../folding/client/client-form-edits.ts'
import type { GroupForm } from '../../../../folding/client/client-form.ts'
import {
  sectionRows,
  settingSectionNames,
  settingSections,
  type GroupField,
  type SettingSection,
} from '../../../../folding/client/setting-texts.ts'
import {
  isGroupNew,
  selectAllCpus,
  selectGroupForm,
  selectGroupNames,
  selectFieldError,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { Banner } from '../../../parts/feedback/banner.tsx'
import { Checkbox } from '../../../parts/fields/checkbox.tsx'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { NumberField } from '../../../parts/fields/number-field.tsx'
import { Slider } from '../../../parts/fields/slider.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { GpuTable } from './gpu-table.tsx'
import { Section } from './section.tsx'
import { useDraft } from './settings-context.ts'
import { useAskedFocus } from './use-asked-setting.ts'
import styles from './settings.module.css'

type Props = { readonly group: string }
type FieldProps = Props & { readonly field: GroupField }

function useEdit(group: string) {
  const draft = useDraft()
  return (change: Partial<GroupForm>): void =>
    draft.send({ type: 'draft.edit', change: { groups: { [group]: change } } })
}

/** Nothing if the client does not know the setting. */
function FlagField({ group, field: { key, label, help } }: FieldProps) {
  const isOn = useSelector(useDraft(), snapshot => selectGroupForm(group)(snapshot)?.[key])
  const edit = useEdit(group)
  const place = useAskedFocus<HTMLDivElement>(group, key)
  if (typeof isOn !== 'boolean') return null
  return (
    <div ref={place} className="line gap-1">
      <Checkbox isSelected={isOn} onChange={isSelected => edit({ [key]: isSelected })}>
        {label}
      </Checkbox>
      <FieldHelp about={label} text={help} />
    </div>
  )
}

/** A whole number that is typed. Nothing if the client does not know the setting. */
function NumberTextField({ group, field: { key, label, help, placeholder = '' } }: FieldProps) {
  const draft = useDraft()
  const edit = useEdit(group)
  const typed = useSelector(draft, snapshot => selectGroupForm(group)(snapshot)?.[key])
  const error = useSelector(draft, selectFieldError(groupField(group, key)))
  if (typeof typed !== 'string') return null
  return (
    <div className={styles['number']}>
      <TextField
        label={label}
        name={key}
        autoComplete="off"
        inputMode="numeric"
        placeholder={placeholder}
        value={typed}
        error={error}
        onChange={value => edit({ [key]: value })}
        help={<FieldHelp about={label} text={help} />}
      />
    </div>
  )
}

function Cpus({ group, field: { label, help } }: FieldProps) {
  const draft = useDraft()
  const edit = useEdit(group)
  const cpus = useSelector(draft, snapshot => selectGroupForm(group)(snapshot)?.cpus ?? 0)
  const all = useSelector(draft, selectAllCpus)
  const isShared = useSelector(draft, snapshot => selectGroupNames(snapshot).length > 1)
  const count = useClientSelector(({ context }) => context.record.data?.info.cpus)
  const place = useAskedFocus<HTMLDivElement>(group, 'cpus')
  return (
    <div ref={place} className="grid gap-1">
      <Slider
        label={label}
        value={Math.min(cpus, count ?? cpus)}
        maximum={Math.max(count ?? cpus, 1)}
        valueText={t`${cpus} of ${count ?? UNKNOWN}`}
        isDisabled={count === undefined}
        onChange={value => edit({ cpus: value })}
        help={<FieldHelp about={label} text={help} />}
        field={
          count === undefined ? undefined : (
            <>
              <NumberField
                label={t`Number of CPUs`}
                value={cpus}
                // At least as many as are set now: showing them must not change them.
                maximum={Math.max(count, cpus)}
                onChange={value => edit({ cpus: value })}
              />
              <span className={styles['of']}>{t`of ${count}`}</span>
            </>
          )
        }
      />
      {isShared && count !== undefined && all > count ? (
        <p className="quiet type-3 pretty">
          {t`All groups together have ${all} CPUs, more than the machine. The client divides the CPUs among them.`}
        </p>
      ) : undefined}
    </div>
  )
}

function Field(props: FieldProps) {
  switch (props.field.type) {
    case 'boolean':
      return <FlagField {...props} />
    case 'number':
      return <NumberTextField {...props} />
    case 'cpus':
      return <Cpus {...props} />
    case 'gpus':
      return <GpuTable {...props} />
  }
}

function Fields({ group, section }: Props & { readonly section: SettingSection }) {
  return sectionRows(section).map(row => {
    const fields = row.map(field => <Field key={field.key} group={group} field={field} />)
    return row[0]?.type === 'boolean' ? (
      <div key={row[0].key} className="grid justify-start gap-1">
        {fields}
      </div>
    ) : (
      fields
    )
  })
}

/** The settings of one resource group. */
export function GroupSettings({ group, isAdvanced }: Props & { readonly isAdvanced: boolean }) {
  const isNew = useSelector(useDraft(), isGroupNew(group))
  const level = isAdvanced ? 3 : 2
  return (
    <div className={isAdvanced ? styles['group'] : 'grid gap-5'}>
      {isNew ? (
        <Banner tone="transfer" icon="plus">
          {t`This group is created when you save. It starts paused.`}
        </Banner>
      ) : undefined}
      {settingSectionNames.map(section => {
        const { title, about, isAdvanced: needsAdvanced } = settingSections[section]
        return needsAdvanced && !isAdvanced ? undefined : (
          <Section key={section} title={title} about={about} level={level}>
            <Fields group={group} section={section} />
          </Section>
        )
      })}
    </div>
  )
}
