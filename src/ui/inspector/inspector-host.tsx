import { useState } from 'react'
import { ErrorBoundary } from '../parts/feedback/error-boundary.tsx'
import { lazyDialog } from '../parts/feedback/lazy-component.tsx'

const Inspector = lazyDialog(
  () => import('./inspector.tsx'),
  module => module.Inspector,
  'The inspector',
)

export type Dock = 'side' | 'bottom'
/** How the panel stands; kept while the page is open. `size` is in CSS pixels, across the dock. */
export type InspectorLook = { readonly dock: Dock; readonly size: Readonly<Record<Dock, number>> }

const FIRST: InspectorLook = { dock: 'bottom', size: { side: 460, bottom: 380 } }

type Props = { readonly isOpen: boolean; readonly onClose: () => void }

/** The place of the inspector. All but how it last stood is loaded when it is opened. */
export const InspectorHost = ({ isOpen, onClose }: Props) => {
  const [look, setLook] = useState(FIRST)
  if (!isOpen) return null
  return (
    <ErrorBoundary what="The inspector">
      <Inspector look={look} onLook={setLook} onClose={onClose} onUnavailable={onClose} />
    </ErrorBoundary>
  )
}
