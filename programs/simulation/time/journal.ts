import { createHash } from 'node:crypto'

/**
 * Everything that happened, in order, as a running SHA-256. Two runs of one seed have the same digest; the last lines show
 * what led to a failure.
 */
export type Journal = {
  readonly note: (at: number, owner: string, what: string) => void
  readonly digest: () => string
  readonly last: () => readonly string[]
}

const BLOCK = 65_536
const KEPT = 400

/** `write` receives all lines, for the comparison of two runs. */
export function createJournal(write?: (lines: string) => void): Journal {
  const hash = createHash('sha256')
  const recent: string[] = []
  let count = 0
  let block = ''

  const flush = (): void => {
    hash.update(block)
    write?.(block)
    block = ''
  }

  return {
    note: (at, owner, what) => {
      const line = `${at} ${owner} ${what}\n`
      recent[count++ % KEPT] = line
      block += line
      if (block.length > BLOCK) flush()
    },
    digest: () => {
      flush()
      return hash.copy().digest('hex')
    },
    last: () => [...recent.slice(count % KEPT), ...recent.slice(0, count % KEPT)],
  }
}
