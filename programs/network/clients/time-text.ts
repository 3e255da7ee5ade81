const SECOND = 1000

/** Time in messages: UTC, whole seconds (docs/protocol.md §6). */
export function isoTime(at: number): string {
  return `${new Date(Math.floor(at / SECOND) * SECOND).toISOString().slice(0, 19)}Z`
}

/** `HH:MM:SS`, UTC, as in a log line. */
export function clockTime(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}

const wireTime = /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d):?(\d\d)(?:\.\d+)?Z?$/

/** Epoch seconds of a command's `time`, or undefined if the client rejects the format (docs/protocol.md §5). */
export function parseWireTime(text: string): number | undefined {
  const match = wireTime.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(Number)
  if (month < 1 || month > 12 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined
  return Date.UTC(year, month - 1, day, hours, minutes, seconds) / SECOND
}

const units = [
  { letter: 'd', seconds: 86_400 },
  { letter: 'h', seconds: 3600 },
  { letter: 'm', seconds: 60 },
] as const

/**
 * Remaining time in the client's format: at most two units, no padding, and a unit is used only if it is exceeded:
 * '60s', '1m 1s', '2m 0s', '2h 40m', '2d 4h' (docs/protocol.md §6).
 */
export function intervalText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const index = units.findIndex(unit => whole > unit.seconds)
  const unit = units[index]
  if (unit === undefined) return `${whole}s`
  const next = units[index + 1] ?? { letter: 's', seconds: 1 }
  const rest = Math.floor((whole % unit.seconds) / next.seconds)
  return `${Math.floor(whole / unit.seconds)}${unit.letter} ${rest}${next.letter}`
}

/** Bytes as in a transfer's log line: '976B', '780.43KiB', '1.91MiB'. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${Math.floor(bytes)}B`
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(2)}KiB`
  return `${(bytes / 1024 ** 2).toFixed(2)}MiB`
}
