import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { useSelector } from '../../../hooks/use-selector.ts'
import { settingsSystemId } from '../../../../machines/connection/client-settings/client-settings.events.ts'
import { unlinkQuestion } from '../../../../machines/connection/client-settings/client-settings.questions.ts'
import {
  selectFieldError,
  selectNameToLink,
  selectSettingsReport,
  selectLinkBlocker,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { checkClientName } from '../../../../folding/shared/validation.ts'
import { selectDraft } from '../../../../machines/shared/draft/draft.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { Section } from './section.tsx'
import { useDraft, useSettings } from './settings-context.ts'

function Linked() {
  const settings = useSettings()
  const draft = useDraft()
  const { dialogs } = useSystem()
  const id = useClientSelector(({ context }) => context.id)
  const name = useSelector(draft, snapshot => selectDraft(snapshot)?.linked?.name ?? '')
  const error = useSelector(draft, selectFieldError('name'))
  const isBusy = useSelector(settings, snapshot => snapshot.hasTag('unlinking'))
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
        help={
          <FieldHelp
            about={t`Machine name`}
            text={t`The name of this machine in your account: 1 to 64 letters, digits, underscores, dashes and dots. The client takes it over when it next connects to the account; it is told to do so at once.`}
          />
        }
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

function Unlinked() {
  const settings = useSettings()
  const name = useSelector(settings, selectNameToLink)
  const linkBlocker = useSelector(settings, selectLinkBlocker)
  const isBusy = useSelector(settings, snapshot => snapshot.hasTag('linking'))
  return (
    <>
      <TextField
        label={t`Machine name`}
        name="machine-name"
        autoComplete="off"
        value={name}
        error={checkClientName(name)}
        onChange={typed => settings.send({ type: 'settings.nameLink', name: typed })}
        help={
          <FieldHelp
            about={t`Machine name`}
            text={t`The name that this machine will have in your account: 1 to 64 letters, digits, underscores, dashes and dots.`}
          />
        }
      />
      <div>
        <Button
          kind="primary"
          icon="link"
          isPending={isBusy}
          blockedBecause={linkBlocker}
          onPress={() => settings.send({ type: 'settings.link' })}
        >
          {isBusy ? t`Linking…` : t`Link`}
        </Button>
      </div>
    </>
  )
}

/** The client's name, and its link to the account that is signed in. */
export function ClientSection() {
  const settings = useSettings()
  const isLinked = useSelector(settings, snapshot => selectSettingsReport(snapshot).isLinked)
  return (
    <Section
      title={t`Machine`}
      about={
        isLinked ? (
          <>
            {t`This machine belongs to your account, which also says for whom it folds. You can reach it from anywhere.`}{' '}
            <Link to="/account/settings">{t`Account settings`}</Link>
          </>
        ) : (
          t`This machine does not belong to your account. Link it to reach it from anywhere.`
        )
      }
    >
      {isLinked ? <Linked /> : <Unlinked />}
    </Section>
  )
}
