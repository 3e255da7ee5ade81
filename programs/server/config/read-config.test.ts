import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashPassword, isPasswordHash } from '../access/passwords.ts'
import { readCommandLine } from './command-line.ts'
import { lineOf, readConfig, type ConfigSources } from './read-config.ts'
import { configSchema, SECTIONS } from './schema.ts'
import { readableSecrets } from './secrets.ts'

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA'

function mistakesOf(text: string, rest: Omit<ConfigSources, 'file'> = {}): readonly string[] {
  const result = readConfig({ file: { path: 'server.toml', text }, ...rest })
  return result.ok ? [] : result.mistakes.map(({ where, message }) => `${where}: ${message}`)
}
function configOf(sources: ConfigSources) {
  const result = readConfig(sources)
  if (!result.ok) throw new Error(JSON.stringify(result.mistakes))
  return result.config
}

test('without any settings the server listens on loopback, and observes', () => {
  expect(configOf({})).toMatchObject({
    listen: { address: '127.0.0.1', port: 7400, origins: [], 'plain-http': false },
    store: { folder: '.foldboard/server', 'sample-seconds': 60 },
    machines: [],
    users: [],
  })
  expect(configOf({ options: { clients: ['attic'] } }).machines).toEqual([{ address: 'attic', commands: [], tags: [] }])
})

test('options win over the environment, and the environment over the file', () => {
  const file = {
    path: 'server.toml',
    text: '[listen]\nport = 1\n[log]\nlevel = "warn"\n[[machines]]\naddress = "attic"',
  }
  const environment = {
    FOLDBOARD_LISTEN_PORT: '2',
    FOLDBOARD_LISTEN_ORIGINS: '["http://localhost:8080"]',
    FOLDBOARD_CLIENTS: 'cellar, shed:1234',
    FOLDBOARD_COMMANDS: 'state',
    FOLDBOARD_STORE_FOLDER: '/data',
  }
  expect(configOf({ file, environment })).toMatchObject({
    listen: { port: 2, origins: ['http://localhost:8080'] },
    log: { level: 'warn', format: 'auto' },
    store: { folder: '/data' },
    machines: [
      { address: 'attic', commands: [], tags: [] },
      { address: 'cellar', commands: ['state'], tags: [] },
      { address: 'shed:1234', commands: ['state'], tags: [] },
    ],
  })
  expect(configOf({ file, environment, options: { listen: { port: 3 } } }).listen.port).toBe(3)
})

test.each([
  ['[listen', 'server.toml:1: This is not TOML: '],
  ['\n[listen]\n\nport = "x"', 'server.toml:4: listen.port must be a number.'],
  ['[listen]\nports = 1', 'server.toml:2: There is no setting listen.ports.'],
  ['[lisen]\nport = 1', 'server.toml:1: There is no setting lisen.'],
  [
    '[[machines]]\naddress = "attic"\n[[machines]]\n# none\nname = "x"',
    'server.toml:3: The setting machines[2].address is missing.',
  ],
  [
    '[[machines]]\naddress = "a b"',
    'server.toml:2: machines[1].address must be a host name or IP address, optionally with :port.',
  ],
  [
    '[[machines]]\naddress = "attic"\ncommands = ["state",\n "dance"]',
    'server.toml:3: machines[1].commands[2] must be one of state, config, dump, link, restart.',
  ],
  [
    'machines = [{ address = "attic" }, { address = "ATTIC:7396" }]',
    'server.toml:1: machines[2] repeats attic:7396 of machines[1].',
  ],
  [
    '[account]\ncommands = ["state"]\n[[account.machines]]\nid = "a"\ncommands = ["dance"]',
    'server.toml:5: account.machines[1].commands[1] must be one of state, config, dump, link, restart.',
  ],
  [
    '[[account.machines]]\nid = "a"\n[[account.machines]]\nid = "a"',
    'server.toml:3: account.machines[2] repeats a of account.machines[1].',
  ],
  ['[[account.machines]]\ncommands = []', 'server.toml:1: The setting account.machines[1].id is missing.'],
  [
    '[listen]\norigins = ["https://folding.example.org/"]',
    'server.toml:2: listen.origins[1] must be an origin such as "https://folding.example.org", without a path and a slash at the end.',
  ],
  [
    `[[users]]\nname = "ana"\npassword = "secret"\nrole = "viewer"`,
    'server.toml:3: users[1].password must be what `npm run server -- hash-password` prints: argon2id, with memory times passes of at most 40960 KiB.',
  ],
  [
    `[[tokens]]\nname = "t"\nhash = "${'0'.repeat(64)}"\nscopes = ["read"]\nexpires = "soon"`,
    'server.toml:5: tokens[1].expires must be a date such as 2027-06-30.',
  ],
  [
    '[proxy]\nuser-header = "Remote-User"',
    'server.toml:2: proxy.user-header needs proxy.addresses: any other client could send that header.',
  ],
  ['[listen]\ncertificate = "a.pem"', 'server.toml:2: listen.certificate and listen.private-key need each other.'],
])('a mistake is named with its line: %j', (text, expected) => {
  const [mistake = '', ...others] = mistakesOf(text)
  expect(mistake.slice(0, expected.length)).toBe(expected)
  expect(others).toEqual([])
})

