import type { WatchCommand, WatchFact, WatchInput } from '../../machines/incidents/incidents/incidents.events.ts'
import { factActor } from '../fact-actor.ts'
import { startWatching, type WatchDeps } from './watcher.ts'

/** Watches all clients for incidents. */
export function incidentWatch(deps: WatchDeps) {
  return factActor<WatchCommand, WatchInput, WatchFact>(({ input, report, receive }) => {
    const { accept, stop } = startWatching(deps, input, report)
    receive(accept)
    return stop
  })
}
