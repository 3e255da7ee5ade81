import { MAX_LOG_LINES } from '../../src/folding/shared/memory-limits.ts'
import { packLines } from '../../src/protocol/client/packed-lines.ts'
import { appendLog, emptyLog, type LogLines } from '../../src/folding/log/log-lines.ts'

/** A list of these lines, numbered from 0. */
export function logOf(lines: readonly string[], cap = MAX_LOG_LINES): LogLines {
  return appendLog(emptyLog, packLines(lines), cap)
}
