import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { useId } from 'react'
import type { TeamForm } from '../../folding/account/team-form.ts'
import type { TeamDraftRef, TeamsRef } from '../../machines/account/teams/teams.machine.ts'
import { selectLogo, selectTeamFieldError, selectTeamDraft } from '../../machines/account/teams/teams.selectors.ts'
import { isModified, selectDraft, whyNotSaved } from '../../machines/shared/draft/draft.selectors.ts'
import type { PictureRef } from '../../machines/shared/picture/picture.machine.ts'
import { Button } from '../parts/actions/button.tsx'
import { TextField } from '../parts/fields/text-field.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { DraftPicture } from '../screens/account/draft-picture.tsx'

type DraftProps = { readonly draft: TeamDraftRef }
type TextProps = DraftProps & {
  readonly field: keyof Pick<TeamForm, 'name' | 'url'>
  readonly label: string
  readonly description: string
  readonly placeholder?: string
}

function TeamText({ draft, field, ...rest }: TextProps) {
  const value = useSelector(draft, snapshot => selectDraft(snapshot)?.[field] ?? '')
  const error = useSelector(draft, selectTeamFieldError(field))
  const hasChanges = useSelector(draft, isModified)
  return (
    <TextField
      {...rest}
      name={`team-${field}`}
      autoComplete="off"
      autoFocus={field === 'name'}
      {...(field === 'url' ? { inputMode: 'url' as const } : {})}
      value={value}
      onChange={typed => draft.send({ type: 'draft.edit', change: { [field]: typed } })}
      error={hasChanges ? error : undefined}
    />
  )
}

function Logo({ draft, picture }: DraftProps & { readonly picture: PictureRef }) {
  return (
    <DraftPicture
      label={t`Logo`}
      icon="team"
      value={useSelector(draft, snapshot => selectDraft(snapshot)?.logo)}
      picture={picture}
      onRemove={() => draft.send({ type: 'draft.edit', change: { logo: '' } })}
    />
  )
}

type TeamProps = DraftProps & { readonly teams: TeamsRef; readonly picture: PictureRef }

function Team({ teams, draft, picture }: TeamProps) {
  const id = useId()
  const edited = useSelector(teams, ({ context }) => context.edited)
  const isBusy = useSelector(draft, snapshot => snapshot.hasTag('busy'))
  const obstacle = useSelector(draft, whyNotSaved)
  // What is saved counts from its answer on, which the open dialog waits for.
  const cancel = (): void => {
    if (!isBusy) teams.send({ type: 'teams.cancel' })
  }
  return (
    <Dialog
      title={edited === undefined ? t`New Team` : t`Edit Team ${edited.team ?? ''}`}
      isForm
      onLeave={cancel}
      footer={
        <>
          <Button onPress={cancel} blockedBecause={isBusy ? t`Saving…` : undefined}>
            {t`Cancel`}
          </Button>
          <Button kind="primary" type="submit" form={id} isPending={isBusy} blockedBecause={obstacle}>
            {isBusy ? t`Saving…` : t`Save`}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="stack gap-4"
        onSubmit={event => {
          event.preventDefault()
          draft.send({ type: 'draft.save' })
        }}
      >
        <TeamText
          draft={draft}
          field="name"
          label={t`Name`}
          description={t`2 to 100 characters, none of < > ; or &.`}
        />
        <TeamText
          draft={draft}
          field="url"
          label="URL"
          placeholder="https://team.example"
          description={t`The team’s website (optional).`}
        />
        <Logo draft={draft} picture={picture} />
      </form>
    </Dialog>
  )
}

/** Creates a team, or edits one that the account owns. */
export function TeamDialog({ teams }: { readonly teams: TeamsRef }) {
  const draft = useSelector(teams, selectTeamDraft)
  const picture = useSelector(teams, selectLogo)
  return draft === undefined || picture === undefined ? null : (
    <Team key={draft.sessionId} teams={teams} draft={draft} picture={picture} />
  )
}