test('mistakes of environment and options name these', () => {
  expect(mistakesOf('', { environment: { FOLDBOARD_LISTEN_PORT: 'many' } })).toEqual([
    'FOLDBOARD_LISTEN_PORT: listen.port must be a number.',
  ])
  expect(mistakesOf('', { options: { clients: ['a b'], listen: { port: 70_000 } } })).toEqual([
    '--port: listen.port must be at most 65535.',
    '--client: machines[1].address must be a host name or IP address, optionally with :port.',
  ])
})

test('other computers see the server only with users, and with TLS, a proxy, or when told to go without', () => {
  const user = `[[users]]\nname = "ana"\npassword = "${HASH}"\nrole = "viewer"\n`
  const bare = '[listen]\naddress = "0.0.0.0"\n'
  const open = `${bare}origins = ["https://folding.example.org"]\n`
  expect(mistakesOf(bare)).toEqual([
    expect.stringMatching(/^server.toml:2: .*needs users/),
    expect.stringMatching(/^server.toml:2: .*needs listen.origins/),
    expect.stringMatching(/^server.toml:2: .*needs TLS/),
  ])
  expect(mistakesOf(`${user}${open}`)).toHaveLength(1)
  expect(mistakesOf(`${user}${open}plain-http = true`)).toEqual([])
  expect(mistakesOf(`${user}${open}certificate = "a"\nprivate-key = "b"`)).toEqual([])
  expect(mistakesOf(`${user}${open}[proxy]\naddresses = ["10.0.0.1"]`)).toEqual([])
  expect(mistakesOf('[listen]\naddress = "::1"')).toEqual([])
})

test('a proxy, and an address that other computers open, are accepted only with users', () => {
  const user = `[[users]]\nname = "ana"\npassword = "${HASH}"\nrole = "viewer"\n`
  const origin = '[listen]\norigins = ["http://localhost:8080", "https://folding.example.org"]\n'
  const proxy = '[proxy]\naddresses = ["127.0.0.1"]\n'
  expect(mistakesOf(origin)).toEqual([
    'server.toml:2: listen.origins https://folding.example.org is an address that other computers can open, which needs users: see docs/server.md.',
  ])
  expect(mistakesOf(proxy)).toEqual([
    'server.toml:2: proxy.addresses 127.0.0.1 passes requests of other computers on, which needs users: see docs/server.md.',
  ])
  expect(mistakesOf(`${origin}${proxy}`)).toHaveLength(2)
  for (const invited of [origin, proxy, `${origin}${proxy}`]) expect(mistakesOf(`${user}${invited}`)).toEqual([])
  expect(mistakesOf('[listen]\norigins = ["http://localhost:8080"]')).toEqual([])
})

test('several servers need a database of PostgreSQL and a long secret', () => {
  expect(mistakesOf('[store]\nurl = "mysql://host/x"')).toEqual([
    'server.toml:2: store.url must be an address such as "postgres://user:password@host/database".',
  ])
  expect(mistakesOf(`[cluster]\nsecret = "${'x'.repeat(32)}"`)).toEqual([
    'server.toml:2: cluster.secret needs store.url: several servers need one database of PostgreSQL.',
  ])
  expect(mistakesOf('[store]\nurl = "postgres://host/x"\n[cluster]\nsecret = "short"')).toHaveLength(1)
  expect(mistakesOf(`[store]\nurl = "postgres://host/x"\n[cluster]\nsecret = "${'x'.repeat(32)}"`)).toEqual([])
})

