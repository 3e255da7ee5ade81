import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openServer } from '../../programs/host/server.ts'
import { createPages } from '../../programs/host/pages.ts'
import { machineSettingsOf } from '../end-to-end/machine-settings-view.ts'
import { badgesOf, expectState, machineCalled, press, unitsOf } from '../end-to-end/machines-view.ts'
import { grid } from '../end-to-end/work-units-view.ts'
import { startProgram } from '../program.ts'
import { expect, expectReport, finishOf, nameOf, pausedOf, sentBy, test, tick } from './fixtures.ts'
import { ask, askFor, sendCommand } from './client-report.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'dist')
/** Versions before 8.5 let themselves in by this name alone (docs/protocol.md §10). */
const OWN_PAGE = 'http://localhost:7396'

/** A host that serves the files of the dashboard and knows nothing of clients. */
async function serveFiles() {
  const { port, close } = await openServer({
    place: { what: 'the static host', port: 0, option: '' },
    ...createPages({ folder: DIST, settings: () => ({}) }),
  })
  return { origin: `http://localhost:${port}`, stop: close }
}

/** Folds, finishes and pauses on the page; the client confirms each command. */
async function expectObedience(page: Page): Promise<void> {
  const name = await nameOf()
  await expectState(page, name, 'Paused')
  await press(page, 'Fold', name)
  await expectState(page, name, 'Folding')
  await expectReport(pausedOf, false)
  // The units wait for assignment servers that never answer.
  await expect(unitsOf(page, name)).toHaveCount(1)
  await expectReport(({ units }) => units.map(({ state }) => state), ['ASSIGN'])
  await press(page, 'Finish', name)
  await expectState(page, name, 'Finishing')
  await expectReport(finishOf, true)
  await press(page, 'Pause', name)
  await expectState(page, name, 'Paused')
  await expectReport(report => [pausedOf(report), finishOf(report)], [true, false])
  await expect(unitsOf(page, name)).toHaveCount(0)
  await expectReport(({ units }) => units, [])
}

test.describe('a page reaches the client', () => {
  test('from an origin that the client allows', async ({ page, startClient, stopAfterTest }) => {
    const { origin } = stopAfterTest(await serveFiles())
    await startClient(['--allowed-origins', origin])
    await page.goto(`${origin}/machines`)
    await expectObedience(page)
  })

  test('from no other origin', async ({ page, startClient, stopAfterTest, pageErrors }) => {
    pageErrors.expect(/Error during WebSocket handshake/)
    const { origin } = stopAfterTest(await serveFiles())
    await startClient(['--allowed-origins', 'http://localhost:1'])
    const refused = new Promise(resolve => page.on('websocket', socket => socket.on('socketerror', resolve)))
    await page.goto(`${origin}/machines`)
    await refused
    await expect(page.getByRole('heading', { name: 'No machines found' })).toBeVisible()
  })

  test('when the client itself serves it', async ({ page, startClient }) => {
    await startClient(['--web-root', DIST])
    await page.goto(`${OWN_PAGE}/machines`)
    await expectObedience(page)
    await page.reload()
    await expectState(page, await nameOf(), 'Paused')
  })

  test('when the dashboard’s own program passes it through', async ({ page, startClient, stopAfterTest }) => {
    const { address } = await startClient()
    const words = ['scripts/start.mjs', '--no-network', '--port', '0', '--client', `${address.host}:${address.port}`]
    const program = stopAfterTest(startProgram(process.execPath, words, { cwd: ROOT }))
    await program.says(/Local client: the one at 127\.0\.0\.1:7396/)
    const [, dashboard = ''] = await program.says(/Foldboard\s+(http:\/\/localhost:\d+)/)
    await page.goto(`${dashboard}/machines`)
    await expectObedience(page)
  })
})

