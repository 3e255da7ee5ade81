import '../styles/index.css'
import { createRoot } from 'react-dom/client'
import { Specimen } from './specimen.tsx'

const look = new URLSearchParams(location.search)
for (const name of ['theme', 'density'] as const) {
  const value = look.get(name)
  if (value !== null) document.documentElement.dataset[name] = value
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<Specimen />)
