export type ReceivedEvent = {
  readonly number: number
  /** Epoch milliseconds. */
  readonly at: number
  /** Addresses of actors. `from` is undefined for events sent from outside the system. */
  readonly from: string | undefined
  readonly to: string
  /** With secrets masked. */
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string }
}

/** Older ones are dropped. */
export const MAX_EVENTS = 2000

/** Events whose type, sender or receiver contains the text. `of` keeps only those of one actor. */
export function filterEvents(
  events: readonly ReceivedEvent[],
  text: string,
  of: string | undefined,
): readonly ReceivedEvent[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '' && of === undefined) return events
  return events.filter(
    ({ event, from, to }) =>
      (of === undefined || from === of || to === of) &&
      (wanted === '' || `${event.type} ${from ?? OUTSIDE} ${to === '' ? ROOT : to}`.toLowerCase().includes(wanted)),
  )
}

const OUTSIDE = 'outside'
const ROOT = 'app'
const LONGEST_ID = 16

/** Shortens the ids of clients. */
export function shortId(id: string): string {
  return id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID / 2)}…` : id
}

export function addressLabel(address: string | undefined): string {
  return address === undefined ? OUTSIDE : address === '' ? ROOT : address.split('/').map(shortId).join('/')
}
