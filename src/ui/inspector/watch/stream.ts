/** One event that an actor received. */
export type Heard = {
  readonly number: number
  /** Epoch milliseconds. */
  readonly at: number
  /** Addresses; undefined from outside: a person, or the programme itself. */
  readonly from: string | undefined
  readonly to: string
  /** Without secrets. */
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string }
}

/** How many are kept; the oldest go first. */
export const KEPT = 2000

/** Those whose type, sender or receiver has the words. `of` leaves only what one actor sent or received. */
export const filterHeard = (heard: readonly Heard[], words: string, of: string | undefined): readonly Heard[] => {
  const wanted = words.trim().toLowerCase()
  if (wanted === '' && of === undefined) return heard
  return heard.filter(
    ({ event, from, to }) =>
      (of === undefined || from === of || to === of) &&
      (wanted === '' || `${event.type} ${from ?? OUTSIDE} ${to === '' ? ROOT : to}`.toLowerCase().includes(wanted)),
  )
}

const OUTSIDE = 'outside'
const ROOT = 'app'
const LONGEST_ID = 16

/** Ids of machines are long, and say nothing to anybody. */
export const shortId = (id: string): string => (id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID / 2)}…` : id)

/** An address as a person reads it. */
export const addressWords = (address: string | undefined): string =>
  address === undefined ? OUTSIDE : address === '' ? ROOT : address.split('/').map(shortId).join('/')
