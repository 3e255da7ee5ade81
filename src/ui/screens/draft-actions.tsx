import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { AccountDraftRef } from '../../machines/account/settings/settings.machine.ts'
import type { ClientDraftRef } from '../../machines/connection/client-settings/client-settings.machine.ts'
import { isModified, wasSaved, whyNotSaved } from '../../machines/shared/draft/draft.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import styles from './draft-actions.module.css'

type DraftProps = { readonly draft: AccountDraftRef | ClientDraftRef }
type TitleProps = DraftProps & {
  /** The name of the client or account. */
  readonly children: ReactNode
  /** Texts in place of 'Saved' and 'Sent'. */
  readonly saved?: ReactNode
  readonly sent?: ReactNode
}

/** The part of a result that is hidden in narrow windows. */
export function ResultDetail({ children }: { readonly children?: ReactNode }) {
  return <span className={styles['detail']}>{children}</span>
}

/** Below a form's heading: the name of its owner and the result of saving. */
export function DraftSubtitle({ draft, children, saved = t`Saved`, sent = t`Sent` }: TitleProps) {
  const isWaiting = useSelector(draft, snapshot => snapshot.hasTag('awaiting'))
  const isDone = useSelector(draft, wasSaved)
  return (
    <span className="line gap-3 shrink">
      <bdi className="shrink ellipsis">{children}</bdi>
      <span role="status" className={styles['outcome']}>
        {isWaiting ? sent : undefined}
        {isDone && !isWaiting ? (
          <>
            <Icon name="check" />
            <span>{saved}</span>
          </>
        ) : undefined}
      </span>
    </span>
  )
}

type ActionsProps = DraftProps & {
  /** Whether Cancel reads Close while there is nothing to cancel. */
  readonly closes?: boolean
  /** Where Cancel and Close lead. */
  readonly leavesTo?: string
}

/** Cancel (or Close) and Save. Save explains why it is disabled. */
export function DraftActions({ draft, closes = false, leavesTo = '/machines' }: ActionsProps) {
  const navigate = useNavigate()
  const hasChanges = useSelector(draft, isModified)
  const isBusy = useSelector(draft, snapshot => snapshot.hasTag('busy'))
  const blocker = useSelector(draft, whyNotSaved)
  return (
    <>
      <Button onPress={() => void navigate(leavesTo)}>{closes && !hasChanges ? t`Close` : t`Cancel`}</Button>
      <Button
        kind="primary"
        isPending={isBusy}
        blockedBecause={blocker}
        onPress={() => draft.send({ type: 'draft.save' })}
      >
        {isBusy ? t`Saving…` : t`Save`}
      </Button>
    </>
  )
}
