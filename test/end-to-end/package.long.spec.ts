import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { startProgram, type Program } from '../program.ts'
import { clientData, startScriptedClient } from './scripted-client.ts'
import { machineCalled } from './machines-view.ts'
import { expect, test as base } from './fixtures.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const NEEDED = ['--omit=dev', '--omit=optional']
const WINDOWS = process.platform === 'win32'

function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'foldboard-package-'))
}

function startCommand(installed: string, name: string, words: readonly string[]): Program {
  return startProgram(join(installed, '.bin', WINDOWS ? `${name}.cmd` : name), words, { cwd: join(installed, '..') })
}

type Start = (...words: readonly string[]) => Program
/** The package as npm makes it of what is built, installed without a registry: what it depends on is copied beside it. */
const test = base.extend<{ readonly installed: string; readonly start: Start; readonly startServer: Start }>({
  installed: async ({}, use) => {
    const folder = emptyFolder()
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, shell: WINDOWS })
    const [tarball = ''] = readdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{}')
    const { stdout } = await run('npm', ['ls', ...NEEDED, '--all', '--parseable'], { cwd: ROOT, shell: WINDOWS })
    for (const path of stdout.trim().split('\n').slice(1))
      cpSync(path, join(folder, relative(ROOT, path)), { recursive: true })
    const words = ['install', '--offline', ...NEEDED, '--no-audit', '--no-fund', join(folder, tarball)]
    await run('npm', words, { cwd: folder, shell: WINDOWS })
    await use(join(folder, 'node_modules'))
    rmSync(folder, { recursive: true })
  },
  start: async ({ installed, stopAfterTest }, use) => {
    await use((...words) => stopAfterTest(startCommand(installed, 'foldboard', words)))
  },
  startServer: async ({ installed, stopAfterTest }, use) => {
    await use((...words) => stopAfterTest(startCommand(installed, 'foldboard-server', words)))
  },
})

test('the package runs from an empty folder and forwards the page to a client', async ({
  page,
  installed,
  start,
  stopAfterTest,
}) => {
  expect(readdirSync(installed)).not.toContain('react')
  const client = stopAfterTest(await startScriptedClient(clientData()))
  const program = start('--port', '0', '--client', `${client.address.host}:${client.address.port}`)
  const [, dashboard = ''] = await program.says(/Foldboard\s+(http:\/\/localhost:\d+)/)
  await page.goto(`${dashboard}/machines`)
  await expect(machineCalled(page, clientData().info.mach_name)).toBeVisible()
  expect(await program.interrupt()).toBe(0)
})

test('the demo network and the server report what they need when that is not installed, and the server its options', async ({
  start,
  startServer,
}) => {
  const program = start('--port', '0', '--demo')
  expect(await program.ended).toBe(1)
  expect(program.printed().trim()).toBe(
    'The demo network needs the optional package libsql, which is not installed: npm install libsql',
  )
  const server = startServer('--port', '0', '--client', '127.0.0.1:9')
  expect(await server.ended).toBe(1)
  expect(server.printed().trim()).toBe(
    'The server needs the package libsql, which is not installed: npm install libsql',
  )
  const help = startServer('--help')
  expect(await help.ended).toBe(0)
  expect(help.printed()).toContain('hash-password')
})

test('the package holds no sources, tests or source maps, and declares the packages that its programs import', ({
  installed,
}) => {
  const root = join(installed, 'foldboard')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  expect(files.filter(file => /\.map$|\.tsx?$|^(src|test|network|node_modules)\b/.test(file))).toEqual([])
  const imported = files
    .filter(file => /^build.+\.js$/.test(file))
    .flatMap(file => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/^import .*?["']((?:@[\w-]+\/)?[\w-]+)[^"':]*["'];?$/gm),
    ])
    .map(([, name]) => name)
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: object
    readonly optionalDependencies: object
  }
  expect(new Set(imported)).toEqual(new Set(Object.keys({ ...dependencies, ...optionalDependencies })))
  const size = files.map(file => statSync(join(root, file))).reduce((sum, { size }) => sum + size, 0)
  expect(size).toBeLessThan(14_000_000)
})

test('built pages have a content security policy of their own', () => {
  for (const file of ['index.html', 'inspector.html']) {
    const html = readFileSync(join(ROOT, 'dist', file), 'utf8')
    const [policy = ''] = /<meta http-equiv="Content-Security-Policy"[^>]*>/.exec(html) ?? []
    expect(policy).toMatch(/default-src &#39;self&#39;; script-src &#39;self&#39;;/)
    expect(html.indexOf(policy)).toBeLessThan(html.indexOf('<script'))
  }
})
