import * as v from 'valibot'
import { parseAddress } from '../../../src/folding/address/address.ts'
import { LONGEST_CLIENT_NAME } from '../../../src/folding/client/direct-clients.ts'
import { isPasswordHash, MOST_COST } from '../access/passwords.ts'
import { CONTROL_COMMANDS } from '../gateway/page-command.ts'
import { account } from './account-settings.ts'
import { ALERT_VARIABLES, alertSections } from './alert-settings.ts'
import { meters } from './meter-settings.ts'
import { listOf, name, webAddress, wholeNumberBetween, word } from './fields.ts'

/*
 * The settings of the server, one entry each: what a file may hold, its limits, defaults and descriptions. Reading, the
 * environment variables, the JSON schema and docs/server.md follow from it.
 */

export const ROLES = ['viewer', 'operator', 'administrator'] as const
export type Role = (typeof ROLES)[number]

/**
 * What a token may be used for: `read` as a viewer, `metrics` for `/metrics` only, `control` also for commands, `inputs`
 * to set values that schedules depend on.
 */
export const SCOPES = ['read', 'metrics', 'control', 'inputs'] as const
export type Scope = (typeof SCOPES)[number]

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const

/** An IP address, as far as a network interface or a proxy is named by one. */
const ipAddress = v.pipe(
  v.string('must be text in quotes'),
  v.regex(/^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F:.]{2,45})$/, 'must be an IP address'),
)

const clientAddress = v.pipe(
  v.string('must be text in quotes'),
  v.check(text => parseAddress(text) !== undefined, 'must be a host name or IP address, optionally with :port'),
)

const origin = v.pipe(
  v.string('must be text in quotes'),
  v.check(text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.origin === text
  }, 'must be an origin such as "https://folding.example.org", without a path and a slash at the end'),
)

const listen = v.strictObject({
  address: v.pipe(
    v.optional(ipAddress, '127.0.0.1'),
    v.description('IP address of this computer at which the server listens. Beyond loopback, users are needed.'),
  ),
  port: v.pipe(v.optional(wholeNumberBetween(0, 65_535), 7400), v.description('Port; 0 for any free one.')),
  origins: v.pipe(
    v.optional(listOf(origin, 20), []),
    v.description(
      'Origins under which browsers open the server, such as a proxy’s. Its own address on loopback need not be named.',
    ),
  ),
  certificate: v.pipe(v.optional(word(1000)), v.description('File of the TLS certificate with its chain (PEM).')),
  'private-key': v.pipe(v.optional(word(1000)), v.description('File of the private key of the certificate (PEM).')),
  'plain-http': v.pipe(
    v.optional(v.boolean('must be true or false'), false),
    v.description('Listen beyond loopback without TLS and proxy. Passwords can then be read on the network.'),
  ),
})

const proxy = v.strictObject({
  addresses: v.pipe(
    v.optional(listOf(ipAddress, 20), []),
    v.description('IP addresses of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.'),
  ),
  'user-header': v.pipe(
    v.optional(v.pipe(v.string('must be text in quotes'), v.regex(/^[\w-]{1,64}$/, 'must be the name of a header'))),
    v.description('Header in which these proxies name the user that they have signed in.'),
  ),
})

const store = v.strictObject({
  folder: v.pipe(
    v.optional(word(1000), '.foldboard/server'),
    v.description('Folder of the database, and of an enrolled account.'),
  ),
  url: v.pipe(
    v.optional(
      v.pipe(
        word(1000),
        v.check(
          text => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text),
          'must be an address such as "postgres://user:password@host/database"',
        ),
      ),
    ),
    v.description('A database of PostgreSQL instead, which several servers can use. Default: SQLite in the folder.'),
  ),
  'sample-seconds': v.pipe(
    v.optional(wholeNumberBetween(10, 1800), 60),
    v.description('Seconds between two samples of points per day.'),
  ),
  'keep-samples-days': v.pipe(
    v.optional(wholeNumberBetween(1, 3650), 14),
    v.description('Days after which samples are rolled up to one an hour.'),
  ),
  'keep-hours-days': v.pipe(
    v.optional(wholeNumberBetween(1, 36_500), 400),
    v.description('Days after which hours are rolled up to one value a day, which is kept.'),
  ),
})

