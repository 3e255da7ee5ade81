/**
 * Time in messages: UTC, whole seconds, `2026-11-20T13:35:14Z`. Clients drop fractions of a command's time, and some of
 * 2025 close the connection because of one (docs/protocol.md §5).
 */
export function isoTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}
