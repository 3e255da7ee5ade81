import '../../server/locale.ts'
import { accountApi } from '../../server/account/account.ts'
import { isEnrolled, readAccount, readKey, writeAccount } from '../../server/account/account-file.ts'
import { enroll } from '../../server/account/enroll.ts'
import { openCluster } from '../../server/cluster/cluster.ts'
import { readConfig } from '../../server/config/read-config.ts'
import type { Config } from '../../server/config/schema.ts'
import { startService, type Service, type ServiceOptions } from '../../server/service.ts'
import { openServerStore } from '../../server/store/sqlite.ts'

export type LogLine = (level: 'info' | 'warn' | 'error', text: string) => void

export type ServerOptions = {
  /** Its settings, as TOML. */
  readonly settings: string
  readonly log: LogLine
}

/** As pino writes an entry, without stacks. */
function textOf(fields: unknown, message: unknown): string {
  if (typeof fields === 'string') return fields
  const plain = (_: string, value: unknown): unknown => {
    if (!(value instanceof Error)) return value
    return `${value.message}${value.cause instanceof Error ? `, ${value.cause.message}` : ''}`
  }
  return `${String(message)} ${JSON.stringify(fields, plain)}`
}

async function openStore({
  store: { folder, url },
  cluster,
}: Config): Promise<Pick<ServiceOptions, 'store' | 'cluster'>> {
  if (url === undefined) return { store: await openServerStore(folder) }
  const connection = await openCluster(url, cluster)
  return { store: connection.store, cluster: connection }
}

function keyOf({ store, account }: Config, mayMake: boolean): Buffer {
  return readKey({ variable: undefined, file: account['key-file'], folder: store.folder }, mayMake)
}

/** What `programs/server/run.ts` does for `npm run server`, without command line and signals. */
export async function start({ settings, log }: ServerOptions): Promise<Service> {
  const read = readConfig({ file: { path: 'server.toml', text: settings } })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  const { config } = read
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (fields: unknown, message?: unknown): void =>
      log(level, textOf(fields, message))
  return startService({
    config,
    ...(await openStore(config)),
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    dist: '/dist',
    version: '0.0.0',
    account: isEnrolled(config.store.folder) ? readAccount(config.store.folder, keyOf(config, false)) : undefined,
    enroll: async (email, passphrase) => {
      const key = keyOf(config, true)
      const enrollment = await enroll(accountApi(config.account['api-url']), email, passphrase)
      writeAccount(config.store.folder, key, enrollment.account)
      return enrollment
    },
  })
}

export type ServerProgram = { readonly start: typeof start }
