import { violations } from './axe.ts'
import { layoutFaults } from './layout-faults.ts'
import { chooseFromMenu, machineCalled } from './machines-view.ts'
import { commandsOf, expect, signIn, test } from './server-program.ts'

test('pages have tags and views in common: an operator changes them, a viewer sees them at once', async ({
  page,
  browser,
  startServer,
}) => {
  const { url } = await startServer()
  // What this browser kept before is given to the server.
  await page.goto(url)
  await page.evaluate(() =>
    localStorage.setItem('foldboard.views', '{"views":[{"name":"Mine","params":{"sort":"-ppd"}}]}'),
  )
  await signIn(page, 'operator')
  await expect(machineCalled(page, 'puppet')).toBeVisible()
  const viewers = await browser.newContext()
  const other = await viewers.newPage()
  await other.goto(url)
  await signIn(other, 'viewer')
  await expect(machineCalled(other, 'puppet')).toBeVisible()

  await page.getByRole('button', { name: 'Actions for puppet' }).click()
  await page.getByRole('menuitem', { name: 'Tags…' }).click()
  await page.getByLabel('New tag').fill('attic')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Tags of puppet' })).toContainText('attic')
  expect(await violations(page)).toEqual([])
  await expect(other.getByRole('link', { name: 'attic' })).toBeVisible()

  await other.getByRole('button', { name: 'Actions for puppet' }).click()
  await other.getByRole('menuitem', { name: 'Tags…' }).click()
  await expect(other.getByText('viewers do not change its tags and views')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Remove attic' })).toHaveAttribute('aria-disabled', 'true')
  expect(await violations(other)).toEqual([])
  const response = await page.request.get(`${url}/api/server/shared`)
  expect(await response.json()).toMatchObject({ views: { views: [{ name: 'Mine', params: { sort: '-ppd' } }] } })
  // Neither page shows a tag that the other one removed.
  await page.getByRole('button', { name: 'Remove attic' }).click()
  await expect(other.getByText('No tags yet.')).toBeVisible()
  await other.keyboard.press('Escape')
  await other.setViewportSize({ width: 360, height: 800 })
  await expect(machineCalled(other, 'puppet')).toBeVisible()
  await expect.poll(() => layoutFaults(other)).toEqual([])
  await viewers.close()
})

test('a first schedule is two presses and a choice of machines; its band is dragged, moved by keys and taken back before it is saved', async ({
  page,
  startServer,
}) => {
  const { url } = await startServer()
  await page.goto(`${url}/schedules`)
  await signIn(page, 'administrator')
  await page.getByRole('button', { name: 'Nights' }).click()
  const form = page.getByRole('region', { name: 'New schedule' })
  await expect(form.getByRole('status')).toHaveText('Otherwise: Pause.')
  await expect(form.getByRole('button', { name: 'Save schedule' })).toHaveAttribute('aria-disabled', 'true')
  await form.getByRole('checkbox', { name: 'All machines' }).check({ force: true })
  // Whatever the hour is, it is said what happens to the machine.
  await expect(form.getByRole('list', { name: 'What happens to each machine' })).toContainText('puppet')
  await form.getByRole('button', { name: 'Add a time to be idle by' }).click()
  await expect(form.getByRole('checkbox', { name: 'Before it begins, take no new work' })).toBeChecked()
  await form.getByRole('button', { name: 'Remove rule 2' }).click()
  await form.getByRole('button', { name: 'Save schedule' }).click()
  const draft = page.getByRole('group', { name: 'Unsaved changes' })
  const expectTimes = (times: string) => expect(draft.getByRole('status')).toContainText(`Every day ${times}`)
  await expect(page.getByText('Fold: Every day 10:00 PM–6:00 AM', { exact: true })).toBeVisible()

  const band = page.getByRole('button', { name: /^Fold: Schedule “Nights”/ }).nth(2)
  const { x, y, width } = (await band.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  const hour = width / 8
  await page.mouse.move(x + width / 2, y + 16)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 - 2.5 * hour, y + 20, { steps: 4 })
  await page.mouse.up()
  await expectTimes('7:30 PM–3:30 AM')
  await page.mouse.move(x - 2.5 * hour + width - 2, y + 16)
  await page.mouse.down()
  await page.mouse.move(x - 1.5 * hour + width - 2, y + 16, { steps: 4 })
  await page.mouse.up()
  await expectTimes('7:30 PM–4:30 AM')
  await draft.getByRole('button', { name: 'Undo' }).click()
  await expectTimes('7:30 PM–3:30 AM')

  await page
    .getByRole('button', { name: /^Fold: Schedule “Nights”/ })
    .first()
    .focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await expectTimes('7:45 PM–3:30 AM')
  expect(await violations(page)).toEqual([])
  await draft.getByRole('button', { name: 'Save schedule' }).click()
  await expect(page.getByText('Fold: Every day 7:45 PM–3:30 AM', { exact: true })).toBeVisible()
  await expect(draft).toHaveCount(0)

  await page
    .getByRole('button', { name: /^Fold: Schedule “Nights”/ })
    .first()
    .press('Enter')
  await expect(page.getByRole('region', { name: 'Edit Nights' }).getByRole('textbox', { name: 'Name' })).toHaveValue(
    'Nights',
  )
})

test('an administrator makes a schedule, overrides it for two hours, reads why, and tries a channel', async ({
  page,
  client,
  startServer,
}) => {
  const { url } = await startServer(
    '[[channels]]\nname = "hook"\nkind = "webhook"\nurl = "http://127.0.0.1:9/"\n[[alerts]]\nname = "ana"\nchannels = ["hook"]\n',
  )
  await page.goto(`${url}/schedules`)
  await signIn(page, 'administrator')
  await expect(page.getByText('If it stops, machines keep the state that they have.')).toBeVisible()
  await page.getByRole('button', { name: 'New schedule' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Quiet')
  await page.getByRole('checkbox', { name: 'All machines' }).check({ force: true })
  await page.getByRole('button', { name: 'Add weekly times' }).click()
  await page.getByRole('button', { name: 'Remove rule 1' }).click()
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect.poll(() => commandsOf(client)).toMatchObject([{ cmd: 'state', state: 'pause' }])
  client.say(['groups', '', 'config', 'paused', true], ['units', 0, 'pause_reason', 'Paused'])
  const week = page.getByRole('region', { name: 'Next seven days', exact: true })
  await expect(week).toContainText('Schedule “Quiet”: no rule applies')
  await expect(page.getByRole('img', { name: /, Monday: Pause/ })).toBeVisible()
  expect(await violations(page)).toEqual([])

  const forATime = (entry: string): Promise<void> =>
    chooseFromMenu(page, /^Pause, fold or finish .+ for a time$/, entry)
  await forATime('Fold for 2 hours')
  await expect.poll(() => commandsOf(client)).toMatchObject([{ state: 'pause' }, { state: 'fold' }])
  client.say(['groups', '', 'config', 'paused', false])
  await expect(week).toContainText(/Fold until .*, by administrator/)
  await forATime('Follow schedules again')
  await expect.poll(() => commandsOf(client)).toMatchObject([{ state: 'pause' }, { state: 'fold' }, { state: 'pause' }])
  // The details of the machine say the same.
  await page.goto(`${url}/machines`)
  await expect(machineCalled(page, 'puppet')).toContainText('Schedule “Quiet”: no rule applies')

  await page.goto(`${url}/attention?tab=alerts`)
  await expect(page.getByRole('heading', { name: 'Who is told of what' })).toBeVisible()
  await page.getByRole('button', { name: 'Send a test by hook' }).click()
  await expect(page.getByText('The test could not be sent: hook cannot be reached')).toBeVisible()
  await expect(page.getByText('Test failed')).toBeVisible()
  // The settings have no channel for browsers.
  await expect(page.getByRole('switch', { name: 'Show alerts of the server in this browser' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
})
