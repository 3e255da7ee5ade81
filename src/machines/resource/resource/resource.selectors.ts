import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import type { ResourceSnapshot } from './resource.machine.ts'

/** A remote value as a screen needs it. */
export type ResourceState<Value> = {
  /** The newest known value, of any age. */
  readonly value: Value | undefined
  /** The server reported that there is none. */
  readonly isAbsent: boolean
  readonly isLoading: boolean
  /** Why the last attempt to fetch it failed. */
  readonly fault: ApiFault | undefined
  /** When it was fetched, in corrected epoch milliseconds. */
  readonly at: number | undefined
}

/** State of a value that was not requested yet. */
export const initialResourceState: ResourceState<never> = {
  value: undefined,
  isAbsent: false,
  isLoading: true,
  fault: undefined,
  at: undefined,
}

/** A new object with every snapshot: compare it shallowly. */
export function selectResourceState(snapshot: ResourceSnapshot): ResourceState<unknown> {
  const { known, fault, at } = snapshot.context
  return {
    value: known?.isThere === true ? known.value : undefined,
    isAbsent: known?.isThere === false,
    isLoading: snapshot.hasTag('loading'),
    fault,
    at,
  }
}
