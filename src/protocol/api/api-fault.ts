/** Why a call of the account API failed. `status`: HTTP status; `message`: the server's own text, shown as plain text. */
export type ApiFault =
  | { readonly kind: 'unreachable'; readonly message: string }
  /** `retryAfter`: the server's `Retry-After`, in milliseconds. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string; readonly retryAfter?: number }
  | { readonly kind: 'unreadable'; readonly message: string }

export type ApiResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: ApiFault }

/** The fault of a failed call. Throws for a successful one, which is a programming error. */
export function faultOf(result: ApiResult<unknown>): ApiFault {
  if (result.ok) throw new Error('A good answer has no fault.')
  return result.fault
}

/** Whether the session has expired (docs/product.md §4). */
export function isSessionOver(fault: ApiFault): boolean {
  return fault.kind === 'refused' && fault.status === 401
}

/** The minimum delay before a retry that the server demands, in milliseconds. */
export function demandedWait(fault: ApiFault | undefined): number {
  return fault?.kind === 'refused' ? (fault.retryAfter ?? 0) : 0
}

/** Whether the call may have succeeded nevertheless: only its response is known to be lost. */
export function mayHaveWorked(fault: ApiFault): boolean {
  return fault.kind !== 'refused' || fault.status >= 500
}
