/** Starts the server with the options of the app: `node start.mjs FOLDER`, with options.json in it. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder = '/data'] = process.argv.slice(2)
const {
  clients,
  origins,
  user,
  password,
  commands,
  certificate,
  private_key: key,
} = JSON.parse(readFileSync(join(folder, 'options.json'), 'utf8'))
const { status, stdout, stderr } = spawnSync('foldboard-server', ['hash-password'], {
  input: `${password}\n`,
  encoding: 'utf8',
})
if (status !== 0) {
  console.error(`Set the option password. ${stderr}`)
  process.exit(1)
}
const hasCertificate = certificate !== undefined && key !== undefined
const lines = [
  '[listen]',
  'address = "0.0.0.0"',
  'port = 7400',
  `origins = ${JSON.stringify(origins)}`,
  ...(hasCertificate
    ? [
        `certificate = ${JSON.stringify(join('/ssl', certificate))}`,
        `private-key = ${JSON.stringify(join('/ssl', key))}`,
      ]
    : ['plain-http = true']),
  '[store]',
  `folder = ${JSON.stringify(folder)}`,
  '[[users]]',
  `name = ${JSON.stringify(user)}`,
  'role = "administrator"',
  `password = ${JSON.stringify(stdout.trim())}`,
  ...clients.flatMap(address => [
    '[[machines]]',
    `address = ${JSON.stringify(address)}`,
    `commands = [${commands ? '"state"' : ''}]`,
  ]),
]
const config = join(folder, 'foldboard-server.toml')
writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 })
const server = spawn('foldboard-server', ['--config', config], { stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal))
server.on('exit', code => process.exit(code ?? 1))
