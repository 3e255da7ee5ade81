import type { Page } from '@playwright/test'
import { serveAlone } from '../../network/index.ts'
import { expect, test as base } from './fixtures.ts'
import { expectState } from './machines-view.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'

const units = [
  unitData(),
  unitData({ id: 'unit-2', number: 2, gpus: ['gpu:01:00:00'], cpus: 1, wu_progress: 0.805, ppd: 2_345_678 }),
  unitData({ id: 'unit-3', number: 3, state: 'DOWNLOAD', progress: 0.3, wu_progress: undefined, ppd: 0, eta: '' }),
  unitData({ id: 'unit-4', number: 4, pause_reason: 'Paused' }),
]

const gpus = { 'gpu:01:00:00': { type: 'nvidia', description: 'AD102 [GeForce RTX 4090]', supported: true } }

type Held = {
  /** Opens the screen; the app's script arrives only when `release` is called. */
  readonly open: (data: object, stored?: Readonly<Record<string, string>>) => Promise<void>
  readonly release: () => void
  /** The app’s script does not arrive. */
  readonly fail: () => void
}

const test = base.extend<{ readonly held: Held }>({
  held: async ({ page, stopAfterTest }, use) => {
    let settle = (_arrives: boolean): void => undefined
    const settled = new Promise<boolean>(resolve => {
      settle = resolve
    })
    await use({
      open: async (data, stored = {}) => {
        const client = stopAfterTest(await startScriptedClient(data))
        const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
        await page.route(`${dashboardUrl}/assets/index-*.js`, async route => {
          await ((await settled) ? route.continue() : route.abort())
        })
        await page.addInitScript(entries => {
          for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
        }, stored)
        await page.goto(`${dashboardUrl}/machines`, { waitUntil: 'commit' })
      },
      release: () => settle(true),
      fail: () => settle(false),
    })
  },
})

const SHOWN = [
  '.fleet-summary-figures td',
  '.fleet-summary-states li',
  '.column-header-heading',
  '.machine-header-name',
  '.machine-header-facts > span',
  '.machine-header-ppd',
  '.unit-row-row',
  '.unit-row-cell',
  '.unit-cell-text',
  '.progress-bar-fill',
  '.status-mark-word',
  '.unit-cell-estimate',
  '.unit-cell-gpu',
]

/** What is shown, with places in whole pixels. */
const picture = (page: Page) =>
  page.evaluate(
    selectors =>
      selectors.flatMap(selector =>
        [...document.querySelectorAll<HTMLElement>(`main ${selector}`)]
          .filter(element => element.checkVisibility())
          .map(element => {
            const { x, y, width, height } = element.getBoundingClientRect()
            const { color, fontStyle } = getComputedStyle(element)
            return { selector, text: element.innerText, place: [x, y, width, height].map(Math.round), color, fontStyle }
          }),
      ),
    SHOWN,
  )

/** Notes how many rows are shown, in the frames from the first that has some. */
const watchRows = () => {
  const seen: number[] = []
  const look = (): void => {
    const rows = document.querySelectorAll('.unit-row-row').length
    if ((rows > 0 || seen.length > 0) && seen.at(-1) !== rows) seen.push(rows)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  Object.assign(window, { rowsSeen: seen })
}

const preview = (page: Page) => page.locator('[data-preview]')

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 700, height: 800 },
  { width: 360, height: 740 },
])
  test(`${viewport.width} px wide, the only machine is shown before the script runs, as the script shows it`, async ({
    page,
    held,
  }) => {
    await page.setViewportSize(viewport)
    await page.addInitScript(watchRows)
    await held.open(
      clientData({
        info: { gpus },
        groups: { '': { config: groupConfig({ gpus: { 'gpu:01:00:00': { enabled: true } } }) } },
        units,
      }),
    )
    await expect(preview(page)).toContainText('18201')
    const before = await picture(page)
    expect(before.filter(({ selector }) => selector === '.unit-row-row').length).toBe(4)
    held.release()
    await expectState(page, 'puppet', 'Folding')
    await expect(preview(page)).toHaveCount(0)
    await expect(async () => expect(await picture(page)).toEqual(before)).toPass({ timeout: 3000 })
    expect(await page.evaluate('rowsSeen')).toEqual([4])
  })

test('what was shown of a machine goes when the app’s script does not arrive', async ({ page, held }) => {
  await held.open(clientData({ units }))
  await expect(preview(page)).toContainText('18201')
  held.fail()
  await expect(preview(page)).toHaveCount(0)
  await expect(page.getByRole('banner')).toBeVisible()
})

const others: readonly (readonly [string, object, Readonly<Record<string, string>>?])[] = [
  ['a machine with a notice', clientData({ units: [unitData({ pause_reason: 'Pausing on battery' })] })],
  [
    'a machine with several groups',
    clientData({ units, groups: { '': { config: groupConfig() }, more: { config: groupConfig() } } }),
  ],
  [
    'a user who has chosen a grid',
    clientData({ units }),
    { 'foldboard.preferences': '{"fleetView":{"layout":"grid"}}' },
  ],
  ['a user who may be signed in', clientData({ units }), { 'foldboard.session': 'sealed' }],
]

for (const [name, data, stored] of others)
  test(`${name} is shown by the script alone`, async ({ page, held }) => {
    await held.open(data, stored)
    await expect(page.getByRole('banner')).toBeVisible()
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 300)))
    await expect(preview(page)).toHaveCount(0)
    held.release()
    await expect(page.getByText('puppet', { exact: true }).first()).toBeVisible()
    await expect(preview(page)).toHaveCount(0)
  })
