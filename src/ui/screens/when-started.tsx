import { useSelector } from '@xstate/react'
import { use, type ReactNode } from 'react'
import type { AppRef } from '../../machines/app/app/app.machine.ts'
import type { DeferredGroup } from '../../machines/app/deferred.ts'
import { selectGroupState } from '../../machines/app/system.ts'
import { LoadFailure } from '../parts/feedback/lazy-component.tsx'
import { useSystem } from '../hooks/system-context.ts'
import { Page } from './page.tsx'

const starting = new WeakMap<AppRef, Map<DeferredGroup, Promise<void>>>()

/** Has a group loaded. Resolves when its actors are started or cannot be; the same promise until then. */
const startOf = (app: AppRef, group: DeferredGroup): Promise<void> => {
  const known = starting.get(app) ?? new Map<DeferredGroup, Promise<void>>()
  starting.set(app, known)
  const running = known.get(group)
  if (running !== undefined) return running
  const isPending = (): boolean => {
    const state = selectGroupState(app, group)(app.getSnapshot())
    return state === 'loading' || state === 'waiting'
  }
  const own = new Promise<void>(resolve => {
    // Not while a screen is rendered.
    queueMicrotask(() => {
      app.send({ type: 'deferred.want', code: group })
      const changes = app.subscribe(() => {
        if (isPending()) return
        changes.unsubscribe()
        known.delete(group)
        resolve()
      })
    })
  })
  known.set(group, own)
  return own
}

type Props = { readonly group: DeferredGroup; readonly title: string; readonly children: ReactNode }

/** A screen that reads deferred actors: suspends until they are started. */
export const WhenStarted = ({ group, title, children }: Props) => {
  const { app } = useSystem()
  const state = useSelector(app, selectGroupState(app, group))
  if (state === 'started') return children
  if (state === 'waiting' || state === 'loading') {
    use(startOf(app, group))
    return null
  }
  return (
    <Page title={title}>
      <LoadFailure
        what={title}
        fault={state}
        isRetrying={false}
        onRetry={() => app.send({ type: 'deferred.want', code: group })}
      />
    </Page>
  )
}
