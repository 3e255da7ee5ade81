import { parseAddress } from '../../folding/address/address.ts'
import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { ProbeReport } from '../../machines/connection/check/connection-check.events.ts'
import type { ProbeInput } from '../../machines/connection/check/connection-check.machine.ts'
import { factActor } from '../fact-actor.ts'
import type { ProbeDeps } from './probes.ts'

export type ConnectionProbesDeps = Pick<ProbeDeps, 'fetch' | 'apiUrl' | 'account' | 'now'> & {
  readonly window: Window
}

/** Milliseconds for each probe: a person may be asked for a permission meanwhile. */
const TIME_LIMIT = 8000

/** Tries all that tells why a client cannot be reached. Its code is loaded when the first check is made. */
export function connectionProbes({ window, ...deps }: ConnectionProbesDeps) {
  return factActor<{ type: 'none' }, ProbeInput, ProbeReport>(({ input, report }) => {
    const ended = new AbortController()
    const run = async (): Promise<void> => {
      const address = parseAddress(input.address)
      if (address === undefined) throw new Error('The machine checks addresses before it starts probes.')
      const [{ runProbes }, { browserProbes }] = await loadCode(() =>
        Promise.all([import('./probes.ts'), import('./browser-probes.ts')]),
      )
      await runProbes({ ...deps, ...browserProbes(window), timeLimit: TIME_LIMIT }, address, ended.signal, fact => {
        if (!ended.signal.aborted) report(fact)
      })
    }
    run().catch((error: unknown) => {
      if (!ended.signal.aborted)
        report({ type: 'probes.unavailable', fault: error instanceof LoadError ? error.fault : 'damaged' })
    })
    return () => ended.abort()
  })
}
