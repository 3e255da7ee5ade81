/** What a browser says when an observed element changed its size again in the same frame. It is measured in the next one. */
const MEASURED_LATER = /^ResizeObserver loop/

type Uncaught = { readonly error: unknown; readonly where: string }

/** What is recorded of an uncaught error, which need not have an error object; undefined for a note that is none. */
export function uncaughtError({
  error,
  message,
  filename,
  lineno,
}: Pick<ErrorEvent, 'error' | 'message' | 'filename' | 'lineno'>): Uncaught | undefined {
  if (MEASURED_LATER.test(message)) return undefined
  return { error: error ?? message, where: lineno > 0 ? `${filename}:${lineno}` : filename }
}
