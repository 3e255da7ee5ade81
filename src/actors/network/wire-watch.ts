import type { WireCommand, WireFact } from '../../machines/app/wire.events.ts'
import { factActor } from '../fact-actor.ts'
import type { Wire } from '../wire/wire.ts'

/** Reports whether the worker that holds all connections to clients runs. */
export function wireWatch({ wire }: { readonly wire: Pick<Wire, 'follow' | 'restart'> }) {
  return factActor<WireCommand, undefined, WireFact>(({ report, receive }) => {
    const unsubscribe = wire.follow(condition => {
      if (condition.type === 'started') report({ type: 'wire.started' })
      else if (condition.type === 'failed') report({ type: 'wire.failed', fault: condition.fault })
    })
    receive(() => wire.restart())
    return unsubscribe
  })
}
