import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pino, type Logger } from 'pino'
import { plainLine } from './plain-line.ts'
import { packFirstPage } from '../host/files.ts'
import type { PageSettings } from '../host/settings.ts'
import { StartError } from '../host/start-error.ts'
import { accountApi } from './account/account.ts'
import {
  accountPath,
  isEnrolled,
  readAccount,
  readKey,
  writeAccount,
  type EnrolledAccount,
} from './account/account-file.ts'
import { enroll, type Enrollment } from './account/enroll.ts'
import { openCluster } from './cluster/cluster.ts'
import { hashPassword, hashSecret, loadArgon2, newSecret } from './access/passwords.ts'
import { readCommandLine, USAGE, type CommandLine } from './config/command-line.ts'
import { readConfig, type CommandLineSettings } from './config/read-config.ts'
import { readableSecrets } from './config/secrets.ts'
import { configSchema, type Config } from './config/schema.ts'
import { jsonSchemaOf } from './http/openapi.ts'
import { startService, type ServiceOptions } from './service.ts'

const DEFAULT_FILE = 'foldboard-server.toml'
const DAY_MS = 86_400_000
/** Ports of the demo network come after the server's. */
const DEMO_PORTS = 10

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Exit codes: 0 done, 1 could not start, 2 wrong options or settings. */
function giveUp(message: string, code: number): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

/** `onReadable`: told the secrets of the file, if other users of this computer can read it. */
function loadConfig(
  named: string | undefined,
  settings: CommandLineSettings,
  onReadable: (messages: readonly string[]) => void = () => undefined,
): Config {
  const path = named ?? process.env['FOLDBOARD_CONFIG'] ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : undefined)
  const file = path === undefined ? undefined : { path, text: readText(path) }
  const result = readConfig({ file, environment: process.env, options: settings })
  if (result.ok) {
    const readable = file === undefined ? [] : readableSecrets(file.path, result.secrets)
    if (readable.length > 0) onReadable(readable)
    return result.config
  }
  return giveUp(result.mistakes.map(({ where, message }) => `${where}: ${message}`).join('\n'), 2)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return giveUp(`The settings cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`, 2)
  }
}

/** The files beside the program: `build/server.js` and `dist` of a clone or a package. */
const rootFolder = resolve(fileURLToPath(new URL('.', import.meta.url)), '..')

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(join(rootFolder, 'package.json'), 'utf8')) as { version?: string }
  return version ?? ''
}

function needsDatabase<Module>(loading: Promise<Module>): Promise<Module> {
  return loading.catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(code)) throw error
    throw new StartError('The server needs the package libsql, which is not installed: npm install libsql')
  })
}

async function needsPasswords(): Promise<void> {
  await loadArgon2().catch((error: unknown) => {
    const [why] = (error instanceof Error ? error.message : 'unknown reason').split('\n')
    throw new StartError(`Passwords need the package @node-rs/argon2, which cannot be loaded on this system: ${why}`)
  })
}

type Demo = {
  readonly client: string
  readonly apiUrl: string
  readonly account: EnrolledAccount
  readonly settings: PageSettings
  readonly stop: () => Promise<void>
}

