import { createHub } from './hub.ts'
import type { Batch, HubDeps, WirePort } from './hub.types.ts'

/** A hub on the own thread: in the server, and in tests. */
export function inlinePort(deps: Omit<HubDeps, 'post'>): WirePort {
  let listener: (batch: Batch) => void = () => undefined
  const hub = createHub({ ...deps, post: batch => queueMicrotask(() => listener(batch)) })
  return {
    post: command => hub.receive(command),
    listen(next) {
      listener = next
    },
    follow: listener => listener({ type: 'started' }),
    restart: () => undefined,
    stop() {
      hub.stop()
      listener = () => undefined
    },
  }
}
