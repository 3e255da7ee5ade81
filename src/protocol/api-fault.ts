/**
 * What can go wrong with a call of the account API. `status` is HTTP's; `message` is the server's own text and is
 * only ever shown as text.
 */
export type ApiFault =
  | { readonly kind: 'unreachable'; readonly message: string }
  /** `retryAfter`: how long the server asks to be left alone, in milliseconds. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string; readonly retryAfter?: number }
  | { readonly kind: 'unreadable'; readonly message: string }

export type ApiResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: ApiFault }

/** Why a call failed. Throws for one that did not: who asks that has made a mistake. */
export const faultOf = (result: ApiResult<unknown>): ApiFault => {
  if (result.ok) throw new Error('A good answer has no fault.')
  return result.fault
}

/** A session that the server no longer knows (docs/product.md §4). */
export const isSessionOver = (fault: ApiFault): boolean => fault.kind === 'refused' && fault.status === 401

/** How long to wait at least before the same call is made again, in milliseconds. */
export const demandedWait = (fault: ApiFault | undefined): number =>
  fault?.kind === 'refused' ? (fault.retryAfter ?? 0) : 0

/** Whether the call may have had its effect all the same: only its answer is known to be lost. */
export const mayHaveWorked = (fault: ApiFault): boolean => fault.kind !== 'refused' || fault.status >= 500

/** What went wrong, for a person. */
export const faultText = (fault: ApiFault): string => {
  switch (fault.kind) {
    case 'unreachable':
      return `API error: ${fault.message}`
    case 'unreadable':
      return 'The account server sent an answer that cannot be read.'
    case 'refused':
      return fault.message
  }
}
