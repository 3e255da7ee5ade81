import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { selectAccount, selectPassphraseDialog } from '../../../machines/account/account/account.selectors.ts'
import type { AccountDraftRef, SettingsRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectAvatar } from '../../../machines/account/settings/settings.selectors.ts'
import { selectDraft } from '../../../machines/shared/draft/draft.selectors.ts'
import type { PictureRef } from '../../../machines/shared/picture/picture.machine.ts'
import { Button } from '../../parts/actions/button.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { FieldHelp } from '../../parts/fields/field-help.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { CauseSelect } from '../cause-select.tsx'
import { requestSignOut } from './sign-out.ts'
import { DraftPicture } from './draft-picture.tsx'
import { DraftText } from './draft-text.tsx'
import { PasskeyField, TokenField } from './secret-fields.tsx'

type DraftProps = { readonly draft: AccountDraftRef }

function Avatar({ draft, picture }: DraftProps & { readonly picture: PictureRef }) {
  return (
    <DraftPicture
      label={t`Avatar`}
      icon="user"
      value={useSelector(draft, snapshot => selectDraft(snapshot)?.avatar)}
      picture={picture}
      onRemove={() => draft.send({ type: 'draft.edit', change: { avatar: '' } })}
    />
  )
}

function Cause({ draft }: DraftProps) {
  const cause = useSelector(draft, snapshot => selectDraft(snapshot)?.cause ?? 'any')
  return <CauseSelect cause={cause} onChange={id => draft.send({ type: 'draft.edit', change: { cause: id } })} />
}

function AccountActions() {
  const system = useSystem()
  const { account } = system
  const isDeleting = useSelector(account, snapshot => snapshot.hasTag('deleting'))
  const passphrase = useSelector(account, selectPassphraseDialog)
  return (
    <div className="flex wrap between gap-2 pad-top-4 line-above">
      <Button icon="logout" onPress={() => requestSignOut(system)}>
        {t`Logout`}
      </Button>
      <Button
        kind="danger"
        icon="trash"
        isPending={isDeleting}
        onPress={() => passphrase?.send({ type: 'passphrase.ask', purpose: 'delete' })}
      >
        {isDeleting ? t`Deleting…` : t`Delete Account`}
      </Button>
    </div>
  )
}

function EmailAndPassphrase() {
  const { account } = useSystem()
  const email = useSelector(account, snapshot => selectAccount(snapshot)?.email ?? '')
  const passphrase = useSelector(account, selectPassphraseDialog)
  return (
    <div className="grid gap-3">
      <TextField
        label={t`Email`}
        name="account-email"
        autoComplete="off"
        value={email}
        onChange={() => undefined}
        placeholder="???"
        isReadOnly
        description={t`The email address cannot be changed. To use another one, register a new account and link your machines to it.`}
      />
      <div>
        <Button icon="lock" onPress={() => passphrase?.send({ type: 'passphrase.ask', purpose: 'change' })}>
          {t`Change passphrase`}
        </Button>
      </div>
    </div>
  )
}

const help = {
  user: t`Points are credited to this name. It need not be unique. “Anonymous” keeps you anonymous. Any characters other than < > ; or & are allowed.`,
  team: t`The number of your team. Leave empty or enter 0 for no team.`,
  node: t`The relay node that connects this page with your machines. Change it only if the project tells you to.`,
}

export function SettingsTab({ settings, draft }: DraftProps & { readonly settings: SettingsRef }) {
  const picture = useSelector(settings, selectAvatar)
  return (
    <form className="stack gap-5 prose" autoComplete="off" onSubmit={event => event.preventDefault()}>
      {picture === undefined ? undefined : <Avatar draft={draft} picture={picture} />}
      <DraftText
        draft={draft}
        field="user"
        label={t`User name`}
        placeholder={t`Anonymous`}
        autoComplete="nickname"
        help={<FieldHelp about={t`User name`} text={help.user} />}
      />
      <DraftText
        draft={draft}
        field="team"
        label={t`Team`}
        placeholder={t`No team`}
        inputMode="numeric"
        autoComplete="off"
        help={<FieldHelp about={t`Team`} text={help.team} />}
      />
      <PasskeyField draft={draft} />
      <Cause draft={draft} />
      <DraftText
        draft={draft}
        field="node"
        label={t`Node`}
        inputMode="url"
        autoComplete="off"
        isCode
        help={<FieldHelp about={t`Node`} text={help.node} />}
      />
      <TokenField />
      <EmailAndPassphrase />
      <AccountActions />
    </form>
  )
}
