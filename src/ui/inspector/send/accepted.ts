import { transition, type AnyEventObject, type AnyMachineSnapshot, type AnyStateNode } from 'xstate'

/** The events that some active state has a transition for, by name; those that only XState itself sends are left out. */
export const acceptedEvents = ({ _nodes }: AnyMachineSnapshot): readonly string[] => {
  const types = (_nodes as readonly AnyStateNode[]).flatMap(({ ownEvents }) => ownEvents as readonly string[])
  return [...new Set(types)].filter(type => type !== '' && !type.startsWith('xstate.') && !type.includes('*')).sort()
}

export type Checked =
  { readonly ok: true; readonly event: AnyEventObject } | { readonly ok: false; readonly why: string }

/**
 * An event of the type with what was written, if the machine can take it as it is now. It is tried without effects
 * first: an event that a machine stumbles over would stop it.
 */
export const checkEvent = (snapshot: AnyMachineSnapshot, type: string, payload: string): Checked => {
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

/** Why not, when the text is no object of JSON. */
export const readFields = (payload: string): Readonly<Record<string, unknown>> | string => {
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
