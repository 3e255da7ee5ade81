import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram, type Program } from '../program.ts'
import { expectState } from './machines-view.ts'
import { signIn } from './sign-in.ts'
import { expect, test as base } from './fixtures.ts'

const ROOT = join(import.meta.dirname, '../..')
const BUILT = join(ROOT, 'build/network.js')

function start(words: readonly string[]): Program {
  return startProgram(process.execPath, [BUILT, ...words], { cwd: ROOT })
}

const test = base.extend<{ readonly run: (...words: readonly string[]) => Program; readonly data: string }>({
  run: async ({ stopAfterTest }, use) => {
    await use((...words) => stopAfterTest(start(words)))
  },
  data: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-'))
    await use(folder)
    rmSync(folder, { recursive: true })
  },
})

const ADDRESS = /Foldboard\s+(http:\/\/localhost:\d+)/

test('it prints where to look and how to sign in, keeps its data where it is to, and ends when it is interrupted', async ({
  page,
  run,
  data,
}) => {
  const words = ['--port', '0', '--machines', '1', '--data', data, '--key-bits', '1024', '--client', '127.0.0.1:9']
  const network = run(...words)
  const [, dashboard = ''] = await network.says(ADDRESS)
  const [, email = ''] = await network.says(/Log in with\s+(\S+)/)
  const [, passphrase = ''] = await network.says(/Passphrase\s+(.+)/)
  await network.says(/nothing listens at 127\.0\.0\.1:9, a simulated one takes its place/)
  await network.says(/All machines are logged in/)
  await page.goto(dashboard)
  await signIn(page, { email, passphrase })
  await expectState(page, 'atlas', 'Folding')
  expect(await network.interrupt()).toBe(0)
  expect(readdirSync(data)).toContain('foldboard.db')
})

test('without a network it serves the dashboard alone, with the settings that it was built with', async ({
  run,
  data,
}) => {
  const alone = run('--no-network', '--port', '0', '--data', join(data, 'none'), '--client', '127.0.0.1:9')
  const [, dashboard = ''] = await alone.says(ADDRESS)
  await alone.says(/Without the embedded network/)
  const html = await (await fetch(`${dashboard}/machines`)).text()
  expect([...html.matchAll(/<meta name="(foldboard:[^"]+)"/g)].map(([, name]) => name)).toEqual([
    'foldboard:direct-address',
  ])
  expect(existsSync(join(data, 'none'))).toBe(false)
  expect(await alone.interrupt()).toBe(0)
})

test('an option that is none is named, and nothing is started', async ({ run }) => {
  const refused = run('--prot', '7500')
  expect(await refused.ended).toBe(2)
  expect(refused.printed().trim()).toBe('There is no option --prot. Try --help.')
})

test('what was built holds no file that a client would serve under a wrong type', () => {
  const files = readdirSync(join(ROOT, 'dist'), { recursive: true, withFileTypes: true }).filter(file => file.isFile())
  expect(files.length).toBeGreaterThan(10)
  // docs/protocol.md §10; maps are for developers, and browsers recognize images by their content.
  expect(files.map(({ name }) => name).filter(name => !/\.(?:html|js|css|json|svg|png|map)$/.test(name))).toEqual([])
})

test('what was built names the libraries in it, with their licenses', () => {
  const libraries = ['licenses.json', 'inspector/licenses.json'].map(
    file => JSON.parse(readFileSync(join(ROOT, 'dist', file), 'utf8')) as readonly { name: string; text?: string }[],
  )
  for (const list of libraries)
    expect(list.find(({ name }) => name === 'react')?.text).toContain('Permission is hereby granted')
})
