import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram, type Program } from '../program.ts'

/** The program named by `FOLDBOARD_REAL_CLIENT`, and by `FOLDBOARD_REAL_NODE`: see README.md. */
export const REAL_CLIENT = process.env['FOLDBOARD_REAL_CLIENT']
export const REAL_NODE = process.env['FOLDBOARD_REAL_NODE']

/** Where a client listens unless told otherwise, and where the dashboard looks for it by itself. */
export const CLIENT_PORT = 7396

export type RealClient = {
  readonly address: { readonly host: string; readonly port: number }
  /** Everything that it printed since its last start. */
  readonly printed: () => string
  readonly says: Program['says']
  /** Ends it at once, as a crash does. */
  readonly kill: () => Promise<unknown>
  /** Ends it as its service does. */
  readonly shutDown: () => Promise<unknown>
  /** Starts it again, with the same data. */
  readonly start: () => Promise<void>
  /** Ends it, and takes its data away. */
  readonly stop: () => Promise<void>
}

/** A real client with data of its own. Resolves when it listens. */
export const startRealClient = async (
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<RealClient> => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-client-'))
  const words = ['--http-addresses', `127.0.0.1:${CLIENT_PORT}`, '--log-color', 'false', '--verbosity', '3', ...options]
  const begin = async (): Promise<Program> => {
    const started = startProgram(REAL_CLIENT ?? '', words, { cwd: folder, environment })
    await started.says(/Listening for HTTP/)
    return started
  }
  let program = await begin()
  return {
    address: { host: '127.0.0.1', port: CLIENT_PORT },
    printed: () => program.printed(),
    says: pattern => program.says(pattern),
    kill: () => program.stop(),
    shutDown: () => program.interrupt(),
    start: async () => {
      program = await begin()
    },
    stop: async () => {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
