import { transition, type AnyEventObject, type AnyMachineSnapshot, type AnyStateNode } from 'xstate'

/** Event types that an active state has a transition for, without XState's internal ones. */
export function acceptedEvents({ _nodes }: AnyMachineSnapshot): readonly string[] {
  const types = (_nodes as readonly AnyStateNode[]).flatMap(({ ownEvents }) => ownEvents as readonly string[])
  return [...new Set(types)].filter(type => type !== '' && !type.startsWith('xstate.') && !type.includes('*')).sort()
}

export type Checked =
  | { readonly ok: true; readonly event: AnyEventObject }
  | { readonly ok: false; readonly why: string }

/**
 * Builds the event, if the machine accepts it in its current state. The transition is computed without effects first, since
 * an event that makes a machine throw would stop it.
 */
export function checkEvent(snapshot: AnyMachineSnapshot, type: string, payload: string): Checked {
  const fields = readFields(payload)
  if (typeof fields === 'string') return { ok: false, why: fields }
  const event = { ...fields, type }
  try {
    if (!snapshot.can(event)) return { ok: false, why: 'With this payload, the state would ignore it.' }
    const after: unknown = transition(snapshot.machine, snapshot, event)[0]
    if ((after as AnyMachineSnapshot).status === 'error')
      return { ok: false, why: 'The machine would fail on it. Is something missing in the payload?' }
  } catch (error) {
    return { ok: false, why: `The machine would fail on it: ${error instanceof Error ? error.message : String(error)}` }
  }
  return { ok: true, event }
}

/** The fields of a JSON object, or an error message. */
export function readFields(payload: string): Readonly<Record<string, unknown>> | string {
  let fields: unknown
  try {
    fields = payload.trim() === '' ? {} : JSON.parse(payload)
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return 'A payload is an object, such as {"group": "night"}.'
  if (Object.hasOwn(fields, 'type')) return 'The type is chosen above; leave it out here.'
  if (Object.hasOwn(fields, '__proto__')) return 'A field cannot be called __proto__.'
  return { ...fields }
}
