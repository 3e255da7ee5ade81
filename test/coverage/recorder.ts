/* Notes what every machine goes through, however it is run, from when this is first imported. */
import {
  StateMachine,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
} from 'xstate'
import { chartKey, transitionsOf } from './chart.ts'
import type { Note } from './notes.ts'

type Reached = { readonly states: Set<string>; readonly transitions: Set<string> }

const reached = new Map<string, Reached>()
const known = new WeakMap<
  AnyStateMachine,
  { readonly reached: Reached; readonly names: ReadonlyMap<unknown, string> }
>()

const knownOf = (machine: AnyStateMachine) => {
  const before = known.get(machine)
  if (before !== undefined) return before
  const key = chartKey(machine)
  const now = reached.get(key) ?? { states: new Set(), transitions: new Set() }
  reached.set(key, now)
  const entry = { reached: now, names: transitionsOf(machine) }
  known.set(machine, entry)
  return entry
}

const noteStates = ({ machine, _nodes }: AnyMachineSnapshot): void => {
  const { states } = knownOf(machine).reached
  for (const { id } of _nodes) states.add(id)
}

const noteStep = (event: InspectionEvent): void => {
  if (event.type !== '@xstate.microstep') return
  const snapshot = event.snapshot as AnyMachineSnapshot
  noteStates(snapshot)
  const {
    names,
    reached: { states, transitions },
  } = knownOf(snapshot.machine)
  for (const transition of event._transitions) {
    // What is left at once is in no snapshot.
    states.add(transition.source.id)
    const name = names.get(transition)
    if (name !== undefined) transitions.add(name)
  }
}

const systems = new WeakSet<object>()

const listenTo = ({ system }: AnyActorScope): void => {
  if (systems.has(system)) return
  systems.add(system)
  system.inspect({ next: noteStep })
}

// An actor and the walk through a graph have only this in common. Each machine binds what it finds here when it is made.
// eslint-disable-next-line @typescript-eslint/unbound-method -- each is called with the machine that it was called on
const { transition, getInitialSnapshot } = StateMachine.prototype as AnyStateMachine

Object.assign(StateMachine.prototype, {
  transition(this: AnyStateMachine, ...[snapshot, event, scope]: Parameters<typeof transition>) {
    listenTo(scope)
    return transition.call(this, snapshot, event, scope)
  },
  getInitialSnapshot(this: AnyStateMachine, ...[scope, input]: Parameters<typeof getInitialSnapshot>) {
    listenTo(scope)
    const snapshot = getInitialSnapshot.call(this, scope, input)
    noteStates(snapshot)
    return snapshot
  },
})

/** What was reached since this was asked for last. */
export const takeReached = (): readonly Note[] => {
  const notes = [...reached].map(([chart, { states, transitions }]): Note => ({
    by: 'machine',
    chart,
    states: [...states],
    transitions: [...transitions],
  }))
  for (const { states, transitions } of reached.values()) {
    states.clear()
    transitions.clear()
  }
  return notes
}
