import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { settingsSystemId } from '../../../../machines/connection/client-settings/client-settings.machine.ts'
import { unlinkQuestion } from '../../../../machines/connection/client-settings/client-settings.questions.ts'
import {
  isLinking,
  isUnlinking,
  selectMachineComplaint,
  selectNameToLink,
  selectSettingsReport,
  selectWhyNotLinked,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { checkMachineName } from '../../../../folding/shared/validation.ts'
import { selectDraft } from '../../../../machines/shared/draft/draft.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { useFact } from '../../machines/client-context.ts'
import { Section } from './section.tsx'
import { useDraft, useSettings } from './settings-context.ts'
import { settingsHelp } from './settings-help.ts'

const Linked = () => {
  const settings = useSettings()
  const draft = useDraft()
  const { dialogs } = useSystem()
  const id = useFact(({ context }) => context.id)
  const name = useSelector(draft, snapshot => selectDraft(snapshot)?.linked?.name ?? '')
  const error = useSelector(draft, selectMachineComplaint('name'))
  const isBusy = useSelector(settings, isUnlinking)
  return (
    <>
      <TextField
        label={t`Machine name`}
        name="machine-name"
        autoComplete="off"
        placeholder="???"
        value={name}
        error={error}
        onChange={typed => draft.send({ type: 'draft.edit', change: { linked: { name: typed } } })}
        help={<FieldHelp about={t`Machine name`} text={settingsHelp.name} />}
      />
      <div>
        <Button
          icon="unlinked"
          isPending={isBusy}
          onPress={() => dialogs.send({ type: 'dialogs.ask', dialog: unlinkQuestion(settingsSystemId(id)) })}
        >
          {isBusy ? t`Unlinking…` : t`Unlink`}
        </Button>
      </div>
    </>
  )
}

const Unlinked = () => {
  const settings = useSettings()
  const name = useSelector(settings, selectNameToLink)
  const obstacle = useSelector(settings, selectWhyNotLinked)
  const isBusy = useSelector(settings, isLinking)
  return (
    <>
      <TextField
        label={t`Machine name`}
        name="machine-name"
        autoComplete="off"
        value={name}
        error={checkMachineName(name)}
        onChange={typed => settings.send({ type: 'settings.nameLink', name: typed })}
        help={<FieldHelp about={t`Machine name`} text={settingsHelp.linkName} />}
      />
      <div>
        <Button
          kind="primary"
          icon="link"
          isPending={isBusy}
          blockedBecause={obstacle}
          onPress={() => settings.send({ type: 'settings.link' })}
        >
          {isBusy ? t`Linking…` : t`Link`}
        </Button>
      </div>
    </>
  )
}

/** What the machine is called, and whether it belongs to the account that is signed in. */
export const MachineSection = () => {
  const settings = useSettings()
  const isLinked = useSelector(settings, snapshot => selectSettingsReport(snapshot).isLinked)
  return (
    <Section
      title={t`Machine`}
      about={
        isLinked
          ? t`It belongs to your account and can be reached from anywhere.`
          : t`It does not belong to your account. Link it to reach it from anywhere.`
      }
    >
      {isLinked ? <Linked /> : <Unlinked />}
    </Section>
  )
}
