import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../http/metrics.ts'
import { routes } from '../http/routes.ts'
import { readCommandLine } from './command-line.ts'
import { readConfig } from './read-config.ts'

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaA'
const folder = join(import.meta.dirname, '../../../packaging')
function readText(path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

const server = v.object({
  build: v.object({ context: v.string(), dockerfile: v.string() }),
  entrypoint: v.array(v.string()),
  environment: v.record(v.string(), v.string()),
  volumes: v.array(v.string()),
  healthcheck: v.object({ test: v.array(v.string()) }),
})
const service = v.looseObject({
  image: v.string(),
  volumes: v.optional(v.array(v.string()), []),
  ports: v.optional(v.array(v.string()), []),
  depends_on: v.optional(v.union([v.array(v.string()), v.record(v.string(), v.object({ condition: v.string() }))]), []),
})
const compose = v.object({
  services: v.looseObject({
    'server-1': server,
    'server-2': server,
    postgres: v.object({ environment: v.record(v.string(), v.string()), healthcheck: v.object({ test: v.unknown() }) }),
    proxy: v.object({ networks: v.object({ inner: v.object({ ipv4_address: v.string() }) }) }),
  }),
  volumes: v.record(v.string(), v.null()),
})
const content: unknown = parse(readText('compose.yaml'), { merge: true })
const { services, volumes } = v.parse(compose, content)
const all = Object.entries(v.parse(v.object({ services: v.record(v.string(), service) }), content).services)

/** The settings of a server of the Compose file, with values for the variables that it needs. */
function configOf(name: 'server-1' | 'server-2') {
  const { environment, entrypoint } = services[name]
  const values = Object.fromEntries(
    Object.entries(environment).map(([key, text]) => [key, text.replaceAll(/\$\{\w+:\?\}/g, 'x'.repeat(40))]),
  )
  const commandLine = readCommandLine(entrypoint.slice(2))
  if (commandLine.kind !== 'start') throw new Error(JSON.stringify(commandLine))
  // Its first lines say that this comes before the first start.
  const text = readText('compose/foldboard-server.toml').replace(/^# password = .*$/m, `password = "${HASH}"`)
  const read = readConfig({
    file: { path: 'foldboard-server.toml', text },
    environment: values,
    options: commandLine.settings,
  })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  return { config: read.config, file: commandLine.config }
}

test('the servers of the Compose file have valid settings, and accept each other and the proxy', () => {
  for (const name of ['server-1', 'server-2'] as const) {
    const { config, file } = configOf(name)
    expect(services[name].volumes.map(volume => volume.split(':')[1])).toContain(file)
    expect(services[name].entrypoint.slice(0, 2)).toEqual(['node', 'build/server.js'])
    expect(config).toMatchObject({
      listen: { address: '0.0.0.0', port: 7400 },
      store: { folder: '/data', url: expect.stringContaining('@postgres/foldboard') as string },
      cluster: { address: '0.0.0.0', port: 7401 },
      proxy: { addresses: [services.proxy.networks.inner.ipv4_address] },
    })
    expect(services[name].healthcheck.test.join(' ')).toContain(
      `http://127.0.0.1:${config.listen.port}${routes.ready.path}`,
    )
  }
  expect(services.postgres.environment).toMatchObject({ POSTGRES_USER: 'foldboard', POSTGRES_DB: 'foldboard' })
})

test('what the Compose file mounts exists, and what it waits for is part of it', () => {
  // It holds a secret, and is made before the first start.
  const made = ['./compose/prometheus-token']
  for (const [, { volumes: mounts, depends_on: waits }] of all) {
    for (const source of mounts.map(mount => mount.split(':')[0] ?? ''))
      if (!source.startsWith('.')) expect(Object.keys(volumes)).toContain(source)
      else if (!made.includes(source)) expect(existsSync(resolve(folder, source)), source).toBe(true)
    for (const name of Array.isArray(waits) ? waits : Object.keys(waits))
      expect(all.map(([entryName]) => entryName)).toContain(name)
  }
  const { context, dockerfile } = services['server-1'].build
  expect(existsSync(resolve(folder, context, dockerfile))).toBe(true)
  expect(Object.keys(services).sort()).toEqual(['grafana', 'postgres', 'prometheus', 'proxy', 'server-1', 'server-2'])
})

test('proxy, Prometheus and container ask at the port and paths of the server', () => {
  const { port } = configOf('server-1').config.listen
  const targets = [`server-1:${port}`, `server-2:${port}`]
  expect(readText('compose/Caddyfile')).toContain(`reverse_proxy ${targets.join(' ')} {`)
  expect(readText('compose/Caddyfile')).toContain(`health_uri ${routes.ready.path}\n`)
  const scrape = v.object({
    scrape_configs: v.tuple([v.object({ static_configs: v.tuple([v.object({ targets: v.array(v.string()) })]) })]),
  })
  expect(
    v.parse(scrape, parse(readText('compose/prometheus.yaml'))).scrape_configs[0].static_configs[0].targets,
  ).toEqual(targets)
  // Prometheus reads this path unless it is told another one.
  expect(routes.metrics.path).toBe('/metrics')
  expect(readText('Containerfile')).toContain(`EXPOSE ${port}\n`)
  // Without a session the first page is not answered with 200.
  expect(readText('Containerfile')).toContain(`fetch('http://127.0.0.1:${port}${routes.health.path}')`)
})

test('the app of Home Assistant starts the server with valid settings, and has the version of the package', () => {
  const root = join(folder, '..')
  const home = mkdtempSync(join(tmpdir(), 'foldboard-app-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  // In place of the server: it makes a hash, and ends.
  writeFileSync(join(home, 'foldboard-server'), `#!/bin/sh\n[ "$1" = hash-password ] && echo '${HASH}'\nexit 0\n`)
  chmodSync(join(home, 'foldboard-server'), 0o755)
  const app = v.parse(
    v.looseObject({ version: v.string(), options: v.looseObject({}), ports: v.record(v.string(), v.number()) }),
    parse(readText('home-assistant/config.yaml')),
  )
  const options = { ...app.options, clients: ['10.0.0.7', 'nas.lan:7397'], password: 'x'.repeat(8) }
  writeFileSync(join(home, 'options.json'), JSON.stringify(options))
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'home-assistant/start.mjs'), home], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${home}:${process.env['PATH'] ?? ''}` },
  })
  expect(status).toBe(0)
  expect(stderr).toBe('')
  const text = readFileSync(join(home, 'foldboard-server.toml'), 'utf8')
  const read = readConfig({ file: { path: 'foldboard-server.toml', text }, environment: {}, options: {} })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  expect(read.config).toMatchObject({
    listen: { address: '0.0.0.0', port: app.ports['7400/tcp'] },
    store: { folder: home },
    users: [{ name: 'admin', role: 'administrator', password: HASH }],
    machines: [
      { address: '10.0.0.7', commands: ['state'] },
      { address: 'nas.lan:7397', commands: ['state'] },
    ],
  })
  expect(
    v.parse(v.object({ version: v.string() }), JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))),
  ).toEqual({
    version: app.version,
  })
})

test('each metric that the dashboard of Grafana shows exists', async () => {
  const metrics = createMetrics({
    now: () => 20_000,
    machines: () => [],
    labels: () => () => '',
    sockets: () => 0,
    incidents: () => [],
    power: () => undefined,
    currency: () => undefined,
    alerts: () => ({ waiting: 0, failing: 0, isAliveFailing: false }),
  })
  const existing = new Set([...(await text(metrics.families())).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
  const shown = [...readText('grafana-dashboard.json').matchAll(/\bfoldboard_\w+/g)].map(([name]) => name)
  expect(shown.length).toBeGreaterThan(5)
  expect([...new Set(shown)].filter(name => !existing.has(name))).toEqual([])
})