test.describe('beside the client', () => {
  test.beforeEach(async ({ startClient, page }) => {
    await startClient(['--web-root', DIST])
    await page.goto(`${OWN_PAGE}/machines`)
    await expectState(page, await nameOf(), 'Paused')
  })

  test('commands that are pressed quickly are sent in seconds of their own, and the last one counts', async ({
    page,
  }) => {
    const name = await nameOf()
    const sent = sentBy(page)
    await page.reload()
    await expectState(page, name, 'Paused')
    for (const word of ['Fold', 'Pause', 'Fold', 'Finish'] as const) await press(page, word, name)
    await expectState(page, name, 'Finishing')
    await expectReport(report => [pausedOf(report), finishOf(report)], [false, true])
    const times = sent
      .filter(text => text.includes('"state"'))
      .map(text => (JSON.parse(text) as { readonly time: string }).time.slice(0, 19))
    expect(times.length).toBeGreaterThan(0)
    expect(new Set(times).size).toBe(times.length)
    await expect(machineCalled(page, name)).not.toContainText('ignored')
  })

  test('groups may have any name, and each setting arrives as it was meant', async ({ page }) => {
    const names = [
      'my-gpu',
      'two words',
      'a/b',
      'a.b',
      "it's",
      '"quoted"',
      '<b>bold</b>',
      '&amp;',
      'Größe',
      '夜',
      '🧬 night',
      '[0]',
      '-1',
      'toString',
      'n'.repeat(90),
    ]
    const view = machineSettingsOf(page)
    await page.goto(`${OWN_PAGE}/__direct__/settings`)
    await view.unlock()
    for (const name of names) await view.addGroup(name)
    await tick(page, 'Beta Projects')
    await page.getByRole('tab', { name: 'Default', exact: true }).click()
    await view.setCpus(0)
    await view.save()
    await view.expectSaved()
    const report = await ask()
    expect([...report.groups.keys()].sort()).toEqual(['', ...names].sort())
    expect(report.groups.get('')?.['cpus']).toBe(0)
    expect([...report.groups].filter(([, config]) => config['beta'] === true).map(([name]) => name)).toEqual([
      'n'.repeat(90),
    ])

    await page.reload()
    await expect(page.getByRole('tab')).toHaveCount(names.length + 1)
    // A tab shows the beginning of a long name.
    for (const name of names.slice(1, -1)) await view.deleteGroup(name)
    await view.save()
    await view.expectSaved()
    await expectReport(({ groups }) => [...groups.keys()].sort(), ['', 'my-gpu', 'n'.repeat(90)])

    // A command to a group uses its exact name.
    await page.goto(`${OWN_PAGE}/machines`)
    const group = `my-gpu on ${await nameOf()}`
    await press(page, 'Fold', group)
    await expectState(page, group, 'Folding')
    await expectReport(
      ({ groups }) => [...groups].map(([name, { paused }]) => [name, paused]).sort(),
      [
        ['', true],
        ['my-gpu', false],
        ['n'.repeat(90), true],
      ],
    )
  })

  test('whom it folds for is what was typed', async ({ page, pageErrors }) => {
    // The header asks who the team is.
    pageErrors.expect(/status of 404/)
    const view = machineSettingsOf(page)
    await page.goto(`${OWN_PAGE}/__direct__/settings`)
    const passkey = '0123456789abcdef0123456789abcdef'
    await page.getByRole('textbox', { name: 'User name' }).fill('Zoë 夜')
    await page.getByRole('textbox', { name: 'Team' }).fill('42')
    await page.getByLabel('Passkey', { exact: true }).fill(passkey)
    await tick(page, 'Only When Idle')
    await view.save()
    await view.expectSaved()
    await expectReport(({ config }) => config, { user: 'Zoë 夜', team: 42, passkey, cause: 'any' })
    await expectReport(({ groups }) => groups.get('')?.['on_idle'], true)
  })

  test('what another program changes meanwhile is shown, and a save keeps it', async ({ page }) => {
    const view = machineSettingsOf(page)
    await page.goto(`${OWN_PAGE}/__direct__/settings`)
    await view.unlock()
    await tick(page, 'Beta Projects')
    await sendCommand(
      { cmd: 'config', config: { user: 'elsewhere', groups: { '': {}, 'made elsewhere': { cpus: 1 } } } },
      ({ groups, config }) => groups.has('made elsewhere') && config['user'] === 'elsewhere',
    )
    await expect(page.getByRole('tab', { name: 'made elsewhere' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'User name' })).toHaveValue('elsewhere')
    await view.save()
    await view.expectSaved()
    const report = await ask()
    expect(report.config['user']).toBe('elsewhere')
    expect(report.groups.get('')?.['beta']).toBe(true)
    expect(report.groups.get('made elsewhere')?.['cpus']).toBe(1)
  })

  test('its log is shown line by line, and its history as it tells it', async ({ page }) => {
    const name = await nameOf()
    await press(page, 'Fold', name)
    await expect(unitsOf(page, name)).toHaveCount(1)
    await press(page, 'Pause', name)
    await expectReport(({ units }) => units, [])
    const ended = await askFor('wus')
    expect(ended).toHaveLength(1)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Work Units' }).click()
    const row = grid(page).getByRole('row').nth(1)
    await expect(row.getByRole('cell', { name: 'Aborted' })).toBeVisible()
    await expect(row).toContainText(name)

    // The client also writes a line for each file that it serves.
    await page.goto(`${OWN_PAGE}/__direct__/log?q=Machine state`)
    const shown = page
      .getByRole('log', { name: `Log of ${name}` })
      .locator('[data-line]:not([data-offscreen])')
      .filter({ hasText: 'Machine state' })
    const report = (await askFor('log')).map(String).filter(line => line.includes('Machine state'))
    expect(report).toHaveLength(2)
    await expect(shown).toHaveCount(report.length)
    for (const [index, line] of report.entries())
      await expect(shown.nth(index)).toContainText(line.slice(line.indexOf('Machine state')))
  })
})

test('a client that is shut down, restarted or killed is out of reach, and then obeys again', async ({
  page,
  startClient,
  stopAfterTest,
}) => {
  const { origin } = stopAfterTest(await serveFiles())
  const client = await startClient(['--allowed-origins', origin])
  await page.goto(`${origin}/machines`)
  const name = await nameOf()
  for (const end of [client.shutDown, client.kill]) {
    await press(page, 'Fold', name)
    await expectState(page, name, 'Folding')
    await expectReport(pausedOf, false)
    await end()
    await expect(badgesOf(page, name).filter({ hasText: 'Disconnected' })).toBeVisible()
    await client.start()
    await expect(badgesOf(page, name).filter({ hasText: 'Disconnected' })).toHaveCount(0)
    await expectState(page, name, (await ask()).groups.get('')?.['paused'] === true ? 'Paused' : 'Folding')
    await press(page, 'Pause', name)
    await expectState(page, name, 'Paused')
    await expectReport(pausedOf, true)
  }
})