async function startDemo(config: Config): Promise<Demo> {
  const { startNetwork } = await needsDatabase(import('../network/network.ts'))
  const { port } = config.listen
  const first = port === 0 ? 0 : port + DEMO_PORTS
  const network = await startNetwork({
    port: first,
    data: join(config.store.folder, 'network'),
    allowedOrigins: [...config.listen.origins, `http://localhost:${port}`, `http://127.0.0.1:${port}`],
  })
  const { email, passphrase } = network.account
  const { account } = await enroll(accountApi(network.apiUrl), email, passphrase)
  return {
    client: network.directAddress,
    apiUrl: network.apiUrl,
    account,
    settings: {
      'api-url': network.apiUrl,
      'node-scheme': 'ws',
      node: network.nodeUrl.replace(/^ws:\/\//, ''),
      'version-url': `${network.apiUrl}/release/latest.json`,
      demo: `${email} ${passphrase}`,
    },
    stop: () => network.stop(),
  }
}

/** The database of the settings: SQLite, which only this process may use, or PostgreSQL, which several may. */
async function openStore(
  { store: { folder, url }, cluster }: Config,
  log: Logger,
): Promise<Pick<ServiceOptions, 'store' | 'cluster'>> {
  if (url !== undefined) {
    const connection = await openCluster(url, cluster)
    return { store: connection.store, cluster: connection }
  }
  const { answerBackups } = await needsDatabase(import('./store/live-backup.ts'))
  const { openServerStore } = await needsDatabase(import('./store/sqlite.ts'))
  const onCopied = (file: string): void => log.info({ file }, 'the database is copied before it is migrated')
  const store = await openServerStore(folder, onCopied)
  await answerBackups(folder).catch((error: unknown) => {
    log.warn({ err: error }, 'backups are possible only while the server does not run')
  })
  return { store }
}

/** Throws for PostgreSQL, which has programs of its own for that. */
function folderOf({ store: { folder, url } }: Config, instead: string): string {
  if (url === undefined) return folder
  throw new StartError(`The settings have a database of PostgreSQL (store.url): use ${instead} instead.`)
}

async function start({ config: path, settings, demo: isDemo }: Extract<CommandLine, { kind: 'start' }>): Promise<void> {
  const readable: string[] = []
  const loaded = loadConfig(path, settings, messages => readable.push(...messages))
  const isPlain = loaded.log.format === 'plain' || (loaded.log.format === 'auto' && process.stdout.isTTY)
  const log = pino(
    { level: loaded.log.level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    isPlain ? { write: (line: string) => print(plainLine(line)) } : pino.destination(1),
  )
  for (const message of readable) log.warn(message)
  if (loaded.users.some(({ password }) => password !== undefined)) await needsPasswords()
  const { store, cluster } = await openStore(loaded, log)
  const demo = isDemo ? await startDemo(loaded) : undefined
  const config: Config =
    demo === undefined
      ? loaded
      : {
          ...loaded,
          machines: [
            ...loaded.machines,
            { address: demo.client, name: 'demo', commands: ['state', 'config', 'dump'], tags: [] },
          ],
          // Nothing of a demo is asked of the real project.
          account: {
            ...loaded.account,
            'api-url': demo.apiUrl,
            'plain-node': true,
            'stay-connected': true,
            commands: ['state', 'config', 'dump'],
          },
        }
  const dist = join(rootFolder, 'dist')
  void packFirstPage(dist).catch(() => undefined)
  const service = await startService({
    config,
    store,
    cluster,
    log,
    dist,
    version: versionOf(),
    account: demo?.account ?? enrolledAccount(config),
    enroll: demo === undefined ? (email, passphrase) => enrollHere(config, email, passphrase) : undefined,
    pageSettings: demo?.settings ?? {},
  })
  let isStopping = false
  const stop = (): void => {
    // The second signal ends at once.
    if (isStopping) process.exit(130)
    isStopping = true
    service
      .stop()
      .then(() => demo?.stop())
      .then(() => {
        log.info('server stopped')
        process.exit(0)
      })
      .catch((error: unknown) => {
        log.error({ err: error }, 'server did not stop cleanly')
        process.exit(1)
      })
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (isPlain) print(`\n  Foldboard server   ${service.url}\n\n  Stop with Ctrl+C.\n`)
}

function keySource({ store, account }: Config) {
  return {
    variable: process.env['FOLDBOARD_ACCOUNT_KEY'],
    file: account['key-file'],
    folder: store.folder,
  }
}

function enrolledAccount(config: Config): EnrolledAccount | undefined {
  return isEnrolled(config.store.folder)
    ? readAccount(config.store.folder, readKey(keySource(config), false))
    : undefined
}

/** Keeps the account, encrypted. Nothing is asked of the API before it is known that the key is private. */
async function enrollHere(config: Config, email: string, passphrase: string): Promise<Enrollment> {
  const key = readKey(keySource(config), true)
  const enrollment = await enroll(accountApi(config.account['api-url']), email, passphrase)
  writeAccount(config.store.folder, key, enrollment.account)
  return enrollment
}

async function enrollAccount(config: Config): Promise<void> {
  const { folder } = config.store
  // Before anything is asked: a key that others can read is refused.
  readKey(keySource(config), true)
  const [email = '', passphrase = ''] = await readAnswers([
    { prompt: 'Email of the account: ', isShown: true },
    { prompt: 'Passphrase (asked once, never stored): ', isShown: false },
  ])
  if (email === '' || passphrase === '') giveUp('Email and passphrase are needed.', 2)
  const { machines: clients } = await enrollHere(config, email, passphrase)
  print(
    `Enrolled. Machines: ${clients}. ${accountPath(folder)} has the account's key, encrypted.\n` +
      `They are ${config.account.commands.length === 0 ? 'only observed' : `observed, and may be sent ${config.account.commands.join(', ')}`}. Start the server again to connect.`,
  )
}

/** Lines of standard input; at a terminal each has a prompt, and what is typed is shown only if it may be. */
async function readAnswers(
  questions: readonly { readonly prompt: string; readonly isShown: boolean }[],
): Promise<readonly string[]> {
  const answers: string[] = []
  const { isTTY } = process.stdin
  const lines = createInterface({ input: process.stdin, terminal: isTTY, output: undefined })
  const ask = (): void => {
    const { prompt, isShown } = questions[answers.length] ?? {}
    if (!isTTY || prompt === undefined) return
    process.stderr.write(prompt)
    process.stdin.removeListener('data', echo)
    if (isShown === true) process.stdin.on('data', echo)
  }
  const echo = (typed: Buffer | string): void => {
    process.stderr.write(typed)
  }
  ask()
  for await (const line of lines) {
    answers.push(line)
    if (isTTY) process.stderr.write('\n')
    if (answers.length === questions.length) break
    ask()
  }
  process.stdin.removeListener('data', echo)
  lines.close()
  return answers
}

/** One line of standard input; what is typed at a terminal is not shown. */
function readPassword(): Promise<string> {
  return new Promise(done => {
    if (process.stdin.isTTY) process.stderr.write('Password: ')
    const lines = createInterface({ input: process.stdin, terminal: process.stdin.isTTY, output: undefined })
    lines.once('line', line => {
      done(line)
      lines.close()
      if (process.stdin.isTTY) process.stderr.write('\n')
    })
    lines.once('close', () => done(''))
  })
}

function newToken({ name, scopes, days }: Extract<CommandLine, { kind: 'new-token' }>): void {
  const token = newSecret()
  const expires = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  print(`# The token, which is not stored anywhere. Send it as: Authorization: Bearer …\n# ${token}\n
[[tokens]]
name = "${name}"
hash = "${hashSecret(token)}"
scopes = [${scopes.map(scope => `"${scope}"`).join(', ')}]
expires = ${expires}`)
}

async function runCommand(commandLine: Exclude<CommandLine, { kind: 'wrong' }>): Promise<void> {
  switch (commandLine.kind) {
    case 'help':
      print(USAGE)
      return
    case 'schema':
      print(JSON.stringify({ title: 'Settings of the Foldboard server', ...jsonSchemaOf(configSchema) }, null, 2))
      return
    case 'check': {
      const {
        machines: clients,
        users,
        listen,
      } = loadConfig(commandLine.config, commandLine.settings, messages => giveUp(messages.join('\n'), 2))
      print(
        `The settings are right. Machines: ${clients.length}; users: ${users.length}; ${listen.address} port ${listen.port}.`,
      )
      return
    }
    case 'hash-password': {
      const password = await readPassword()
      if (password.length < 8) giveUp('The password must have at least 8 characters.', 2)
      await needsPasswords()
      print(await hashPassword(password))
      return
    }
    case 'enroll':
      await enrollAccount(loadConfig(commandLine.config, commandLine.settings))
      return
    case 'new-token':
      newToken(commandLine)
      return
    case 'backup': {
      const { copyDatabase } = await needsDatabase(import('./store/live-backup.ts'))
      const folder = folderOf(loadConfig(commandLine.config, commandLine.settings), 'pg_dump')
      await copyDatabase(folder, commandLine.file)
      print(`Written to ${commandLine.file}.`)
      return
    }
    case 'restore': {
      const { restore } = await needsDatabase(import('./store/backup.ts'))
      const { former } = await restore(
        folderOf(loadConfig(commandLine.config, commandLine.settings), 'pg_restore'),
        commandLine.file,
      )
      print(former === undefined ? 'Restored.' : `Restored. The former database is ${former}.`)
      return
    }
    case 'start':
      await start(commandLine)
  }
}

/** The whole command: reads options and settings, does what they ask for, and stops on SIGINT or SIGTERM. */
export async function run(words: readonly string[]): Promise<void> {
  // What the server keeps is for its owner only, also the files that SQLite makes.
  process.umask(0o077)
  const commandLine = readCommandLine(words)
  if (commandLine.kind === 'wrong') giveUp(`${commandLine.message} Try --help.`, 2)
  else
    await runCommand(commandLine).catch((error: unknown) => {
      giveUp(
        error instanceof StartError
          ? error.message
          : `The server could not start. ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        1,
      )
    })
}
