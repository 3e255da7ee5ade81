import { useSelector as useXStateSelector } from '@xstate/react'
import { useMemo } from 'react'
import type { AnyActorRef } from 'xstate'
import { whileSeen } from './while-seen.ts'

export { shallowEqual, useSelector as useSelectorAlsoHidden } from '@xstate/react'

type Readable = Pick<AnyActorRef, 'subscribe' | 'getSnapshot'>

/** The actor, for a subscriber that hears nothing while the page is hidden. */
function asSeen<Actor extends Readable | undefined>(actor: Actor): Actor {
  if (actor === undefined) return actor
  const subscribe = whileSeen(onChange => {
    const subscription = actor.subscribe({ next: onChange, error: onChange })
    return () => subscription.unsubscribe()
  })
  const subscribeSeen = ({ next }: { next: () => void }) => ({ unsubscribe: subscribe(next) })
  return new Proxy(actor, {
    get: (target, key): unknown => (key === 'subscribe' ? subscribeSeen : Reflect.get(target, key)),
  })
}

/** `useSelector` of XState, which renders nothing while the page is hidden. */
export const useSelector: typeof useXStateSelector = (actor, select, compare) =>
  useXStateSelector(
    useMemo(() => asSeen(actor), [actor]),
    select,
    compare,
  )
