import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { SettingsPatch } from '../../../../folding/fleet/bulk-action.ts'
import { accountSettingTexts, groupSettingTexts } from '../../../../folding/client/setting-texts.ts'
import { TEAM, wholeNumber, wholeNumberError } from '../../../../folding/shared/limits.ts'
import { checkPasskey, checkUser } from '../../../../folding/shared/validation.ts'
import { Select } from '../../../parts/fields/select.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import styles from './bulk-dialog.module.css'

type Flag = 'onIdle' | 'onBattery' | 'keepAwake' | 'gpus' | 'beta' | 'cuda' | 'hip'
type Numbers = 'key' | 'team' | 'leastCpus' | 'mostCpus'

const flags: readonly { readonly key: Flag; readonly label: string; readonly on: string; readonly off: string }[] = [
  { key: 'onIdle', label: groupSettingTexts.on_idle.label, on: t`On`, off: t`Off` },
  { key: 'onBattery', label: groupSettingTexts.on_battery.label, on: t`On`, off: t`Off` },
  { key: 'keepAwake', label: groupSettingTexts.keep_awake.label, on: t`On`, off: t`Off` },
  { key: 'gpus', label: groupSettingTexts.gpus.label, on: t`Enable all supported`, off: t`Disable all` },
  { key: 'beta', label: groupSettingTexts.beta.label, on: t`On`, off: t`Off` },
  { key: 'cuda', label: groupSettingTexts.cuda.label, on: t`On`, off: t`Off` },
  { key: 'hip', label: groupSettingTexts.hip.label, on: t`On`, off: t`Off` },
]

const KEEP = t`Leave as it is`
const LIMITS = { least: 0, most: Number.MAX_SAFE_INTEGER }

/** The patch with a value, or without it. */
function withValue<Key extends keyof SettingsPatch>(
  patch: SettingsPatch,
  key: Key,
  value: SettingsPatch[Key] | undefined,
): SettingsPatch {
  const { [key]: _, ...others } = patch
  return (value === undefined ? others : { ...others, [key]: value }) as SettingsPatch
}

type Props = { readonly patch: SettingsPatch }

function useEdit() {
  const { bulk } = useSystem()
  return (patch: SettingsPatch): void => bulk.send({ type: 'bulk.edit', action: { kind: 'settings', patch } })
}

function FlagField({ patch, flag }: Props & { readonly flag: (typeof flags)[number] }) {
  const edit = useEdit()
  const value = patch[flag.key]
  return (
    <Select
      label={flag.label}
      options={[
        { id: 'keep', label: KEEP },
        { id: 'on', label: flag.on },
        { id: 'off', label: flag.off },
      ]}
      value={value === undefined ? 'keep' : value ? 'on' : 'off'}
      onChange={id => edit(withValue(patch, flag.key, id === 'keep' ? undefined : id === 'on'))}
    />
  )
}

type NumberProps = Props & {
  readonly name: Numbers
  readonly label: string
  readonly most: number
  readonly placeholder?: string
}

/** A whole number; an empty or invalid text is none. */
function NumberField({ patch, name, label, most, placeholder = KEEP }: NumberProps) {
  const edit = useEdit()
  const [typed, setTyped] = useState(patch[name] === undefined ? '' : String(patch[name]))
  const limits = { least: 0, most }
  return (
    <TextField
      label={label}
      value={typed}
      inputMode="numeric"
      placeholder={placeholder}
      error={wholeNumberError(typed, limits)}
      onChange={text => {
        setTyped(text)
        edit(withValue(patch, name, text.trim() === '' ? undefined : wholeNumber(text, limits)))
      }}
    />
  )
}

