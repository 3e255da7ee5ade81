import { clientStatusAppearance, type ClientStatus } from '../../../../folding/fleet/client-facts.ts'
import { classNames } from '../../../parts/class-names.ts'
import tones from '../../../parts/display/tones.module.css'
import styles from './fleet-map.module.css'

/**
 * The mark of each state as a filled path in a box of 16 by 16, distinct in outline and readable at 10 pixels: drawn on
 * the canvas and in the legend. Commas instead of spaces, since lint takes texts with spaces for messages.
 */
export const STATE_MARKS: Readonly<Record<ClientStatus, string>> = {
  folding: 'm4,2.5v11a.8.8,0,0,0,1.2.7l9-5.5a.8.8,0,0,0,0-1.4l-9-5.5A.8.8,0,0,0,4,2.5Z',
  finishing: 'm2,3v10l7-5Zm8.5,0h3.5v10h-3.5Z',
  transferring: 'm6.5,1.5h3v6H13l-5,5-5-5h3.5ZM2.5,13h11v2h-11Z',
  waiting: 'm3,1.5h10v2.25L9.5,8l3.5,4.25v2.25H3v-2.25L6.5,8,3,3.75Z',
  paused: 'm3,2.5h3.75v11H3Zm6.25,0H13v11H9.25Z',
  idle: 'm2.5,2.5h11v11h-11Zm2.25,2.25v6.5h6.5v-6.5Z',
  failed: 'm3.8,1.8,4.2,4.2,4.2-4.2,2,2L10,8l4.2,4.2-2,2L8,10l-4.2,4.2-2-2L6,8,1.8,3.8Z',
  disconnected: 'm1.5,6.5h4v3h-4Zm9,0h4v3h-4ZM11,1.5l1.8,1L5,14.5l-1.8-1Z',
  loading: 'm1.5,6.5h3v3h-3Zm5,0h3v3h-3Zm5,0h3v3h-3Z',
}

/** States drawn in full color, since they need a person; the others have a soft background. */
export const STRONG_STATES: ReadonlySet<ClientStatus> = new Set(['failed', 'disconnected'])

/** The mark of a state as the map draws it. */
export function StateMark({ state }: { readonly state: ClientStatus }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
      className={classNames(
        styles['mark'],
        tones[clientStatusAppearance(state).tone],
        STRONG_STATES.has(state) && styles['strong'],
      )}
    >
      <path d={STATE_MARKS[state]} />
    </svg>
  )
}
