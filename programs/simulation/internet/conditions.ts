/** From where to where a connection leads: a realm's name, and a service with its path, such as `relay/ws/client`. */
export type Route = { readonly from: string; readonly to: string }

/** What is wrong with some routes. */
export type Condition = {
  readonly concerns: (route: Route) => boolean
  /** Nothing arrives; connections break when that lasts. */
  readonly isCut?: boolean
  /** Milliseconds longer than usual, for one message. */
  readonly delay?: () => number
  /** Whether a message of a connection never arrives, by its text. */
  readonly loses?: (text: string) => boolean
  /** What becomes of a call: an error before or after its effect, or another answer. */
  readonly call?: () => CallFault | undefined
}

/** `twice`: a proxy sends it again. `refused`: with the status 429. */
export const CALL_FAULTS = ['lost', 'answer lost', 'twice', 'refused', 'error 500', 'html', 'garbled'] as const
export type CallFault = (typeof CALL_FAULTS)[number]

/** The state of all connections between parts. */
export function createConditions() {
  const active = new Set<Condition>()
  let waiting = new Set<() => void>()
  const of = (route: Route): readonly Condition[] =>
    active.size === 0 ? [] : [...active].filter(({ concerns }) => concerns(route))
  return {
    /** Adds a condition; returns the function that ends it. */
    add: (condition: Condition): (() => void) => {
      active.add(condition)
      return () => {
        active.delete(condition)
        const due = waiting
        waiting = new Set()
        for (const run of due) run()
      }
    },
    isCut: (route: Route) => of(route).some(({ isCut }) => isCut === true),
    /** Runs a function once, when the next condition ends. Returns what withdraws it. */
    whenOneEnds: (run: () => void): (() => void) => {
      waiting.add(run)
      return () => void waiting.delete(run)
    },
    delay: (route: Route) => of(route).reduce((sum, { delay }) => sum + (delay?.() ?? 0), 0),
    loses: (route: Route, text: string) => of(route).some(({ loses }) => loses?.(text) === true),
    callFault: (route: Route): CallFault | undefined =>
      of(route)
        .map(({ call }) => call?.())
        .find(fault => fault !== undefined),
    isCalm: () => active.size === 0,
  }
}

export type Conditions = ReturnType<typeof createConditions>
