import type { PlannedFault } from '../story/plan.ts'
import type { Scene } from '../story/scene.ts'

/** The end of what is over at once. */
export function nothing(): void {
  return undefined
}

/** Something that goes wrong. `begin` returns what to do when it ends; undefined when it could not happen. */
export type Fault = PlannedFault & {
  /** In words, for the story. */
  readonly what: string
  readonly begin: (scene: Scene) => (() => void) | undefined
}
