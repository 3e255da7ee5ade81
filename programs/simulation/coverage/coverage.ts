import { isMachineSnapshot, type AnyActorRef, type AnyStateMachine, type InspectionEvent } from 'xstate'
import { transitionsOf } from '../../../test/coverage/chart.ts'

/** How often each was reached, by name. */
export type Counts = Readonly<Record<string, number>>

/** What one run reached. */
export type Reached = {
  /** Actors that began, by the machine. */
  readonly machines: Counts
  /** By `transitionsOf`. */
  readonly transitions: Counts
  /** Two consecutive transitions of one actor: `one → other`. */
  readonly pairs: Counts
  /** `machine · guard · true` or `false`. */
  readonly guards: Counts
  /** `fault · begins · circumstance`, or `ends`. */
  readonly faults: Counts
}

export type Coverage = {
  /** Of every actor system of the world. */
  readonly inspect: (event: InspectionEvent) => void
  readonly fault: (name: string, phase: 'begins' | 'ends', circumstances: readonly string[]) => void
  readonly reached: () => Reached
}

type Guard = (args: unknown, params: unknown) => boolean
type Implementations = { readonly guards: Record<string, Guard | object> }

export function guardOutcome(machine: string, guard: string, outcome: boolean): string {
  return `${machine} · ${guard} · ${outcome}`
}

/** Names of the guards of a machine that are functions; others are made of these. */
export function guardsOf({ implementations }: AnyStateMachine): readonly string[] {
  return Object.entries((implementations as Implementations).guards)
    .filter(([, guard]) => isPlain(guard))
    .map(([name]) => name)
}

function isPlain(guard: Guard | object): guard is Guard {
  return typeof guard === 'function' && !('check' in guard)
}

function createCounter() {
  const counts = new Map<string, number>()
  return {
    add: (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1),
    counts: (): Counts => Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

/** Counts what a run reaches. It only looks on: a run is the same with and without it. */
export function createCoverage(): Coverage {
  const [machines, transitions, pairs] = [createCounter(), createCounter(), createCounter()]
  const [guards, faults] = [createCounter(), createCounter()]
  const namesOf = new WeakMap<AnyStateMachine, ReadonlyMap<unknown, string>>()
  const lastOf = new WeakMap<object, string>()
  const counting = new WeakSet<object>()

  const countGuards = (machine: AnyStateMachine): void => {
    const { guards: all } = machine.implementations as Implementations
    for (const name of guardsOf(machine)) {
      const guard = all[name]
      if (guard === undefined || !isPlain(guard) || counting.has(guard)) continue
      const counted: Guard = (args, params) => {
        const outcome = guard(args, params)
        guards.add(guardOutcome(machine.id, name, outcome))
        return outcome
      }
      counting.add(counted)
      all[name] = counted
    }
  }

  const know = (machine: AnyStateMachine): ReadonlyMap<unknown, string> => {
    const names = namesOf.get(machine) ?? transitionsOf(machine)
    namesOf.set(machine, names)
    return names
  }

  const begin = (ref: AnyActorRef): void => {
    const logic: unknown = 'logic' in ref ? ref.logic : undefined
    if (!isMachine(logic)) return
    machines.add(logic.id)
    if (namesOf.has(logic)) return
    know(logic)
    countGuards(logic)
  }

  return {
    inspect: event => {
      // Sent before the first state of an actor is computed.
      if (event.type === '@xstate.actor') begin(event.actorRef as AnyActorRef)
      if (event.type !== '@xstate.microstep' || !isMachineSnapshot(event.snapshot)) return
      const names = know(event.snapshot.machine)
      for (const transition of event._transitions) {
        const name = names.get(transition)
        if (name === undefined) continue
        transitions.add(name)
        const last = lastOf.get(event.actorRef)
        if (last !== undefined) pairs.add(`${last} → ${name}`)
        lastOf.set(event.actorRef, name)
      }
    },
    fault: (name, phase, circumstances) => {
      for (const circumstance of circumstances) faults.add(`${name} · ${phase} · ${circumstance}`)
    },
    reached: () => ({
      machines: machines.counts(),
      transitions: transitions.counts(),
      pairs: pairs.counts(),
      guards: guards.counts(),
      faults: faults.counts(),
    }),
  }
}

function isMachine(logic: unknown): logic is AnyStateMachine {
  return typeof logic === 'object' && logic !== null && 'implementations' in logic
}
