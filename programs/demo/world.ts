import { createConditions } from '../simulation/internet/conditions.ts'
import { createInternet } from '../simulation/internet/internet.ts'
import { createRealm, type Realm } from '../simulation/realms/realm.ts'
import { createChances, type Chances } from '../simulation/time/chance.ts'
import type { Scheduler } from '../simulation/time/scheduler.ts'
import { PORTS } from './messages.ts'

/*
 * The simulation's internet on the clock of this computer: the network listens at its ports in the worker, and nothing
 * leaves it.
 */

// Those of the browser: globals.ts puts those of Node in their place.
const { setTimeout, clearTimeout } = globalThis

const scheduler: Pick<Scheduler, 'now' | 'after'> = {
  now: () => Date.now(),
  after: (ms, _owner, _what, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

const chances = createChances(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
/** Nothing is far away. */
const shortest: Chances = (...names) => ({ ...chances(...names), whole: least => least })

function realmOf(name: string): Realm {
  return createRealm({ name, scheduler, chance: chances(name), fail: (_, error) => reportError(error) })
}

/** The process of the network. */
export const process = realmOf('network')
/** The computer of the person. */
export const visitor = realmOf('page')

const created = createInternet({
  chances: shortest,
  conditions: createConditions(),
  services: {},
  note: () => undefined,
  whenCalled: () => undefined,
  whenAnswered: () => undefined,
})

/** Resolves when the network listens at a port. */
const listening = Object.fromEntries(
  Object.values(PORTS).map(port => {
    let begin = (): void => undefined
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    return [port, { begin, begun }]
  }),
)

export function whenListening(url: string): Promise<void> {
  return listening[new URL(url).port]?.begun ?? Promise.resolve()
}

export const internet: typeof created = {
  ...created,
  listen: (port, program) => {
    listening[port]?.begin()
    return created.listen(port, program)
  },
}
