import '../loading/source-locale.ts'
import '../ui/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { bridgeOf } from '../ui/inspector/bridge.ts'
import { InspectorWindow } from '../ui/inspector/inspector-window.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('inspector.html has no element #root.')
createRoot(root).render(
  <StrictMode>
    <InspectorWindow bridge={bridgeOf(window.opener)} />
  </StrictMode>,
)
