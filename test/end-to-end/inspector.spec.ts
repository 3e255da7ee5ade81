import { violations } from './axe.ts'
import { chooseFromHeader, expectState } from './machines-view.ts'
import { choose, KEYS, openTab, panel, rowOf, stateIn } from './inspector-view.ts'
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