/** Several servers on one database of PostgreSQL. */
const cluster = v.strictObject({
  secret: v.pipe(
    v.optional(
      v.pipe(
        word(500),
        v.minLength(32, 'must have at least 32 characters'),
        v.regex(/^[!-~]+$/, 'must have ASCII characters without spaces only'),
      ),
    ),
    v.description('What the servers know each other by, at least 32 characters. Without it only one server is let in.'),
  ),
  address: v.pipe(
    v.optional(ipAddress, '127.0.0.1'),
    v.description('IP address of this computer at which it listens to the other servers.'),
  ),
  port: v.pipe(v.optional(wholeNumberBetween(0, 65_535), 7401), v.description('Port for them; 0 for any free one.')),
  url: v.pipe(
    v.optional(webAddress),
    v.description(
      'Where they reach it, such as "http://10.0.0.5:7401". Default: its address, or the name of its computer.',
    ),
  ),
  'lease-seconds': v.pipe(
    v.optional(wholeNumberBetween(2, 60), 10),
    v.description('After so many seconds without a sign of life, the other servers take over.'),
  ),
})

const statistics = v.strictObject({
  hourly: v.pipe(
    v.optional(v.boolean('must be true or false'), true),
    v.description('Whether the points of the donors and teams of all machines are read from Folding@home each hour.'),
  ),
})

const log = v.strictObject({
  level: v.pipe(
    v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
    v.description('What is logged: error, warn, info or debug.'),
  ),
  format: v.pipe(
    v.optional(v.picklist(['auto', 'plain', 'json'], 'must be auto, plain or json'), 'auto'),
    v.description('One line of text, or one JSON object, for each entry; auto: text in a terminal.'),
  ),
})

const client = v.strictObject({
  address: v.pipe(clientAddress, v.description('Host name or IP address of the client, optionally with :port (7396).')),
  name: v.pipe(
    v.optional(v.pipe(word(LONGEST_CLIENT_NAME))),
    v.description('A name for pages, history, alerts, metrics and logs; default: the one the client reports.'),
  ),
  commands: v.pipe(
    v.optional(
      listOf(v.picklist(CONTROL_COMMANDS, `must be one of ${CONTROL_COMMANDS.join(', ')}`), CONTROL_COMMANDS.length),
      [],
    ),
    v.description(
      'Commands that operators may send to it through this server: state (fold, pause, finish), config, dump, link, restart. Default: none, it is only observed.',
    ),
  ),
  tags: v.pipe(v.optional(listOf(word(64), 20), []), v.description('Tags by which schedules name several machines.')),
})

const user = v.strictObject({
  name: v.pipe(name, v.description('The name to sign in with.')),
  password: v.pipe(
    v.optional(
      v.pipe(
        v.string('must be text in quotes'),
        v.check(
          isPasswordHash,
          `must be what \`npm run server -- hash-password\` prints: argon2id, with memory times passes of at most ${MOST_COST} KiB`,
        ),
      ),
    ),
    v.description('Hash of the password, made by `hash-password`. Without it only a proxy can sign this user in.'),
  ),
  role: v.pipe(
    v.picklist(ROLES, `must be one of ${ROLES.join(', ')}`),
    v.description(
      'viewer: sees everything; operator: also sends commands, changes tags and views; administrator: also reads the record of actions and the users, enrolls an account.',
    ),
  ),
})

const token = v.strictObject({
  name: v.pipe(name, v.description('A name for the record of actions.')),
  hash: v.pipe(
    v.string('must be text in quotes'),
    v.regex(/^[\da-f]{64}$/, 'must be the hash that `npm run server -- new-token` prints'),
    v.description('SHA-256 of the token, made by `new-token`.'),
  ),
  scopes: v.pipe(
    v.pipe(
      v.array(v.picklist(SCOPES, `must be one of ${SCOPES.join(', ')}`), 'must be a list in brackets'),
      v.minLength(1, 'must not be empty'),
    ),
    v.description(
      'read: as a viewer; metrics: /metrics only; control: also commands; inputs: sets values that schedules depend on.',
    ),
  ),
  expires: v.pipe(
    v.pipe(
      v.union([v.date(), v.string()], 'must be a date such as 2027-06-30'),
      v.transform(value => (value instanceof Date ? value : new Date(value))),
      v.check(date => !Number.isNaN(date.getTime()), 'must be a date such as 2027-06-30'),
    ),
    v.description('The day or time from which it is not accepted any more.'),
  ),
})

export const configSchema = v.strictObject({
  listen: v.optional(listen, {}),
  proxy: v.optional(proxy, {}),
  store: v.optional(store, {}),
  cluster: v.optional(cluster, {}),
  statistics: v.optional(statistics, {}),
  log: v.optional(log, {}),
  machines: v.optional(listOf(client, 5000), []),
  users: v.optional(listOf(user, 1000), []),
  tokens: v.optional(listOf(token, 1000), []),
  ...alertSections,
  account: v.optional(account, {}),
  meters,
})

export type Config = v.InferOutput<typeof configSchema>
export type ClientConfig = Config['machines'][number]

/** Sections whose settings environment variables can set: FOLDBOARD_LISTEN_PORT for `port` of `listen`. */
export const SECTIONS = { listen, proxy, store, cluster, statistics, log, ...ALERT_VARIABLES, account } as const
