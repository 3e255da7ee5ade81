import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { emptyLog, type LogLines } from '../../src/folding/log/log-lines.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import type { SearchCommand, Viewport } from '../../src/machines/screens/log/log.events.ts'
import { logMachine } from '../../src/machines/screens/log/log.machine.ts'
import { selectShown } from '../../src/machines/screens/log/log.selectors.ts'

export function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `line ${index}`)
}

/** A client that is nothing but its log. */
export function startClient() {
  const sent: unknown[] = []
  const listeners = new Set<() => void>()
  let log: LogLines = emptyLog
  let isLogWhole = false
  let heardAt = 7
  let status = 'active'
  const ref = {
    _send: (event: unknown) => sent.push(event),
    getSnapshot: () => ({ status, context: { record: { log, isLogWhole }, heardAt } }),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return { unsubscribe: () => listeners.delete(listener) }
    },
  } as unknown as ClientRef
  return {
    ref,
    sent,
    listeners,
    /** As when it is removed from the fleet. */
    stop: () => (status = 'stopped'),
    write: (next: LogLines, at = heardAt, isWhole = true) => {
      log = next
      isLogWhole = isWhole
      heardAt = at
      for (const listener of listeners) listener()
    },
  }
}

export const TYPING_PAUSE = 2

export function startLog(text = '', at?: number) {
  const clock = new SimulatedClock()
  const client = startClient()
  const asked: SearchCommand[] = []
  let searched = (): LogLines => emptyLog
  const actor = createActor(
    logMachine.provide({
      actors: {
        logSearch: fromCallback<SearchCommand, { readonly readLog: () => LogLines }>(({ receive, input }) => {
          searched = input.readLog
          receive(command => asked.push(command))
        }),
      },
    }),
    { clock },
  ).start()
  actor.send({ type: 'log.open', client: client.ref, text, ...(at === undefined ? {} : { at }) })
  const lastFind = () => asked.findLast(command => command.type === 'search.find' || command.type === 'search.restart')
  const id = (): number => lastFind()?.id ?? 0
  const end = (): number => actor.getSnapshot().context.end
  return {
    actor,
    clock,
    client,
    asked,
    /** The log that the search reads. */
    searched: () => searched(),
    lastFind,
    snapshot: () => actor.getSnapshot(),
    /** The user types this, and pauses. */
    type: (typed: string) => {
      actor.send({ type: 'log.setText', text: typed })
      clock.increment(TYPING_PAUSE)
    },
    /** The search begins, and finds these lines. */
    find: (...numbers: number[]) => {
      actor.send({ type: 'search.started', id: id() })
      actor.send({ type: 'search.found', id: id(), numbers: Uint32Array.from(numbers), end: end(), marks: [] })
    },
    begin: () => actor.send({ type: 'search.started', id: id() }),
    grow: (...numbers: number[]) =>
      actor.send({ type: 'search.updated', id: id(), numbers: Uint32Array.from(numbers), end: end() }),
    mark: (...numbers: number[]) =>
      actor.send({ type: 'search.marked', id: id(), marks: numbers.map(number => [number, [0, 1]] as const) }),
    shown: () => {
      const shown = selectShown(actor.getSnapshot())
      return Array.from({ length: shown.count }, (_, place) => shown.numberAt(place))
    },
  }
}

export function viewport(number: number, to: number, more: Partial<Viewport> = {}): Viewport {
  return {
    place: { number, offset: 0 },
    to,
    height: 300,
    share: 0.5,
    isAtEnd: false,
    ...more,
  }
}
