import type { AnyActorRef } from 'xstate'
import type { System } from '../../machines/app/system.ts'
import type { Journal } from '../journal/journal-context.ts'
import type { Watch } from './watch/watch.ts'

/**
 * What the page hands to the inspector in a window of its own. That is another document, with classes of its own: so
 * the page looks on itself, and values are told by what they are, not by their class.
 */
export type Desk = {
  readonly system: System
  readonly journal: Journal | undefined
  readonly watch: (root: AnyActorRef) => Watch
  /** Back into the page. */
  readonly dock: () => void
  readonly close: () => void
}

const NAME = 'foldboardInspector'

/** Undefined takes it away again. */
export const layDesk = (page: Window, desk: Desk | undefined): void => {
  Reflect.set(page, NAME, desk)
}

/** Undefined when the window that opened this one is none of ours, is gone, or shows something else by now. */
export const deskOf = (opener: unknown): Desk | undefined => {
  try {
    return typeof opener === 'object' && opener !== null && NAME in opener
      ? (opener[NAME] as Desk | undefined)
      : undefined
  } catch {
    return undefined
  }
}
