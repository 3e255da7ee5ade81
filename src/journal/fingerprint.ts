import type { AnyStateMachine, AnyStateNode } from 'xstate'

/** A short text that is another one as soon as a machine, or one below it, has other states, events or actors. */
export const fingerprintOf = (machine: AnyStateMachine): string => {
  const seen = new Set<unknown>()
  const told = (logic: unknown): unknown => {
    if (typeof logic !== 'object' || logic === null || !('implementations' in logic) || seen.has(logic)) return 0
    seen.add(logic)
    const { root, implementations } = logic as AnyStateMachine
    return [
      shapeOf(root),
      Object.entries(implementations.actors as Record<string, unknown>).map(([name, child]) => [name, told(child)]),
    ]
  }
  return hash(JSON.stringify(told(machine)))
}

const shapeOf = (node: AnyStateNode): unknown => [
  node.id,
  node.ownEvents,
  Object.values(node.states).map(child => shapeOf(child as AnyStateNode)),
]

/** FNV-1a: tells versions apart, and keeps nobody out. */
const hash = (text: string): string => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}
