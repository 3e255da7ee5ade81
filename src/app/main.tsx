import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createWire } from '../actors/wire/wire.ts'
import { App } from '../ui/app.tsx'
import { readSettings } from './settings.ts'
import { startSystem } from './system.ts'
import { askedAddress } from './asked-address.ts'

/** Some browsers throw where others say that there is none. */
const orNone = <T,>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const system = startSystem({
  settings: readSettings(document, import.meta.env, location.host),
  wire: createWire({
    port: new Worker(new URL('../actors/wire/wire.worker.ts', import.meta.url), { type: 'module', name: 'wire' }),
    document,
    window,
  }),
  document,
  window,
  storage: orNone(() => localStorage),
  indexedDB: orNone(() => indexedDB),
  fetch: fetch.bind(globalThis),
  now: () => Date.now(),
})

const address = askedAddress(location, history)
if (address !== undefined) system.connect.send({ type: 'connect.ask', address, isForeign: true })

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root.')
createRoot(root).render(
  <StrictMode>
    <App system={system} />
  </StrictMode>,
)
