import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { expect, test as base } from './fixtures.ts'
import { chooseFromHeader, chooseFromMenu, expectState } from './machines-view.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'

const test = base.extend<{ readonly url: string }>({
  url: async ({ stopAfterTest }, use) => {
    const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
    const host = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    await use(host.dashboardUrl)
  },
})

const catalog = readFileSync('src/locales/fr.po', 'utf8')

/** The French of a message. */
function inFrench(text: string): string {
  return new RegExp(`^msgid "${text}"\nmsgstr "(.+)"$`, 'm').exec(catalog)?.[1] ?? ''
}

const PROJECTS = inFrench('Projects')

const french = { locale: 'fr-CH' }

/** Every text that the navigation of the header has had, from the first picture on. */
function recordHeader(page: Page) {
  return page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      for (const link of document.querySelectorAll('header nav a')) seen.add(link.textContent)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}
function headerTexts(page: Page) {
  return page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])
}

function textFiles(page: Page): string[] {
  const asked: string[] = []
  page.on('request', request => {
    const [, file] = /assets\/texts-([a-zA-Z-]+-(?:first|soon|rest))-/.exec(request.url()) ?? []
    if (file !== undefined) asked.push(file)
  })
  return asked
}

function rootOf(page: Page) {
  return page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])
}

test.describe('with a browser in French', () => {
  test.use(french)

  test('the first picture is in French, and only its texts are loaded', async ({ page, url }) => {
    const asked = textFiles(page)
    await recordHeader(page)
    await page.goto(`${url}/machines`)
    await expect(page.getByRole('link', { name: PROJECTS })).toBeVisible()
    const texts = await headerTexts(page)
    expect(texts).toContain(PROJECTS)
    expect(texts).not.toContain('Projects')
    // The header of the document is French before.
    await expect.poll(() => asked[0]).toBe('fr-first')
    expect(await rootOf(page)).toEqual(['fr', 'ltr'])
    // React Aria reads its own locale, and its own texts.
    const aria = () => page.evaluate(() => Reflect.get(window, Symbol.for('react-aria.i18n.strings')) as unknown)
    await expect.poll(aria).toMatchObject({ '@react-aria/overlays': { dismiss: 'Rejeter' } })
    expect(await page.evaluate(() => Reflect.get(window, Symbol.for('react-aria.i18n.locale')) as unknown)).toBe(
      'fr-CH',
    )
    await page.getByRole('link', { name: PROJECTS }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(PROJECTS)
    expect(asked).toEqual(['fr-first', 'fr-soon', 'fr-rest'])
  })

  test('a screen whose texts do not come is in English; without any texts the page is, and tries again when it is loaded again', async ({
    page,
    url,
  }) => {
    await page.route(/texts-fr-rest/, route => route.abort())
    await page.goto(`${url}/machines`)
    await page.getByRole('link', { name: PROJECTS }).click()
    await expect(page.getByRole('main').getByText('The projects your machines are working on now.')).toBeVisible()
    await page.unroute(/texts-fr-rest/)

    await page.route(/texts-fr-first/, route => route.abort())
    await page.goto(`${url}/machines`)
    await expect(page.getByRole('link', { name: 'Projects' })).toBeVisible()
    expect(await rootOf(page)).toEqual(['en', 'ltr'])
    await page.unroute(/texts-fr-first/)
    await page.reload()
    await expect(page.getByRole('link', { name: PROJECTS })).toBeVisible()
  })
})

test.describe('without a network', () => {
  test.use({ ...french, serviceWorkers: 'allow' })

  test('the page opens in the language that was used, and no other is stored', async ({ page, context, url }) => {
    await page.clock.install()
    await page.goto(`${url}/machines`)
    await expect(page.getByRole('link', { name: PROJECTS })).toBeVisible()
    const stored = async () => {
      // Files are stored when the page has been open for a while, however long it took to begin.
      await page.clock.fastForward(10_000)
      return page.evaluate(async () => {
        const caches = await Promise.all((await globalThis.caches.keys()).map(name => globalThis.caches.open(name)))
        const requests = (await Promise.all(caches.map(cache => cache.keys()))).flat()
        return requests
          .flatMap(({ url: address }) => /texts-([\w-]+-(?:first|soon|rest))-\w+\.js/.exec(address)?.[1] ?? [])
          .sort()
      })
    }
    await expect.poll(stored).toEqual(['fr-first', 'fr-rest', 'fr-soon'])
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('link', { name: PROJECTS })).toBeVisible()
    await page.getByRole('link', { name: PROJECTS }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(PROJECTS)
  })
})

test('English loads no texts; unsaved changes are not lost by another language, which is kept until the browser’s is chosen again', async ({
  page,
  url,
}) => {
  const asked = textFiles(page)
  await page.goto(`${url}/machines`)
  await expectState(page, 'puppet', 'Folding')
  await page.getByRole('link', { name: 'Projects' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Projects')
  expect(asked).toEqual([])
  expect(await rootOf(page)).toEqual(['en', 'ltr'])
  await page.goBack()
  await expectState(page, 'puppet', 'Folding')

  await chooseFromMenu(page, 'Actions for puppet', 'Settings')
  const cpus = page.getByRole('main').getByRole('slider', { name: 'CPUs' })
  await cpus.press('Home')
  await chooseFromHeader(page, 'Language', 'Français')
  const message = page.getByRole('dialog', { name: 'The language was chosen' })
  await expect(message).toContainText('would lose unsaved changes: Settings of puppet')
  await message.getByRole('button', { name: 'OK' }).click()
  await cpus.press('End')
  await page.reload()
  await expect(page.getByRole('link', { name: PROJECTS })).toBeVisible()
  await page.goto(`${url}/machines?locale=de`)
  expect(await rootOf(page)).toEqual(['de', 'ltr'])
  await page.goto(`${url}/machines`)
  await chooseFromHeader(page, inFrench('Language'), 'English')
  await expect(page.getByRole('link', { name: 'Projects' })).toBeVisible()
  await expect(page).toHaveURL(`${url}/machines`)
})
