import { violations } from './axe.ts'
import { chooseFromHeader, expectState, machineCalled, press } from './machines-view.ts'
import { choose, events, KEYS, openTab, panel, rowOf, stateIn } from './inspector-view.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './fixtures.ts'

test('the inspector opens by its keys and from the menu, and shows a client’s states as they change; contexts are searched and copied, and no secret is anywhere', async ({
  page,
  startTestNetwork,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { dashboardUrl, direct, account } = await startTestNetwork({ machines: 0 })
  await page.goto(`${dashboardUrl}/machines`)
  await expectState(page, 'this-computer', 'Folding')
  await page.keyboard.press(KEYS)
  await expect(rowOf(page, 'Actors', /^fleet$/)).toBeVisible()
  await page.keyboard.press(KEYS)
  await expect(panel(page)).toHaveCount(0)
  await chooseFromHeader(page, 'Inspector')
  await choose(page, '__direct__', /\(__direct__\) link\.reaching\.live/)
  const live = stateIn(page, 'client.link.reaching.live')
  await expect(live).toHaveAttribute('data-lit')
  await expect(stateIn(page, 'client.link.waiting')).not.toHaveAttribute('data-lit')
  expect(await violations(page)).toEqual([])
  await direct.stop()
  await expect(stateIn(page, 'client.link.waiting')).toHaveAttribute('data-lit')
  await expect(live).not.toHaveAttribute('data-lit')
  await expect(panel(page).locator('[data-part=arrow][data-lit]').first()).toBeAttached()
  await direct.start()
  await expect(live).toHaveAttribute('data-lit')
  await page.keyboard.press(KEYS)
  await expect(panel(page)).toHaveCount(0)

  await signIn(page, account)
  await page.keyboard.press(KEYS)
  await page.getByRole('banner').getByRole('link', { name: 'Account of Demo_Donor' }).click()
  const [passkey, token] = [
    page.getByLabel('Passkey', { exact: true }),
    page.getByLabel('Account token', { exact: true }),
  ]
  await expect(passkey).not.toHaveValue('')
  const secrets = [await passkey.inputValue(), await token.inputValue()]
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(10)

  await choose(page, 'account', /^account /)
  await openTab(page, 'Context')
  const find = panel(page).getByRole('searchbox', { name: 'Find in the context' })
  await find.fill('user')
  const user = rowOf(page, 'Context', /^user “Demo_Donor”/).first()
  await user.getByRole('button', { name: 'Copy user' }).click()
  await expect(panel(page).getByText('user copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Demo_Donor')
  for (const [name, secret] of [
    ['passkey', secrets[0]],
    ['token', secrets[1]],
  ] as const) {
    await find.fill(name)
    await expect(rowOf(page, 'Context', new RegExp(`^${name} “••••••••”`)).first()).toBeVisible()
    await find.fill(secret ?? '')
    await expect(panel(page).getByText('No matches.')).toBeVisible()
    await find.fill('')
    expect(await panel(page).innerHTML()).not.toContain(secret)
  }
})

test('the panel is moved and sized by the keyboard, and leaves the page its room', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(`${dashboardUrl}/machines`)
  await expectState(page, 'this-computer', 'Folding')
  await page.keyboard.press(KEYS)
  const handle = panel(page).getByRole('separator')
  await handle.focus()
  const height = Number(await handle.getAttribute('aria-valuenow'))
  await page.keyboard.press('ArrowUp')
  await expect(handle).toHaveAttribute('aria-valuenow', String(height + 24))
  await panel(page).getByRole('button', { name: 'Dock at the side' }).click()
  await expect(panel(page)).toHaveAttribute('data-dock', 'side')
  const [machine, box] = [await machineCalled(page, 'this-computer').boundingBox(), await panel(page).boundingBox()]
  expect((machine?.x ?? 0) + (machine?.width ?? Infinity)).toBeLessThanOrEqual(box?.x ?? 0)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(panel(page)).toHaveAttribute('data-dock', 'sheet')
  expect((await panel(page).boundingBox())?.width).toBeLessThanOrEqual(360)
  expect(await panel(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  expect(await violations(page)).toEqual([])
})

test('the panel goes into a window of its own, works there by keys, and comes back when that is closed', async ({
  page,
  startTestNetwork,
  pageErrors,
}) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${dashboardUrl}/machines`)
  await expectState(page, 'this-computer', 'Folding')
  await page.keyboard.press(KEYS)
  await page.evaluate(() => {
    const open = window.open.bind(window)
    window.open = () => {
      window.open = open
      return null
    }
  })
  const opener = panel(page).getByRole('button', { name: 'Open in a window' })
  await opener.click()
  await expect(panel(page).getByRole('alert')).toContainText('The browser blocked the window.')
  const opening = page.waitForEvent('popup')
  await opener.press('Enter')
  const popup = await opening
  await pageErrors.watch(popup)
  await expect(panel(page)).toHaveCount(0)
  const actors = popup.getByRole('treegrid', { name: 'Actors' })
  await popup.getByRole('searchbox', { name: 'Find actors' }).fill('__direct__')
  await expect(actors.getByRole('row', { name: /this-computer \(__direct__\) link\.reaching\.live/ })).toBeVisible()
  await popup.keyboard.press('Tab')
  for (let row = 0; row < 2; row++) await popup.keyboard.press('ArrowDown')
  await popup.keyboard.press('Enter')
  await expect(popup.locator('[data-state="client.link.reaching.live"]')).toHaveAttribute('data-lit')
  await popup.getByRole('tab', { name: 'Context' }).click()
  await popup.getByRole('searchbox', { name: 'Find in the context' }).fill('hostname')
  await expect(
    popup
      .getByRole('treegrid', { name: 'Context' })
      .getByRole('row', { name: /^hostname “/ })
      .first(),
  ).toBeVisible()
  await popup.getByRole('tab', { name: 'Send' }).click()
  await popup.getByRole('button', { name: /Event/ }).click()
  await popup.getByRole('option', { name: 'client.setState', exact: true }).click()
  await popup.getByRole('textbox', { name: 'Payload, as JSON' }).fill('{"state": "pause"}')
  await popup.getByRole('button', { name: 'Send', exact: true }).click()
  await expectState(page, 'this-computer', 'Paused')
  expect(await violations(popup)).toEqual([])
  await popup.close()
  await expect(opener).toBeFocused()
  const again = page.waitForEvent('popup')
  await opener.press('Enter')
  const second = await again
  await expect(second.getByRole('heading', { name: 'Inspector' })).toBeVisible()
  const closed = second.waitForEvent('close')
  // The window is gone before the keys are let go.
  await second.keyboard.press(KEYS).catch(() => undefined)
  await closed
  await expect(panel(page)).toHaveCount(0)
  await page.keyboard.press(KEYS)
  const last = page.waitForEvent('popup')
  await opener.press('Enter')
  const ended = (await last).waitForEvent('close')
  await page.reload()
  await ended
})

test('events are listed as they arrive, filtered, and paused', async ({ page, startTestNetwork }) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${dashboardUrl}/machines`)
  await expectState(page, 'this-computer', 'Folding')
  await page.keyboard.press(KEYS)
  await openTab(page, 'Events')
  const filter = panel(page).getByRole('searchbox', { name: 'Filter events' })
  const nothingFits = panel(page).getByText('No events match.')
  await filter.fill('client.setState')
  await expect(nothingFits).toBeVisible()
  await press(page, 'Finish', 'this-computer')
  await expect(events(page)).toHaveText([/^client\.setState.*outside → fleet\/__direct__/])
  await expectState(page, 'this-computer', 'Finishing')
  await panel(page).getByRole('button', { name: 'Pause', exact: true }).click()
  await press(page, 'Pause', 'this-computer')
  await expectState(page, 'this-computer', 'Paused')
  await expect(panel(page).getByText(/^Paused; \d+ new$/)).toBeVisible()
  await expect(events(page)).toHaveCount(1)
  await panel(page).getByRole('button', { name: 'Resume' }).click()
  await expect(events(page)).toHaveCount(2)
  await events(page).last().click()
  await expect(rowOf(page, 'client.setState', /^type “client\.setState”/)).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('a state offers the events that it accepts, and a recording none', async ({ page, startTestNetwork }) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(`${dashboardUrl}/machines`)
  await expectState(page, 'this-computer', 'Folding')
  await page.keyboard.press(KEYS)
  await choose(page, '__direct__', /\(__direct__\) /)
  await openTab(page, 'Send')
  const send = panel(page).getByRole('button', { name: 'Send', exact: true })
  const payload = panel(page).getByRole('textbox', { name: 'Payload, as JSON' })
  await panel(page).getByRole('button', { name: /Event/ }).click()
  await page.getByRole('option', { name: 'client.setState', exact: true }).click()
  await payload.fill('{"group": ')
  await expect(panel(page).getByText('This is not JSON', { exact: false })).toBeVisible()
  await expect(send).toHaveAttribute('aria-disabled', 'true')
  await payload.fill('{"state": "pause"}')
  // Of what the pointer rests on, a tooltip would open meanwhile.
  await page.mouse.move(0, 0)
  expect(await violations(page)).toEqual([])
  await send.click()
  await expect(panel(page).getByText('Sent: client.setState')).toBeVisible()
  await expectState(page, 'this-computer', 'Paused')
  await chooseFromHeader(page, 'Recordings', 'Replay this session')
  await expect(page.getByRole('region', { name: 'Recording', exact: true })).toBeVisible()
  await openTab(page, 'Send')
  await expect(send).toHaveAttribute('aria-disabled', 'true')
})
