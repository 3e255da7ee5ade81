/*
 * One line of a client's log: `HH:MM:SS:LEVEL:[PREFIX:]text` without a date, with ANSI color escapes around warnings and
 * errors. Lines contain text that users chose, so only the head is parsed.
 */

/** E error, W warning, I info, D debug. */
export type LogLevel = 'E' | 'W' | 'I' | 'D'

/** The line without ANSI escapes and other control characters. */
export function stripAnsi(line: string): string {
  return line.includes(ESCAPE) ? line.replaceAll(ANSI, '') : line
}

/** A line's level; undefined without a head. Fast enough for every line of a log. */
export function logLevel(line: string): LogLevel | undefined {
  const letter = QUICK_LEVEL.exec(line)?.[1]
  return letter === undefined ? undefined : levelOf(letter)
}

/** The Errors and Warnings filters: with neither set every line passes, else lines of the levels that are set. */
export function passesLevels(line: string, only: { readonly errors: boolean; readonly warnings: boolean }): boolean {
  if (!only.errors && !only.warnings) return true
  const level = logLevel(line)
  return (only.errors && level === 'E') || (only.warnings && level === 'W')
}

/**
 * A failed connection of the client to a server: 'OUT8:< 503 …', 'CON2:DNS lookup failed …', but not requests and
 * successful responses. Such lines do not name their unit.
 */
const FAILED_CONNECTION = `:(OUT|CON)\\d+:(?!>|< [123])`

/** The log search for the lines that name a unit, by the client's number of it. */
export function linesOfUnit(number: number): string {
  return `WU${number}:`
}

/** A search for exactly this text. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The log search (`?q=`, docs/product.md §2) for a unit's lines and for failed connections. */
export function logQueryOfUnit(number: unknown): string | undefined {
  return typeof number === 'number' && Number.isInteger(number) && number >= 0
    ? `${linesOfUnit(number)}|${FAILED_CONNECTION}`
    : undefined
}

/** The log search for why units failed: errors, warnings, failed cores and connections; not rejected web pages (REQ). */
export const FAILURE_QUERY = `^[\\d:]+[EW] *:(?!REQ)|Core returned (?!FINISHED|INTERRUPTED)|${FAILED_CONNECTION}`

const ESCAPE = '\u001b'
// CSI sequences, colors among them, or a lone escape.
const ANSI = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~])?`, 'g')
const QUICK_LEVEL = new RegExp(`^(?:${ESCAPE}\\[[0-9;]*m)*\\d\\d:\\d\\d:\\d\\d\\s*:\\s*([EWID])\\d?\\s*:`)

function levelOf(letter: string): LogLevel | undefined {
  return letter === 'E' || letter === 'W' || letter === 'I' || letter === 'D' ? letter : undefined
}
