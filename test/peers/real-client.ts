import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startProgram, type Program } from '../program.ts'

/** The program named by `FOLDBOARD_REAL_CLIENT`, and by `FOLDBOARD_REAL_NODE`: see README.md. */
export const REAL_CLIENT = process.env['FOLDBOARD_REAL_CLIENT']
export const REAL_NODE = process.env['FOLDBOARD_REAL_NODE']

/** Where a client listens by default, and where the dashboard looks for it by itself. */
export const CLIENT_PORT = 7396

function isOpen(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    const answer = (isThere: boolean) => (): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.on('connect', answer(true)).on('error', answer(false))
  })
}

export type RealClient = {
  readonly address: { readonly host: string; readonly port: number }
  /** Everything that it printed since its last start. */
  readonly printed: () => string
  readonly says: Program['says']
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<unknown>
  /** Ends it as its service does. */
  readonly shutDown: () => Promise<unknown>
  /** Stops it as a computer that sleeps, and has it go on. */
  readonly suspend: () => void
  readonly resume: () => void
  /** Starts it again, with the same data. */
  readonly start: () => Promise<void>
  /** Ends it, and takes its data away. */
  readonly stop: () => Promise<void>
}

/** A real client with data of its own. Resolves when it listens. */
export async function startRealClient(
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  command = REAL_CLIENT ?? '',
): Promise<RealClient> {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-client-'))
  const words = ['--http-addresses', `127.0.0.1:${CLIENT_PORT}`, '--log-color=false', '--verbosity', '3', ...options]
  const begin = async (): Promise<Program> => {
    const started = startProgram(command, words, { cwd: folder, environment })
    await started.says(/Listening for HTTP/)
    // It reports this a moment before it happens.
    const isOver = started.ended.then(() => true)
    while (!(await isOpen(CLIENT_PORT)))
      if (await Promise.race([isOver, setTimeout(50, false)]))
        throw new Error(`The client ended:\n${started.printed()}`)
    return started
  }
  let program = await begin()
  return {
    address: { host: '127.0.0.1', port: CLIENT_PORT },
    printed: () => program.printed(),
    says: pattern => program.says(pattern),
    kill: () => program.stop(),
    shutDown: () => program.interrupt(),
    suspend: () => process.kill(program.pid, 'SIGSTOP'),
    resume: () => process.kill(program.pid, 'SIGCONT'),
    start: async () => {
      program = await begin()
    },
    stop: async () => {
      await program.stop()
      // Its cores end a moment later.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}
