import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { chooseFromHeader, chooseFromMenu, expectState, machineCalled } from './machines-view.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { expect, test as base } from './fixtures.ts'

type Server = {
  readonly url: string
  readonly stop: () => Promise<void>
  readonly serve: (dist: string) => Promise<void>
}

/** A host whose pages can be stopped and replaced at the same address, and a client that is stopped with it. */
const test = base.extend<{ readonly server: Server }>({
  server: async ({ stopAfterTest }, use) => {
    const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
    let host = await serveAlone({ port: 0, client: client.address })
    const url = host.dashboardUrl
    const port = Number(new URL(url).port)
    await use({
      url,
      stop: async () => {
        await host.stop()
        client.stop()
      },
      serve: async dist => {
        await host.stop()
        host = await serveAlone({ port, dist, client: client.address })
      },
    })
    await host.stop()
  },
})

test.use({ serviceWorkers: 'allow' })

function banner(page: Page) {
  return page.getByRole('banner')
}
function offer(page: Page) {
  return page.getByRole('main').getByRole('button', { name: 'Use the new version' })
}
function entryOf(html: string): string {
  return /assets\/(index-[\w-]+\.js)/.exec(html)?.[1] ?? ''
}

/** Opens the page, and lets the time pass until its files are stored. */
async function openStored(page: Page, url: string): Promise<void> {
  await page.clock.install()
  await page.goto(`${url}/machines`)
  await expectState(page, 'puppet', 'Folding')
  await page.clock.fastForward(10_000)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
  await page.clock.fastForward(6000)
}

/** The same build as another version: all its scripts have other names. */
async function makeNewVersion(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'foldboard-'))
  await cp('dist', folder, { recursive: true, filter: path => !path.endsWith('.map') })
  const entry = entryOf(await readFile('dist/index.html', 'utf8'))
  const scripts = (await readdir(join(folder, 'assets'))).filter(name => name.endsWith('.js'))
  const renamed = (text: string): string =>
    text.replaceAll(/[\w.-]+\.js\b/g, name => {
      if (name === entry) return 'index-newer123.js'
      return scripts.includes(name) ? name.replace(/\.js$/, '-newer.js') : name
    })
  for (const name of ['index.html', 'service-worker.js', ...scripts.map(script => `assets/${script}`)]) {
    const text = await readFile(join(folder, name), 'utf8')
    await rm(join(folder, name))
    await writeFile(join(folder, renamed(name)), renamed(text))
  }
  return folder
}

test('the page can be installed: its manifest and icons are there; nothing is stored before it is quiet; About names the version, the libraries, and what belongs in a bug report', async ({
  page,
  server,
}) => {
  await page.clock.install()
  await page.goto(`${server.url}/machines`)
  await expectState(page, 'puppet', 'Folding')
  const registrations = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  expect(await registrations()).toBe(0)
  await page.clock.fastForward(10_000)
  await expect.poll(registrations).toBe(1)

  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await page.request.get(`${server.url}${address}`)
  const manifest = (await answer.json()) as {
    readonly start_url: string
    readonly display: string
    readonly icons: readonly {
      readonly src: string
      readonly sizes: string
      readonly type: string
      readonly purpose: string
    }[]
  }
  expect(manifest).toMatchObject({ name: 'Foldboard', display: 'standalone', start_url: 'machines' })
  const pictures = manifest.icons.filter(({ type }) => type === 'image/png')
  expect(pictures.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes } of pictures) {
    const bytes = await (await page.request.get(new URL(src, answer.url()).href)).body()
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
  const { errors } = await (await page.context().newCDPSession(page)).send('Page.getAppManifest')
  expect(errors).toEqual([])

  await chooseFromHeader(page, 'About Foldboard')
  await expect(page.getByRole('heading', { level: 1, name: 'About Foldboard' })).toBeVisible()
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string }
  const report = page.getByLabel('Report', { exact: true })
  await expect(report).toContainText(`Foldboard: ${version}`)
  await expect(report).toContainText('1 × direct, connected, client 8.5.7')
  await expect(report).not.toContainText('puppet')
  await page.getByRole('button', { name: 'Show the libraries' }).click()
  const library = page.getByRole('listitem').filter({ hasText: /^react \d/ })
  await library.locator('summary').click()
  await expect(library.getByLabel('License of react')).toContainText('Permission is hereby granted')
})

test('without a network the page opens with the last known state and its age, and so does a screen that was never opened; calls of the API are neither stored nor answered from the store [11.11]', async ({
  page,
  server,
  pageErrors,
}) => {
  pageErrors.expect(/status of 404/)
  await openStored(page, server.url)
  expect(await page.evaluate(async () => (await fetch('/api/nothing')).status)).toBe(404)
  const stored = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(stored).toContain('/index.html')
  expect(
    stored.filter(path => !/^\/(?:assets\/|icons\/|index\.html|start\.js|favicon\.svg|manifest\.json)/.test(path)),
  ).toEqual([])
  await server.stop()
  expect(
    await page.evaluate(() =>
      fetch('/api/nothing').then(
        () => 'answered',
        () => 'failed',
      ),
    ),
  ).toBe('failed')
  await page.reload()
  await expect(banner(page)).toBeVisible()
  const panel = machineCalled(page, 'puppet')
  await expect(panel).toHaveAttribute('data-stale', 'true')
  await expect(panel).toContainText('as of')
  await expect(panel).toContainText('18201')

  await page.getByRole('link', { name: 'News' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'News' })).toBeAttached()
  await expect(banner(page)).toBeVisible()
  await page.goto(`${server.url}/stats`)
  await expect(page.getByRole('heading', { level: 1, name: 'Stats' })).toBeAttached()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a new version is offered, is not taken while an edit is unsaved, and is taken when the user agrees', async ({
  page,
  server,
}) => {
  await openStored(page, server.url)
  const folder = await makeNewVersion()
  await server.serve(folder)
  await page.clock.fastForward(61 * 60_000)
  await expect(offer(page)).toBeVisible()

  // The server has no file of the old version any more.
  await page.getByRole('link', { name: 'News' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'News' })).toBeAttached()
  await page.getByRole('link', { name: 'Machines' }).first().click()
  await expectState(page, 'puppet', 'Folding')

  await chooseFromMenu(page, 'Actions for puppet', 'Settings')
  const cpus = page.getByRole('main').getByRole('slider', { name: 'CPUs' })
  await cpus.press('Home')
  await offer(page).click()
  await expect(page.getByRole('main')).toContainText('Reloading would lose unsaved changes: Settings of puppet.')
  expect(entryOf(await page.content())).not.toBe('index-newer123.js')

  await cpus.press('End')
  await offer(page).click()
  await expect(page.locator('script[src$="/index-newer123.js"]')).toHaveCount(1)
  await expect(offer(page)).toHaveCount(0)
  // It still loads code that may be needed soon.
  await page.goto('about:blank')
  await rm(folder, { recursive: true })
})
