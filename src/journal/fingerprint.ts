import type { AnyStateMachine, AnyStateNode } from 'xstate'

/** A hash of the states, events and actors of a machine and those below it. */
export function fingerprintOf(machine: AnyStateMachine): string {
  const seen = new Set<unknown>()
  const describe = (logic: unknown): unknown => {
    if (typeof logic !== 'object' || logic === null || !('implementations' in logic) || seen.has(logic)) return 0
    seen.add(logic)
    const { root, implementations } = logic as AnyStateMachine
    return [
      shapeOf(root),
      Object.entries(implementations.actors as Record<string, unknown>).map(([name, child]) => [name, describe(child)]),
    ]
  }
  return hash(JSON.stringify(describe(machine)))
}

function shapeOf(node: AnyStateNode): unknown {
  return [node.id, node.ownEvents, Object.values(node.states).map(child => shapeOf(child as AnyStateNode))]
}

/** FNV-1a; not a cryptographic hash. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}