test('the settings of the Compose file need a password', () => {
  const text = readFileSync(new URL('../../../packaging/compose/foldboard-server.toml', import.meta.url), 'utf8')
  expect(mistakesOf(text)).toEqual([
    expect.stringMatching(/^server.toml:\d+: users\[1\] cannot sign in: it needs a password, or proxy.user-header.$/),
  ])
  expect(mistakesOf(text.replace(/^# password = .*$/m, `password = "${HASH}"`))).toEqual([])
})

test('keys that could change prototypes are mistakes', () => {
  expect(mistakesOf('[__proto__]\nport = 1')).toEqual(['server.toml:1: There is no setting __proto__.'])
  expect(mistakesOf('[listen]\n[listen.__proto__]\nport = 1')).toEqual([
    'server.toml:2: There is no setting listen.__proto__.',
  ])
  expect(mistakesOf('[[machines]]\naddress = "a"\nconstructor = 1')).toEqual([
    'server.toml:3: There is no setting machines[1].constructor.',
  ])
  expect(Object.hasOwn(Object.prototype, 'port')).toBe(false)
})

test.each([
  'secret',
  '$argon2id$',
  '$argon2id$v=19$m=19456,t=2,p=1$…',
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  '$argon2id$v=19$m=65536,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA',
  '$argon2id$v=19$m=19456,t=0,p=1$c2FsdHNhbHRzYWx0$aGFzaA',
  '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA',
  HASH.slice(0, -3),
])('is no hash of a password: %s', hash => {
  const [mistake] = mistakesOf(`[[users]]\nname = "ana"\nrole = "viewer"\npassword = "${hash}"`)
  expect(mistake).toBe(
    'server.toml:4: users[1].password must be what `npm run server -- hash-password` prints: argon2id, with memory times passes of at most 40960 KiB.',
  )
})

test('the output of hash-password is a valid password hash', async () => {
  expect(isPasswordHash(await hashPassword('a long enough password'))).toBe(true)
})

test('users who cannot sign in, and unknown thresholds, are errors of the settings', () => {
  const user = '[[users]]\nname = "ana"\nrole = "viewer"\n'
  expect(mistakesOf(user)).toEqual([
    'server.toml:1: users[1] cannot sign in: it needs a password, or proxy.user-header.',
  ])
  expect(mistakesOf(`${user}[proxy]\naddresses = ["127.0.0.1"]\nuser-header = "Remote-User"`)).toEqual([])
  const push = '[[channels]]\nname = "b"\nkind = "push"\ncontact = "mailto:ana@example.org"\nuser = "bo"\n'
  expect(mistakesOf(`${push}${user}password = "${HASH}"`)).toEqual([
    'server.toml:5: channels[1].user names bo, who is no user.',
  ])
  const thresholds = (text: string) => mistakesOf(`[incidents]\nthresholds = { ${text} }`)
  expect(thresholds('"unreachable.minutes" = 20, "slow.percent" = 60')).toEqual([])
  expect(thresholds('"unreachable.hours" = 1')).toEqual([
    expect.stringMatching(
      /^server.toml:2: There is no threshold unreachable.hours: it is one of .*unreachable.minutes/,
    ),
  ])
  expect(thresholds('"unreachable.minutes" = -1')).toEqual([
    'server.toml:2: The threshold unreachable.minutes must be from 0 to 10080.',
  ])
})

test('meters that nothing could read, or that measure no machine, are errors of the settings', () => {
  const machines = '[[machines]]\naddress = "10.0.0.5"\nname = "attic"\n'
  const meter = (text: string) => mistakesOf(`${machines}[[meters]]\nname = "plug"\n${text}`)
  expect(meter('machine = "attic"\nkind = "tasmota"')).toEqual([])
  expect(meter('machine = "10.0.0.5"\ntopic = "a/b"\n[mqtt]\nurl = "mqtt://host"')).toEqual([])
  expect(meter('machine = "cellar"')).toEqual([
    'server.toml:6: meters[1].machine names cellar, which is no address or name of [[machines]].',
  ])
  expect(meter('topic = "a/b"')).toEqual(['server.toml:6: meters[1].topic needs mqtt.url, the broker.'])
  expect(meter('kind = "tasmota"\npath = "a"')).toEqual(['server.toml:7: meters[1].path is for the kind value only.'])
  expect(meter('topic = "a/#"')).toEqual(['server.toml:6: meters[1].topic must be one topic, without # and +.'])
  expect(meter('[[meters]]\nname = "plug"')).toEqual(['server.toml:6: meters[2] repeats plug of meters[1].'])
})

test('secrets in a file that others can read are named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-settings-'))
  const path = join(folder, 'server.toml')
  const channel = (kind: string, rest: string) => `[[channels]]\nname = "${kind}"\nkind = "${kind}"\n${rest}\n`
  const text = [
    channel('ntfy', 'topic = "x"\ntoken = "tk"'),
    channel('slack', 'url = "https://hooks.example.org/secret"'),
    channel('webhook', 'url = "https://example.org/hook"'),
    '[store]\nurl = "postgres://a:secret@host/x"\n[mqtt]\nurl = "mqtt://host"\npassword = "p"',
  ].join('')
  writeFileSync(path, text)
  const namesAt = (mode: number, content = text): readonly string[] => {
    chmodSync(path, mode)
    const result = readConfig({ file: { path, text: content }, environment: { FOLDBOARD_MQTT_PASSWORD: 'other' } })
    return result.ok ? readableSecrets(path, result.secrets) : ['wrong']
  }
  const rest = `is a secret, and others can read the file. Forbid that: chmod 600 ${path}`
  const secret = (name: string, ...place: (string | number)[]) => `${path}:${lineOf(text, place)}: ${name} ${rest}`
  expect(namesAt(0o644)).toEqual([
    secret('mqtt.password', 'mqtt', 'password'),
    secret('store.url', 'store', 'url'),
    secret('channels[1].token', 'channels', 0, 'token'),
    secret('channels[2].url', 'channels', 1, 'url'),
  ])
  expect(namesAt(0o600)).toEqual([])
  expect(namesAt(0o644, '[store]\nurl = "postgres://a@host/x"\n[mqtt]\nurl = "mqtt://host"')).toEqual([])
  rmSync(folder, { recursive: true })
})

