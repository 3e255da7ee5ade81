import { serveAlone } from '../../network/index.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { badgesOf, expectState, expectStates, expectUnits, press } from './machines-view.ts'
import { hideLocalClient, moveClock, showColumns } from './page-state.ts'
import { expect, test } from './signed-in.ts'
import { signIn, submitLogin } from './sign-in.ts'

const MINUTE = 60_000

const wrongClocks = [{ minutes: 45, words: /clock is (?:45m \d|44m 5\d)s ahead/ }]

for (const { minutes, words } of wrongClocks)
  test(`with a clock that is ${minutes} minutes off, the page reports it, and commands still work`, async ({
    page,
    enter,
  }) => {
    await moveClock(page, minutes * MINUTE)
    await enter({ machines: 1 })
    await expect(page.getByRole('main')).toContainText(words)
    await expectState(page, 'atlas', 'Folding')
    await press(page, 'Pause', 'atlas')
    await expectState(page, 'atlas', 'Paused')
    await press(page, 'Fold', 'atlas')
    await expectState(page, 'atlas', 'Folding')
  })

test('a client on this computer is linked by itself when its user signs in, and a message tells so', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl, account, relay } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  await expectState(page, 'this-computer', 'Folding')
  const notice = page.getByRole('dialog', { name: 'Auto-linking client' })
  await submitLogin(page, account)
  await expect(notice).toContainText('The local machine has been automatically linked to your account.')
  await expect(notice).toContainText('Its configuration will remain synchronized with the account.')
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect.poll(() => relay.clientCount()).toBe(1)
  await expect(badgesOf(page, 'this-computer')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['this-computer'])
})

test('a page without access to cryptography reports why signing in is impossible, and shows a direct client all the same', async ({
  page,
  startTestNetwork,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'isSecureContext', { value: false })
    Object.defineProperty(crypto, 'subtle', { value: undefined })
  })
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  await expect(page.getByRole('main')).toContainText('You cannot sign in here')
  await expectStates(page, ['2 running'])
})

test('a column of a newer dashboard stands where it was put, with what units say of it', async ({
  page,
  stopAfterTest,
}) => {
  const second = unitData({ id: 'two', number: 2, warp_factor: 9.5 })
  const units = [unitData({ warp_factor: 'nine' }), second, unitData({ id: 'three', number: 3 })]
  const client = stopAfterTest(await startScriptedClient(clientData({ units })))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  await showColumns(page, ['Project', 'Warp Factor', 'Number', '__proto__'])
  await page.goto(`${dashboardUrl}/machines`)
  await expectUnits(page, 'puppet', [
    ['18201', 'nine', '1', '???', ''],
    ['18201', '9.5', '2', '???', ''],
    ['18201', '???', '3', '???', ''],
  ])
  const headings = page.getByRole('table', { name: 'puppet' }).getByRole('columnheader')
  await expect(headings).toHaveText(['Project', 'Warp Factor', 'Number', '__proto__', 'Actions'])
})

test('the dashboard is the same under the other name of this computer', async ({ page, startTestNetwork }) => {
  const { dashboardUrl, account } = await startTestNetwork({ machines: 0 })
  await hideLocalClient(page)
  await page.goto(dashboardUrl.replace('localhost', '127.0.0.1'))
  await signIn(page, account)
  await expect(page.getByRole('link', { name: 'Account of Demo_Donor' })).toBeVisible()
})
