import { useEffect } from 'react'
import type { ClientPower } from '../../folding/fleet/client-facts.ts'
import type { ClientView } from '../../folding/client/client.ts'
import { loadCode } from '../../loading/load-code.ts'
import { isPartThere } from '../../machines/app/app.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { useSystem } from '../hooks/system-context.ts'
import type * as powerFacts from './power-facts.ts'

let code: typeof powerFacts | undefined

async function loadPower(): Promise<void> {
  code = await loadCode(() => import('./power-facts.ts'))
}

/** Has the code that knows what machines draw loaded, and its settings read. Until then `knownPower` knows nothing. */
export function usePowerCode(isNeeded: boolean): void {
  const { app } = useSystem()
  useEffect(() => {
    if (!isNeeded) return
    app.send({ type: 'app.want', part: 'power' })
    void loadPower().catch(() => undefined)
  }, [app, isNeeded])
}

/** What a client draws now, for readers that read again each second. The same object while it is the same. */
export function knownPower(system: System, view: ClientView, now: number): ClientPower | undefined {
  return code !== undefined && isPartThere('power')(system.app.getSnapshot())
    ? code.powerOf(system, view, now)
    : undefined
}
