import { attention, incident, open, troubled } from './attention-view.ts'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { clientData, groupConfig } from './scripted-client.ts'

test('incidents are counted in the header and the title, and are listed with what resolves them', async ({
  page,
  stopAfterTest,
}) => {
  const client = await open(page, stopAfterTest, troubled())
  await expect(attention(page)).toHaveAccessibleName('Attention: 3 incidents')
  await expect(page).toHaveTitle('(3) Machines · Foldboard')
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /^data:image\/svg/)
  await attention(page).press('Enter')
  await expect(incident(page, 'Impossible setting')).toContainText('The stored team is -3, which does not exist')
  expect(await violations(page)).toEqual([])
  const stopped = incident(page, 'Stopped after too many failures')
  await expect(stopped).toContainText('Group “oven”')
  await stopped.getByRole('button', { name: 'Fold' }).press('Enter')
  expect(await client.nextCommand()).toMatchObject({ cmd: expect.stringMatching(/state|wus/) })
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
