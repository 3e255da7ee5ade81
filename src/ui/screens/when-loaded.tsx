import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useEffect, type ReactNode } from 'react'
import type { AnyActorRef } from 'xstate'
import { selectDeferral, type DeferredEvent } from '../../machines/shared/deferred-logic.ts'
import { Skeleton } from '../parts/display/skeleton.tsx'
import { LoadFailure } from '../parts/feedback/lazy-component.tsx'

type Props = {
  /** An actor whose machine is loaded on demand. */
  readonly actor: AnyActorRef
  /** What cannot be shown without it, at the start of a sentence. */
  readonly what: string
  /** Around what is shown until it is loaded, for children that bring the frame of the screen themselves. */
  readonly frame?: (content: ReactNode) => ReactNode
  readonly children: ReactNode
}

/** Has the actor's machine loaded, and shows what reads it when it is. */
export const WhenLoaded = ({ actor, what, frame = content => content, children }: Props) => {
  const state = useSelector(actor, selectDeferral)
  const load = (): void => actor.send({ type: 'deferred.want' } satisfies DeferredEvent)
  useEffect(() => {
    if (state === 'notLoaded') actor.send({ type: 'deferred.want' } satisfies DeferredEvent)
  }, [actor, state])
  if (state === 'loaded') return children
  if (state === 'notLoaded' || state === 'loading') return frame(<Skeleton label={t`Loading…`} rows={6} />)
  return frame(<LoadFailure what={what} fault={state} isRetrying={false} onRetry={load} />)
}
