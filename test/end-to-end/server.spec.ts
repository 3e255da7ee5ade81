import { violations } from './axe.ts'
import { chooseFromHeader, expectState, machineCalled, press } from './machines-view.ts'
import { commandsOf, expect, signIn, test } from './server-program.ts'

test('an operator sees and controls a machine through the server, and a viewer only sees it', async ({
  page,
  client,
  startServer,
}) => {
  const { url, program } = await startServer()
  await page.goto(`${url}/machines`)
  await expect(page).toHaveTitle('Sign in to Foldboard')
  expect(await violations(page)).toEqual([])
  await signIn(page, 'viewer')
  await expect(machineCalled(page, 'puppet')).toContainText('v8.5.7')
  await expectState(page, 'puppet', 'Folding')
  client.say(['units', 0, 'wu_progress', 0.5])
  await expect(machineCalled(page, 'puppet')).toContainText('50.0%')
  // Controls that a viewer may not use show the reason.
  const pause = page.getByRole('button', { name: 'Pause puppet' })
  await expect(pause).toHaveAttribute('aria-disabled', 'true')
  await pause.focus()
  await expect(page.getByRole('tooltip')).toContainText('viewers send no commands')
  expect(commandsOf(client)).toEqual([])
  await chooseFromHeader(page, 'signed in as viewer', 'Sign out of the server')
  await expect(page.getByText('You are not signed in to this server any more')).toBeVisible()
  // The pointer rests where the menu was, which may be on a button with a tooltip.
  await page.mouse.move(5, 600)
  await expect(page.locator('[data-overlay-container]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await signIn(page, 'operator')
  await press(page, 'Pause', 'puppet')
  await expect.poll(() => commandsOf(client)).toMatchObject([{ cmd: 'state', state: 'pause' }])
  client.say(['groups', '', 'config', 'paused', true], ['units', 0, 'pause_reason', 'Paused'])
  await expectState(page, 'puppet', 'Paused')
  await program.says(/"who":"operator".*"outcome":"confirmed"/)
  // Three pages later the machine still has one connection.
  expect(client.readers()).toBe(1)
  expect(await program.interrupt()).toBe(0)
})
