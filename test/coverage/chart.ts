import { createHash } from 'node:crypto'
import type { AnyStateMachine, StateNode } from 'xstate'

type Node = StateNode

/** Every way that a chart has from one of its states, as `state · event · which`, where `which` counts those of the same event. */
export function transitionsOf(machine: AnyStateMachine): ReadonlyMap<unknown, string> {
  return new Map(nodesOf(machine).flatMap(namedTransitions))
}

/** Ids of all states. */
export function statesOf(machine: AnyStateMachine): readonly string[] {
  return nodesOf(machine).map(({ id }) => id)
}

/** What tells charts apart: a machine and a model can have the same id, and a test its own machine of that id. */
export function chartKey(machine: AnyStateMachine): string {
  const hash = createHash('sha256')
  for (const name of [...transitionsOf(machine).values()].sort()) hash.update(`${name}\n`)
  return `${machine.id} ${hash.digest('hex').slice(0, 12)}`
}

/** A way on from a state of a model. */
export function stepOf(machine: AnyStateMachine, state: string, event: string): string {
  return nameOf(`${machine.id}.${state}`, event, 0)
}

function nodesOf(machine: AnyStateMachine): readonly Node[] {
  const below = (node: Node): readonly Node[] => [node, ...Object.values(node.states).flatMap(below)]
  return below(machine.root as Node)
}

function namedTransitions(node: Node): readonly (readonly [unknown, string])[] {
  const received = [...node.transitions].flatMap(([event, candidates]) =>
    candidates.map((way, index) => [way, nameOf(node.id, labelOf(event, node), index)] as const),
  )
  const always = (node.always ?? []).map((way, index) => [way, nameOf(node.id, 'always', index)] as const)
  return [...received, ...always]
}

function nameOf(state: string, event: string, index: number): string {
  return `${state} · ${event}${index === 0 ? '' : ` · ${index + 1}`}`
}

/** `xstate.after.timeout.log.open.search` is `after timeout`. */
function labelOf(event: string, node: Node): string {
  return event
    .replace(
      /^xstate\.(after)\.(.*)$/,
      (_, after: string, rest: string) => `${after} ${rest.replace(`.${node.id}`, '')}`,
    )
    .replace(
      /^xstate\.(done|error)\.(?:actor|state)\.(.*)$/,
      (_, end: string, rest: string) => `${end} ${rest.replace(`.${node.id}`, '')}`,
    )
}
