import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { useEffect, type ReactNode } from 'react'
import type { PartName } from '../../machines/app/app.parts.ts'
import { isPartThere, selectPartFault } from '../../machines/app/app.selectors.ts'
import { useSystem } from '../hooks/system-context.ts'
import { Skeleton, type SkeletonShape } from '../parts/display/skeleton.tsx'
import { LoadFailure } from '../parts/feedback/lazy-component.tsx'

type Props = {
  /** The part of the app whose actors the children use. */
  readonly part: PartName
  /** What cannot be shown without it, at the start of a sentence. */
  readonly what: string
  /** Of what comes. */
  readonly shape?: SkeletonShape
  readonly children: ReactNode
}

/** Has a part of the app loaded, and shows what uses its actors when they run. */
export function WhenLoaded({ part, what, shape = 'lines', children }: Props) {
  const { app } = useSystem()
  const isThere = useSelector(app, isPartThere(part))
  const fault = useSelector(app, selectPartFault(part))
  useEffect(() => app.send({ type: 'app.want', part }), [app, part])
  if (isThere) return children
  if (fault === undefined) return <Skeleton label={t`Loading…`} shape={shape} />
  return (
    <LoadFailure what={what} fault={fault} isRetrying={false} onRetry={() => app.send({ type: 'app.want', part })} />
  )
}
