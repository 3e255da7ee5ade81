import { Suspense } from 'react'
import type { AnyMachineSnapshot, AnyStateNode, StateValue } from 'xstate'
import { Skeleton } from '../parts/display/skeleton.tsx'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import { ChartView } from './chart/chart-view.tsx'
import styles from './inspector.module.css'
import { stateLabel } from './watch/actor-tree.ts'

type Props = {
  readonly snapshot: AnyMachineSnapshot
  /** Ids of the transitions that were taken last. */
  readonly transitions: ReadonlySet<string>
}

/** A machine's active states, as text and in its statechart. */
export function ActorState({ snapshot, transitions }: Props) {
  const nodes: readonly AnyStateNode[] = snapshot._nodes
  const tags: ReadonlySet<string> = snapshot.tags
  const active = new Set(nodes.map(({ id }) => id))
  const states = stateLabel(snapshot.value as StateValue)
  const descriptions = nodes.flatMap(({ description, parent }) =>
    description === undefined || parent === undefined ? [] : [description],
  )
  return (
    <div className={styles['stack']}>
      <dl className={styles['facts']}>
        <dt>Active</dt>
        <dd data-active="">{states === '' ? 'This machine has no states.' : states}</dd>
        {tags.size === 0 ? undefined : (
          <>
            <dt>Tags</dt>
            <dd>{[...tags].join(', ')}</dd>
          </>
        )}
        {descriptions.length === 0 ? undefined : (
          <>
            <dt>Description</dt>
            <dd>{descriptions.join(' ')}</dd>
          </>
        )}
      </dl>
      <ErrorBoundary what="This diagram">
        <Suspense fallback={<Skeleton label="Drawing the statechart…" rows={6} />}>
          <ChartView machine={snapshot.machine} lit={{ active, transitions }} />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
