import { serveAlone } from '../../programs/network/index.ts'
import { violations } from './axe.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { chooseFromHeader, chooseFromMenu, controlsOf, expectState, press } from './machines-view.ts'
import { expect, test } from './fixtures.ts'

const DIALOG = '[role=dialog], [role=alertdialog]'
const MENU = '[role=menu]'

// src/ui/styles/tokens.test.ts computes the contrasts of both themes.
test.describe('in the light theme', () => {
  test.use({ viewport: { width: 1280, height: 2600 } })

  test('axe finds no violation in dialogs and menus', async ({ page, startTestNetwork }) => {
    const { dashboardUrl } = await startTestNetwork({ machines: 0 })
    await page.goto(dashboardUrl)
    const name = 'this-computer'
    await press(page, 'Pause', name)
    await expectState(page, name, 'Paused')
    const openings: Readonly<Record<string, () => Promise<void>>> = {
      'the login dialog': () => page.getByRole('banner').getByRole('button', { name: 'Login' }).click(),
      'the connect dialog': () => chooseFromHeader(page, 'Connect to a client'),
      'the list of shortcuts': () => chooseFromHeader(page, 'Keyboard shortcuts'),
      'the pause dialog': () => chooseFromMenu(page, `Actions for ${name}`, 'Pause, resume or finish…'),
      'the question before a dump': () => chooseFromMenu(page, /^Actions for unit \d+, project 18615$/, 'Dump…'),
    }
    for (const [what, open] of Object.entries(openings)) {
      await open()
      await expect(page.locator(DIALOG)).toBeVisible()
      expect(await violations(page, { within: DIALOG }), what).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.locator(DIALOG)).toHaveCount(0)
    }
    for (const menu of ['Menu', /^Order of machines/, `Actions for ${name}`, /^Actions for unit \d+, project 18615$/]) {
      await page.getByRole('button', { name: menu }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      expect(await violations(page, { within: MENU }), `the menu ${String(menu)}`).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
    }
    await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('dialog')).toContainText('A valid email address is required')
    expect(await violations(page, { within: DIALOG }), 'the login dialog with validation errors').toEqual([])
  })
})

test('the focus stays on the screen, and a name or a state is announced once [13.12]', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl, account } = await startTestNetwork({ machines: 1 })
  await page.goto(dashboardUrl)
  const name = 'this-computer'
  await expectState(page, name, 'Folding')
  const pause = page.getByRole('button', { name: `Pause ${name}`, exact: true })
  await pause.focus()
  await expect(page.getByRole('tooltip')).toHaveText('Pause: stop now and keep progress')
  await expect(pause).toHaveAccessibleDescription('Pause: stop now and keep progress')
  await page.getByRole('button', { name: `Fold ${name}`, exact: true }).focus()
  await expect(page.getByRole('tooltip')).toHaveText('Fold')
  await expect(page.getByRole('button', { name: `Fold ${name}`, exact: true })).toHaveAccessibleDescription('')
  const state = controlsOf(page, name).getByRole('status')
  await expect(state).toHaveAttribute('aria-live', 'off')
  await pause.press('Enter')
  await expect(state).toHaveAttribute('aria-live', 'polite')
  await expect(state).toHaveText('Paused')

  const login = page.getByRole('banner').getByRole('button', { name: 'Login' })
  await login.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(login).toBeFocused()
  await login.press('Enter')
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Passphrase' }).fill(account.passphrase)
  await page.keyboard.press('Enter')
  const linked = page.getByRole('dialog', { name: 'Auto-linking client' })
  await expect(linked).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(linked).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true })

  test('the menu is within reach of the thumb, dialogs fit, no violation is found, the unit table has its three columns, and what is wrong can be read by tapping [13.11]', async ({
    page,
    stopAfterTest,
  }) => {
    const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
    const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    await page.goto(`${dashboardUrl}/machines`)
    await expect(page.getByRole('table', { name: 'puppet' }).getByRole('columnheader')).toHaveText([
      'Project',
      'Status',
      'Progress',
      'Actions',
    ])
    await expectState(page, 'puppet', 'Folding')
    const menu = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
    expect(Math.round((menu?.y ?? 0) + (menu?.height ?? 0))).toBe(640)
    expect(await violations(page)).toEqual([])
    for (const open of [
      () => page.getByRole('banner').getByRole('button', { name: 'Login' }).tap(),
      () => chooseFromHeader(page, 'Connect to a client'),
    ]) {
      await open()
      const box = await page.getByRole('dialog').boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
      expect(await violations(page, { within: DIALOG })).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).tap()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await page.getByRole('button', { name: 'Pause puppet', exact: true }).tap()
    expect(await client.nextCommand()).toMatchObject({ cmd: 'state', state: 'pause' })
    client.drop()
    client.stop()
    // A tooltip closes when the page scrolls, which the change of the panel's height can cause.
    await expect(async () => {
      await page.getByRole('button', { name: 'Disconnected', exact: true }).tap()
      await expect(page.getByRole('tooltip')).toContainText('It reconnects automatically.', { timeout: 2000 })
    }).toPass()
  })
})
