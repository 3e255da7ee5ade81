export type Exception = {
  /** As the report names it: `state · event · which`. */
  readonly transition: string
  readonly because: string
}

/** Transitions that no test reaches, and why none can. */
export const exceptions: readonly Exception[] = []
