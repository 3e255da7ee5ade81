import { serveAlone } from './alone.ts'
import { readCommandLine, usage, type Program } from './command-line.ts'
import type { Network } from './network.ts'
import { resolveOptions, type NetworkOptions } from './options.ts'
import { packFirstPage } from '../host/files.ts'
import type { CreatePages } from '../host/pages.ts'
import { StartError } from '../host/start-error.ts'

function report(line: string): void {
  console.log(line)
}

function giveUp(error: unknown): never {
  if (error instanceof StartError) console.error(error.message)
  else console.error('Foldboard could not start.', error)
  process.exit(1)
}

function stopOnSignal(stop: () => Promise<void>): void {
  let asked = false
  const end = (): void => {
    // The second signal exits at once.
    if (asked) process.exit(130)
    asked = true
    stop().then(() => process.exit(0), giveUp)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
}

function announce(network: Network, { machines: clients = 6 }: NetworkOptions): void {
  const { email, passphrase } = network.account
  report(`
  Foldboard         ${network.dashboardUrl}

  Log in with       ${email}
  Passphrase        ${passphrase}

  ${String(clients).padEnd(6)}machines in this account. A simulated local client listens at ${network.directAddress}.
  Emails are not sent: read them at ${network.outboxUrl}
  API ${network.apiUrl}   Relay node ${network.nodeUrl}
  Stop with Ctrl+C.
`)
}

async function runNetwork(options: NetworkOptions): Promise<void> {
  const began = performance.now()
  // Loaded on demand: it needs a database, which an installed package may lack.
  const { startNetwork } = await import('./network.ts').catch((error: unknown) => {
    throw isMissingModule(error) ? new NetworkMissing() : error
  })
  const network = await startNetwork({ ...options, report })
  stopOnSignal(() => network.stop())
  announce(network, options)
  await network.online()
  report(`All machines are logged in, ${((performance.now() - began) / 1000).toFixed(1)} s after the start.`)
}

async function runAlone(options: NetworkOptions): Promise<void> {
  const alone = await serveAlone({ ...options, report })
  stopOnSignal(() => alone.stop())
  report(
    `\n  Foldboard         ${alone.dashboardUrl}\n\n  Without the embedded network, with the built-in settings. Stop with Ctrl+C.\n`,
  )
}

class NetworkMissing extends StartError {
  override readonly message =
    'The demo network needs the optional package libsql, which is not installed: npm install libsql'
}

function isMissingModule(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(error.code))
  )
}

type RunOptions = {
  /** Serves the pages of the dashboard; default: the built pages in `dist`. */
  readonly createPages?: CreatePages
  /** Default: 'clone'. */
  readonly program?: Program
}

/**
 * The whole command: reads the options, starts, prints the addresses, and stops on SIGINT or SIGTERM.
 */
export async function run({ createPages, program = 'clone' }: RunOptions = {}): Promise<void> {
  const commandLine = readCommandLine(process.argv.slice(2), program)
  if (commandLine.kind === 'help') {
    report(usage(program))
    return
  }
  if (commandLine.kind === 'wrong') {
    console.error(commandLine.message)
    process.exitCode = 2
    return
  }
  const options = { ...commandLine.options, ...(createPages === undefined ? {} : { createPages }) }
  if (createPages === undefined) void packFirstPage(resolveOptions(options).dist).catch(() => undefined)
  await (commandLine.network ? runNetwork : runAlone)(options).catch(giveUp)
}
