import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { isServerAway, selectFaultText } from '../../machines/server/session/session.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { Banner } from '../parts/feedback/banner.tsx'
import { useServer } from '../hooks/server-context.ts'

/** What is wrong between this page and its server, and what to do about it. */
export function ServerNotice() {
  const { session } = useServer()
  const isOut = useSelector(session, snapshot => snapshot.hasTag('signedOut'))
  const isAway = useSelector(session, isServerAway)
  const fault = useSelector(session, selectFaultText)
  if (isOut)
    return (
      <Banner
        help="/help/when-something-is-wrong#the-server-of-the-page-does-not-answer"
        tone="warning"
        icon="lock"
        actions={
          <Button
            isSmall
            kind="primary"
            onPress={() =>
              window.location.assign(`/api/server/login?next=${encodeURIComponent(window.location.pathname)}`)
            }
          >
            {t`Sign in again`}
          </Button>
        }
      >
        {t`You are not signed in to this server any more, so its machines are disconnected.`}
      </Banner>
    )
  if (isAway)
    return (
      <Banner
        help="/help/when-something-is-wrong#the-server-of-the-page-does-not-answer"
        tone="warning"
        icon="offline"
        actions={
          <Button isSmall onPress={() => session.send({ type: 'session.check' })}>
            {t`Try now`}
          </Button>
        }
      >
        {t`The server of this page does not answer. Machines keep the state they have; schedules are applied when it runs again.`}
      </Banner>
    )
  if (fault === undefined) return null
  return (
    <Banner
      help="/help/when-something-is-wrong#the-server-of-the-page-does-not-answer"
      tone="warning"
      icon="warning"
      isUrgent
      actions={
        <Button isSmall onPress={() => session.send({ type: 'session.dismiss' })}>
          {t`Dismiss`}
        </Button>
      }
    >
      {fault}
    </Banner>
  )
}
