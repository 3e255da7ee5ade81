import type { AnyActorRef } from 'xstate'
import type { System } from '../../machines/app/system.ts'
import type { Journal } from '../journal/journal-context.ts'
import type { Watch } from './watch/watch.ts'

/**
 * What the page provides to the inspector in a separate window. That window has its own globals, so the page does the
 * observing, and the type of a value cannot be determined by `instanceof`.
 */
export type InspectorBridge = {
  readonly system: System
  readonly journal: Journal | undefined
  readonly watch: (root: AnyActorRef) => Watch
  /** Moves the inspector back into the page. */
  readonly dock: () => void
  readonly close: () => void
}

const NAME = 'foldboardInspector'

/** Makes the bridge available to windows that the page opens; undefined removes it. */
export function setBridge(page: Window, bridge: InspectorBridge | undefined): void {
  Reflect.set(page, NAME, bridge)
}

/** Undefined when the opener is closed, has navigated away or is not a page of this app. */
export function bridgeOf(opener: unknown): InspectorBridge | undefined {
  try {
    return typeof opener === 'object' && opener !== null && NAME in opener
      ? (opener[NAME] as InspectorBridge | undefined)
      : undefined
  } catch {
    return undefined
  }
}
