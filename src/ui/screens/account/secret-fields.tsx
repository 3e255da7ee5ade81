import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { selectToken } from '../../../machines/account/account/account.selectors.ts'
import { renewTokenQuestion } from '../../../machines/account/account/account.questions.ts'
import type { AccountDraftRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectAccountFieldError } from '../../../machines/account/settings/settings.selectors.ts'
import { selectDraft } from '../../../machines/shared/draft/draft.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { FieldHelp } from '../../parts/fields/field-help.tsx'
import { PasswordField } from '../../parts/fields/password-field.tsx'
import { Help } from '../../parts/overlays/help.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useCopy } from '../../hooks/use-copy.ts'

export function PasskeyField({ draft }: { readonly draft: AccountDraftRef }) {
  const passkey = useSelector(draft, snapshot => selectDraft(snapshot)?.secrets.passkey ?? '')
  const error = useSelector(draft, selectAccountFieldError('passkey'))
  return (
    <PasswordField
      label={t`Passkey`}
      name="passkey"
      isNoPassword
      value={passkey}
      onChange={typed => draft.send({ type: 'draft.edit', change: { secrets: { passkey: typed.trim() } } })}
      error={error}
      help={
        <FieldHelp
          about={t`Passkey`}
          text={t`A passkey earns bonus points. Request one from the project; it comes by email.`}
          page="/help/words#passkey"
        />
      }
    />
  )
}

export function TokenField() {
  const { account, dialogs } = useSystem()
  const token = useSelector(account, selectToken)
  const isRenewing = useSelector(account, snapshot => snapshot.hasTag('renewing'))
  const { copy, outcome } = useCopy()
  return (
    <div className="grid gap-3">
      <PasswordField
        label={t`Account token`}
        name="account-token"
        isNoPassword
        value={token}
        onChange={() => undefined}
        onCopy={() => copy(t`Token`, token)}
        isReadOnly
        description={t`Anyone who has this token can link machines to your account.`}
        help={
          <Help about={t`Account token`}>
            <p>{t`To link a client on a computer without a browser, pass it this token with the option --account-token.`}</p>
            <p>{t`When you generate a new token, the old one stops working. Linked machines stay linked.`}</p>
          </Help>
        }
      />
      <div className="row gap-2-3">
        <Button
          icon="reset"
          isPending={isRenewing}
          onPress={() => dialogs.send({ type: 'dialogs.ask', dialog: renewTokenQuestion })}
        >
          {isRenewing ? t`Generating…` : t`Generate a new token`}
        </Button>
        <span role="status" className="quiet type-3">
          {outcome}
        </span>
      </div>
    </div>
  )
}
