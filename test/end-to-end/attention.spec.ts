import type { Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'

/** A machine with a failed group, an impossible team, and a unit that missed its timeout. */
function troubled() {
  return clientData({
    config: { team: -3 },
    groups: {
      '': { config: groupConfig({ cpus: 4 }) },
      oven: {
        config: groupConfig({ cpus: 4, paused: true }),
        failed_wus: 5,
        lost_wus: 5,
        failed: 'Paused due too many failed Work Units.',
      },
    },
    units: [
      unitData({
        assignment: {
          project: 18_201,
          core: { type: '0xa9' },
          credit: 1000,
          deadline: 864_000,
          timeout: 600,
          time: new Date(Date.now() - 3_600_000).toISOString(),
        },
      }),
    ],
  })
}

function attention(page: Page) {
  return page.getByRole('banner').getByRole('link', { name: /^Attention/ })
}
function openIncidents(page: Page) {
  return page.getByRole('list', { name: 'Open incidents' }).getByRole('listitem')
}
function incident(page: Page, title: string) {
  return openIncidents(page).filter({ hasText: title })
}

async function open(page: Page, stop: <T extends { stop(): unknown }>(started: T) => T, data: object) {
  const client = stop(await startScriptedClient(data))
  const { dashboardUrl } = stop(await serveAlone({ port: 0, client: client.address }))
  await page.goto(`${dashboardUrl}/machines`)
  return client
}

test('incidents are counted in the header and the title, are acknowledged in all tabs, and lead to cause, log and remedy by keyboard [13.6]', async ({
  page,
  context,
  stopAfterTest,
  pageErrors,
}) => {
  const client = await open(page, stopAfterTest, troubled())
  await expect(attention(page)).toHaveAccessibleName('Attention: 3 incidents')
  await expect(page).toHaveTitle('(3) Machines · Foldboard')
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /^data:image\/svg/)
  await page.getByRole('main').getByRole('button', { name: '3 incidents' }).press('Enter')
  await expect(page.getByRole('main').getByRole('list', { name: 'Incidents' })).toContainText('The stored team is -3')
  await attention(page).press('Enter')
  await expect(incident(page, 'Stopped after too many failures')).toContainText('Group “oven”')
  await expect(incident(page, 'Impossible setting')).toContainText('The stored team is -3, which does not exist')
  expect(await violations(page)).toEqual([])

  const other = await context.newPage()
  await pageErrors.watch(other)
  await other.goto(page.url())
  await expect(openIncidents(other)).toHaveCount(3)
  await page.bringToFront()
  await incident(page, 'Impossible setting').getByRole('button', { name: 'Acknowledge' }).click()
  // The button is gone: a screen reader continues at the heading.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(other.getByRole('list', { name: 'Acknowledged and snoozed' })).toContainText('Impossible setting')
  await expect(attention(other)).toHaveAccessibleName('Attention: 2 incidents')
  await other.close()

  await page.getByRole('tab', { name: 'Incidents' }).press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'History' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('radio', { name: 'All', exact: true }).press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Grave' })).toBeChecked()
  await expect(openIncidents(page)).toHaveCount(1)
  await expect(page).toHaveURL(/show=grave/)
  await expect(incident(page, 'Stopped').getByRole('link', { name: 'Log' })).toHaveAttribute('href', /\/log\?q=.*&at=/)
  await incident(page, 'Stopped').getByRole('button', { name: 'Fold' }).press('Enter')
  await expect(incident(page, 'Stopped').getByText('resuming…')).toBeVisible()
  expect(await client.nextCommand()).toMatchObject({ cmd: expect.stringMatching(/state|wus/) })

  await incident(page, 'Stopped').getByRole('link', { name: 'Log' }).press('Enter')
  const time = (ago: number): string => new Date(Date.now() - ago * 60_000).toISOString().slice(11, 19)
  client.say([
    'log',
    [
      ...Array.from({ length: 400 }, (_, line) => `${time(30)}:I1:WU1:Completed ${line} out of 500 steps`),
      `${time(20)}:W :WU7:Core returned BAD_WORK_UNIT (114)`,
      ...Array.from({ length: 100 }, (_, line) => `${time(10)}:I1:WU1:Completed ${400 + line} out of 500 steps`),
    ],
  ])
  const marked = page.getByRole('log').locator('[aria-current]')
  await expect(marked).toContainText('WU7:Core returned BAD_WORK_UNIT')
  await expect(marked).toBeInViewport()
  await expect(page.getByRole('log')).toContainText('Completed 399 out of 500 steps')
  await expect(page.getByText(/^The computation failed: .*\(Core returned BAD_WORK_UNIT \(114\)\)$/)).toHaveAttribute(
    'role',
    'status',
  )
  expect(await violations(page)).toEqual([])
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a notification is the browser’s own, and a click on it leads to the incidents [11.4]', async ({
    page,
    context,
    stopAfterTest,
  }) => {
    await context.grantPermissions(['notifications'])
    await open(page, stopAfterTest, clientData({ groups: { '': { config: groupConfig() } } }))
    const permission = await page.evaluate(() => Notification.permission)
    test.skip(permission !== 'granted', 'This browser refuses every notification, as the headless shell does.')
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
    await attention(page).click()
    await page.getByRole('tab', { name: 'Rules and notifications' }).click()
    await page.getByRole('switch', { name: 'Notify me of incidents' }).click({ force: true })
    await page.getByRole('button', { name: 'Show one now' }).click()
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        return (await registration?.getNotifications())?.map(({ title, tag }) => [title, tag])
      })
    await expect.poll(shown).toEqual([['Foldboard can notify you', 'foldboard-trial']])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click()
    const [worker] = context.serviceWorkers()
    await worker?.evaluate(async () => {
      const scope = globalThis as unknown as {
        readonly registration: ServiceWorkerRegistration
        readonly dispatchEvent: (event: Event) => boolean
      }
      const [notification] = await scope.registration.getNotifications()
      const Click = (globalThis as unknown as Record<string, new (type: string, init: object) => Event>)[
        'NotificationEvent'
      ]
      if (notification !== undefined && Click !== undefined)
        scope.dispatchEvent(new Click('notificationclick', { notification }))
    })
    await expect(page).toHaveURL(/\/attention$/)
    expect(await shown()).toEqual([])
  })
})
