import { useState } from 'react'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import { lazyDialog } from '../parts/feedback/lazy-component.tsx'

const Inspector = lazyDialog(
  () => import('./inspector.tsx'),
  module => module.Inspector,
  'The inspector',
)

export type Dock = 'side' | 'bottom'
/** Kept while the page is open. `size`: width (side) or height (bottom) in CSS pixels. */
export type InspectorLayout = { readonly dock: Dock; readonly size: Readonly<Record<Dock, number>> }

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
