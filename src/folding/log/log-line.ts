/*
 * One line of a client's log: `HH:MM:SS:LEVEL:[PREFIX:]text` with no date, with ANSI colour escapes around
 * warnings and errors (docs/protocol.md §8). Lines hold text that people chose; only the head is believed.
 */

/** E error, W warning, I information, D debugging; undefined when the line has no head. */
export type LogLevel = 'E' | 'W' | 'I' | 'D'

/** The line without ANSI escapes and other control characters. */
export const stripAnsi = (line: string): string => (line.includes(ESCAPE) ? line.replaceAll(ANSI, '') : line)

/** Only the level: quick enough to be asked of every line of a log. */
export const logLevel = (line: string): LogLevel | undefined => {
  const letter = QUICK_LEVEL.exec(line)?.[1]
  return letter === undefined ? undefined : levelOf(letter)
}

/** What the Errors and Warnings filters let through: with neither set every line, else the levels that are set. */
export const passesLevels = (line: string, only: { readonly errors: boolean; readonly warnings: boolean }): boolean => {
  if (!only.errors && !only.warnings) return true
  const level = logLevel(line)
  return (only.errors && level === 'E') || (only.warnings && level === 'W')
}

/**
 * A connection of the client to a server that went wrong: 'OUT8:< 503 …', 'CON2:DNS lookup failed …'. Requests and good
 * answers are left out. Such lines do not say for which unit they are (docs/protocol.md §8).
 */
const FAILED_CONNECTION = `:(OUT|CON)\\d+:(?!>|< [123])`

/**
 * The pattern that finds the lines of a unit, and those that tell why it gets no further; the log's `?q=` takes it
 * (docs/product.md §2).
 */
export const logQueryOfUnit = (number: unknown): string | undefined =>
  typeof number === 'number' && Number.isInteger(number) && number >= 0
    ? `WU${number}:|${FAILED_CONNECTION}`
    : undefined

/** The pattern that finds why units failed: errors, warnings, cores that gave up. Pages that were refused are no reason. */
export const FAILURE_QUERY = `^[\\d:]+[EW] *:(?!REQ)|Core returned (?!FINISHED|INTERRUPTED)|${FAILED_CONNECTION}`

const ESCAPE = '\u001b'
// CSI sequences (colours among them), or an escape that stands alone.
const ANSI = new RegExp(`${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~])?`, 'g')
const QUICK_LEVEL = new RegExp(`^(?:${ESCAPE}\\[[0-9;]*m)*\\d\\d:\\d\\d:\\d\\d\\s*:\\s*([EWID])\\d?\\s*:`)

const levelOf = (letter: string): LogLevel | undefined =>
  letter === 'E' || letter === 'W' || letter === 'I' || letter === 'D' ? letter : undefined
