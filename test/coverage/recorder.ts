/* Records the states and transitions of every machine that runs, from the inspection events of its actor system. */
import { isMachineSnapshot, type AnyStateMachine, type InspectionEvent } from 'xstate'
import { chartKey, transitionsOf } from './chart.ts'
import type { Note } from './notes.ts'

type Reached = { readonly states: Set<string>; readonly transitions: Set<string> }

const reached = new Map<string, Reached>()
const entriesByMachine = new WeakMap<
  AnyStateMachine,
  { readonly reached: Reached; readonly names: ReadonlyMap<unknown, string> }
>()

function knownOf(machine: AnyStateMachine) {
  const before = entriesByMachine.get(machine)
  if (before !== undefined) return before
  const key = chartKey(machine)
  const now = reached.get(key) ?? { states: new Set(), transitions: new Set() }
  reached.set(key, now)
  const entry = { reached: now, names: transitionsOf(machine) }
  entriesByMachine.set(machine, entry)
  return entry
}

/** Records what an actor system reports: the states of each snapshot of a machine, and the transitions of each microstep. */
export function recordInspection(event: InspectionEvent): void {
  if (event.type !== '@xstate.microstep' && event.type !== '@xstate.snapshot') return
  if (!isMachineSnapshot(event.snapshot)) return
  const { machine, _nodes } = event.snapshot
  const { names, reached } = knownOf(machine)
  for (const { id } of _nodes) reached.states.add(id)
  if (event.type !== '@xstate.microstep') return
  for (const transition of event._transitions) {
    // A state that is left within the same macrostep is in no snapshot.
    reached.states.add(transition.source.id)
    const name = names.get(transition)
    if (name !== undefined) reached.transitions.add(name)
  }
}

/** What was reached since the last call. */
export function takeReached(): readonly Note[] {
  const notes = [...reached].map(([chart, { states, transitions }]): Note => ({
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