test('the line of a setting, or of the nearest table around it', () => {
  const text = 'a = 1\n[b]\nc.d = 2\n[[e]]\nf = 1\n[[e]]\n"g" = 2'
  expect(
    [['a'], ['b'], ['b', 'c', 'd'], ['e', 0, 'f'], ['e', 1, 'g'], ['e', 1, 'none'], ['none']].map(path =>
      lineOf(text, path),
    ),
  ).toEqual([1, 2, 3, 5, 7, 6, 1])
})

test('the command line', () => {
  expect(readCommandLine(['--client', 'a', '--client', 'b:1', '--allow', 'state, dump', '--port', '0'])).toEqual({
    kind: 'start',
    config: undefined,
    demo: false,
    settings: { listen: { port: 0 }, store: {}, clients: ['a', 'b:1'], commands: ['state', 'dump'] },
  })
  expect(readCommandLine(['--check-config', '--config', 'x.toml'])).toMatchObject({ kind: 'check', config: 'x.toml' })
  expect(readCommandLine(['backup', 'copy.db'])).toMatchObject({ kind: 'backup', file: 'copy.db' })
  expect(readCommandLine(['new-token', 'grafana', 'metrics', '--days', '7'])).toEqual({
    kind: 'new-token',
    name: 'grafana',
    scopes: ['metrics'],
    days: 7,
  })
  for (const words of [['dance'], ['--port', 'x'], ['backup'], ['new-token'], ['new-token', 'a', 'all'], ['--nothing']])
    expect(readCommandLine(words).kind).toBe('wrong')
})

test('the example has every setting of the schema, and its active part is right', () => {
  const text = readFileSync(new URL('../../../packaging/foldboard-server.toml', import.meta.url), 'utf8')
  expect(mistakesOf(text)).toEqual([])
  const { entries } = configSchema
  const sections = {
    ...SECTIONS,
    machines: entries.machines.wrapped.pipe[0].item,
    users: entries.users.wrapped.pipe[0].item,
    tokens: entries.tokens.wrapped.pipe[0].item,
    incidents: entries.incidents.wrapped,
    alerts: entries.alerts.wrapped.pipe[0].item,
  }
  for (const [section, { entries: keys }] of Object.entries(sections))
    for (const key of Object.keys(keys))
      if (key !== 'plain-http')
        expect(text, section).toEqual(expect.stringMatching(new RegExp(`^(?:# )?${key} = `, 'm')))
})