function CpuField({ patch }: Props) {
  const edit = useEdit()
  const rule = patch.cpus
  const [typed, setTyped] = useState(rule === undefined ? '' : String(rule.kind === 'count' ? rule.count : rule.spare))
  const kind = rule?.kind ?? 'keep'
  const ruleOf = (id: string, text: string): SettingsPatch['cpus'] => {
    const number = wholeNumber(text, LIMITS)
    if (number === undefined || id === 'keep') return undefined
    return id === 'count' ? { kind: 'count', count: number } : { kind: 'allBut', spare: number }
  }
  return (
    <>
      <Select
        label={groupSettingTexts.cpus.label}
        options={[
          { id: 'keep', label: KEEP },
          { id: 'count', label: t`This number` },
          { id: 'allBut', label: t`All but this number` },
        ]}
        value={kind}
        onChange={id => edit(withValue(patch, 'cpus', ruleOf(id, typed)))}
      />
      {kind === 'keep' ? undefined : (
        <TextField
          label={kind === 'count' ? t`Number of CPUs` : t`CPUs left free`}
          value={typed}
          inputMode="numeric"
          placeholder="0"
          error={wholeNumberError(typed, LIMITS)}
          onChange={text => {
            setTyped(text)
            if (wholeNumberError(text, LIMITS) === undefined) edit(withValue(patch, 'cpus', ruleOf(kind, text)))
          }}
        />
      )}
    </>
  )
}

/** Which settings change, where, and on which clients. */
export function SettingsPatchForm({ patch }: Props) {
  const edit = useEdit()
  const { scope } = patch
  return (
    <div className={styles['form']}>
      <p className="all-columns">{t`What you leave as it is stays on each machine. A preview follows.`}</p>
      <CpuField patch={patch} />
      {flags.map(flag => (
        <FlagField key={flag.key} patch={patch} flag={flag} />
      ))}
      <NumberField patch={patch} name="key" label={groupSettingTexts.key.label} most={LIMITS.most} />
      <h3 className="all-columns space-top-2 type-3 strong">{t`Where`}</h3>
      <Select
        label={t`Resource groups`}
        options={[
          { id: 'all', label: t`All` },
          { id: 'default', label: t`The default group` },
          { id: 'named', label: t`The one named` },
        ]}
        value={scope.kind}
        onChange={id =>
          edit({
            ...patch,
            scope: id === 'named' ? { kind: 'named', name: '' } : { kind: id === 'default' ? 'default' : 'all' },
          })
        }
      />
      {scope.kind === 'named' ? (
        <TextField
          label={t`Name of the group`}
          value={scope.name}
          onChange={name => edit({ ...patch, scope: { kind: 'named', name } })}
        />
      ) : undefined}
      <NumberField
        patch={patch}
        name="leastCpus"
        label={t`Only with at least so many CPUs`}
        most={LIMITS.most}
        placeholder={t`Any number`}
      />
      <NumberField
        patch={patch}
        name="mostCpus"
        label={t`Only with at most so many CPUs`}
        most={LIMITS.most}
        placeholder={t`Any number`}
      />
      <h3 className="all-columns space-top-2 type-3 strong">{t`Machines without an account`}</h3>
      <TextField
        label={accountSettingTexts.user.label}
        value={patch.user ?? ''}
        placeholder={KEEP}
        autoComplete="off"
        error={patch.user === undefined ? undefined : checkUser(patch.user)}
        onChange={user => edit(withValue(patch, 'user', user === '' ? undefined : user))}
      />
      <NumberField patch={patch} name="team" label={accountSettingTexts.team.label} most={TEAM.most} />
      <TextField
        label={accountSettingTexts.cause.label}
        value={patch.cause ?? ''}
        placeholder={KEEP}
        onChange={cause => edit(withValue(patch, 'cause', cause === '' ? undefined : cause.trim().toLowerCase()))}
      />
      <TextField
        label={accountSettingTexts.passkey.label}
        value={patch.secrets?.passkey ?? ''}
        placeholder={KEEP}
        isNoPassword
        isCode
        type="password"
        error={patch.secrets === undefined ? undefined : checkPasskey(patch.secrets.passkey, 'loose')}
        onChange={passkey => edit(withValue(patch, 'secrets', passkey === '' ? undefined : { passkey }))}
      />
    </div>
  )
}
