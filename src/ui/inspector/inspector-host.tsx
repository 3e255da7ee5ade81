import { useState } from 'react'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import { lazyDialog } from '../parts/feedback/lazy-component.tsx'
import type { InspectorLayout } from './inspector-layout.ts'

const Inspector = lazyDialog(() => import('./inspector.tsx').then(m => m.Inspector), 'The inspector')

const INITIAL: InspectorLayout = { dock: 'bottom', size: { side: 460, bottom: 380 } }

type Props = { readonly isOpen: boolean; readonly onClose: () => void }

/** Loads the inspector when it is opened, and keeps its layout. */
export function InspectorHost({ isOpen, onClose }: Props) {
  const [layout, setLayout] = useState(INITIAL)
  if (!isOpen) return null
  return (
    <ErrorBoundary what="The inspector">
      <Inspector layout={layout} onLayout={setLayout} onClose={onClose} onUnavailable={onClose} />
    </ErrorBoundary>
  )
}
