import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import type { AccountDraftRef } from '../../machines/account/settings/settings.machine.ts'
import type { MachineDraftRef } from '../../machines/connection/client-settings/client-settings.machine.ts'
import { isAwaiting, isModified, isSaving, wasSaved, whyNotSaved } from '../../machines/shared/draft/draft.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import styles from './draft-actions.module.css'

type DraftProps = { readonly draft: AccountDraftRef | MachineDraftRef }
type TitleProps = DraftProps & {
  /** Whose settings they are. */
  readonly children: ReactNode
  /** What is added to 'Saved' and to 'Sent' where there is room. */
  readonly saved?: string
  readonly sent?: string
}

const Outcome = ({ what, detail = '' }: { readonly what: string; readonly detail?: string | undefined }) => (
  <>
    {what}
    <span className={styles['detail']}>{detail}</span>
  </>
)

/** Below a form's heading: whose it is and, in a place that is always kept for it, what came of saving. */
export const DraftSubtitle = ({ draft, children, saved, sent }: TitleProps) => {
  const isWaiting = useSelector(draft, isAwaiting)
  const isDone = useSelector(draft, wasSaved)
  return (
    <span className={styles['subtitle']}>
      <span className={styles['of']}>{children}</span>
      <span role="status" className={styles['outcome']}>
        {isWaiting ? <Outcome what={t`Sent`} detail={sent} /> : undefined}
        {isDone && !isWaiting ? (
          <>
            <Icon name="check" />
            <span>
              <Outcome what={t`Saved`} detail={saved} />
            </span>
          </>
        ) : undefined}
      </span>
    </span>
  )
}

/** The way out of a form and the way to keep what it holds: leaving is never hindered, saving says why when it is. */
export const DraftActions = ({ draft }: DraftProps) => {
  const navigate = useNavigate()
  const hasChanges = useSelector(draft, isModified)
  const isBusy = useSelector(draft, isSaving)
  const obstacle = useSelector(draft, whyNotSaved)
  return (
    <>
      <Button onPress={() => void navigate('/machines')}>{hasChanges ? t`Cancel` : t`Close`}</Button>
      <Button
        kind="primary"
        isPending={isBusy}
        blockedBecause={obstacle}
        onPress={() => draft.send({ type: 'draft.save' })}
      >
        {isBusy ? t`Saving…` : t`Save`}
      </Button>
    </>
  )
}
