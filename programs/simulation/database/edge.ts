import type { Chance } from '../time/chance.ts'
import { ProcessEnded } from '../realms/realm.ts'
import { sqliteError, type DatabaseEdge } from './sqlite.ts'

/** Errors of a database on a computer that is in trouble. A full disk ends the transaction. */
export const SQLITE_TROUBLES = ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR'] as const
export type SqliteTrouble = (typeof SQLITE_TROUBLES)[number]

/** What goes wrong at the edge of a process. */
export type Trap = {
  /** Statements until the process is killed, before or after one. */
  killIn: { left: number; readonly isAfter: boolean } | undefined
  /** Which error a statement that writes ends with. */
  trouble: { readonly chance: Chance; readonly share: number; readonly code: SqliteTrouble } | undefined
}

export function noTrap(): Trap {
  return { killIn: undefined, trouble: undefined }
}

const WRITES = /^\s*(?:insert|update|delete|create|alter|commit|begin)/i

/** Whether this is the moment at which the process is killed. */
function isDue(trap: Trap, isAfter: boolean): boolean {
  const { killIn } = trap
  if (killIn === undefined || killIn.isAfter !== isAfter) return false
  if (killIn.left-- > 0) return false
  trap.killIn = undefined
  return true
}

function troubleOf({ trouble }: Trap, sql: string): Error | undefined {
  return trouble !== undefined && WRITES.test(sql) && trouble.chance.isTrue(trouble.share)
    ? sqliteError(trouble.code)
    : undefined
}

/** The edge of the database of one process. `kill` ends the process; `whenUsed` gets what is written. */
export function createEdge(
  trap: Trap,
  kill: (why: string) => void,
  whenUsed: (sql: string, parameters: readonly unknown[]) => void,
): DatabaseEdge & { readonly killIfDue: (what: string) => void } {
  const killIfDue = (what: string, isAfter: boolean): void => {
    if (!isDue(trap, isAfter)) return
    kill(`${isAfter ? 'after' : 'before'} ${what.slice(0, 80)}`)
    throw new ProcessEnded()
  }
  return {
    killIfDue: what => killIfDue(what, false),
    around: (sql, parameters, run) => {
      killIfDue(sql, false)
      const error = troubleOf(trap, sql)
      if (error !== undefined) throw error
      whenUsed(sql, parameters)
      const result = run()
      killIfDue(sql, true)
      return result
    },
  }
}
