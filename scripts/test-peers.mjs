/** Runs the tests with real peers, in a network of their own without access to other networks. See test/peers/README.md. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** @param {string} name */
function programNamed(name) {
  const path = process.env[name]
  if (path === undefined || path === '') return undefined
  try {
    accessSync(path, constants.X_OK)
  } catch {
    console.error(`${name} names ${path}, which is no program that can be run.`)
    process.exit(1)
  }
  return path
}

const client = programNamed('FOLDBOARD_REAL_CLIENT')
const node = programNamed('FOLDBOARD_REAL_NODE')
if (client === undefined) {
  console.log('Tests with real peers are skipped: FOLDBOARD_REAL_CLIENT names no program (test/peers/README.md).')
  process.exit(0)
}
if (node === undefined) console.log('FOLDBOARD_REAL_NODE names no program: tests with a real relay node are skipped.')

const tests = [
  process.execPath,
  join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
  'test',
  '-c',
  join(root, 'test', 'peers', 'playwright.config.ts'),
  ...process.argv.slice(2),
]
// A new network namespace has nothing but a loopback device that is down. Without any other that is up, Chromium is offline.
const devices = [
  'ip link set lo up',
  'ip link add page type veth peer name nowhere',
  'ip address add 192.0.2.1/24 dev page',
  'ip link set page up',
  'ip link set nowhere up',
]
// Names are looked up on this computer, where tests may have a server for them.
const names = [
  'file=$(mktemp)',
  'echo nameserver 127.0.0.1 > $file',
  'chmod 644 $file',
  'mount --bind $file /etc/resolv.conf',
  'rm $file',
]
const isRoot = process.getuid?.() === 0
const namespace = [
  isRoot ? '-nm' : '-rnm',
  'sh',
  '-c',
  `${[...devices, ...names].join(' && ')} && exec "$@"`,
  'sh',
  ...tests,
]
const { status, error } = spawnSync('unshare', namespace, { cwd: root, stdio: 'inherit' })
if (error !== undefined)
  console.error('A network of their own could not be made for the peers: `unshare` and `ip` (Linux) are needed.')
process.exit(status ?? 1)
