import type { ApiFault } from '../../../protocol/api-fault.ts'
import type { ResourceSnapshot } from './resource.machine.ts'

/** A remote value as a screen needs it. */
export type ResourceState<Value> = {
  /** The newest that is known, however old. */
  readonly value: Value | undefined
  /** The server says that there is none. */
  readonly isAbsent: boolean
  readonly isLoading: boolean
  /** Why it could not be fetched at the last try. */
  readonly fault: ApiFault | undefined
  /** When it was fetched, in corrected epoch milliseconds. */
  readonly at: number | undefined
}

/** Of what nobody has asked for yet. */
export const unasked: ResourceState<never> = {
  value: undefined,
  isAbsent: false,
  isLoading: true,
  fault: undefined,
  at: undefined,
}

/** Another object whenever the machine moves: compare it shallowly. */
export const selectResourceState = (snapshot: ResourceSnapshot): ResourceState<unknown> => {
  const { known, fault, at } = snapshot.context
  return {
    value: known?.isThere === true ? known.value : undefined,
    isAbsent: known?.isThere === false,
    isLoading: snapshot.hasTag('loading'),
    fault,
    at,
  }
}
