import { join } from 'node:path'
import { chooseFromMenu, machineCalled } from '../end-to-end/machines-view.ts'
import { sendCommand } from './client-report.ts'
import { expect, expectReport, nameOf, pausedOf, test } from './fixtures.ts'
import { REAL_CLIENT } from './real-client.ts'
import { trust } from './real-node.ts'
import { createWorkAuthority } from './work-authority.ts'
import { startWorkServers } from './work-servers.ts'

const DIST = join(import.meta.dirname, '../../dist')

test('CPUs that are paused by themselves hold their unit, and fold again with it', async ({
  page,
  startClient,
  stopAfterTest,
  keepPrinted,
}) => {
  const authority = stopAfterTest(createWorkAuthority())
  const servers = stopAfterTest(await startWorkServers(authority, 300))
  keepPrinted('work-servers', servers)
  const { environment } = stopAfterTest(trust([servers.certificate]))
  const options = ['--web-root', DIST, '--assignment-servers', '127.0.0.1']
  await startClient(options, environment, authority.trustedBy(REAL_CLIENT ?? ''))
  await sendCommand(
    { cmd: 'config', config: { groups: { '': { cpus: 2 } } } },
    ({ groups }) => groups.get('')?.['cpus'] === 2,
  )
  await sendCommand({ cmd: 'state', state: 'fold' }, report => pausedOf(report) === false)
  await expectReport(({ units }) => units.map(({ state }) => state), ['RUN'])
  await page.goto('http://127.0.0.1:7396/machines')
  const name = await nameOf()
  const machine = machineCalled(page, name)
  await expect(machine).toContainText(/Running/)
  await chooseFromMenu(page, /^More$/, 'Select machines')
  await page.getByRole('button', { name: /^Select all/ }).click()
  await chooseFromMenu(page, 'More actions for the selected machines', 'GPUs and CPUs…')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /GPUs and CPUs/ })
    .click()
  await page.getByRole('option', { name: 'CPUs' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause CPUs (1)' }).click()
  await expectReport(({ groups }) => groups.get('')?.['cpus'], 0)
  await expectReport(({ units }) => units.map(found => found['pause_reason']), ['Resources not available'])
  await expectReport(pausedOf, false)
  const line = machine.getByRole('list', { name: 'GPUs and CPUs' }).getByRole('listitem')
  await expect(line).toHaveText(/^CPUs: paused since/)
  await line.getByRole('button', { name: 'Fold CPUs' }).click()
  await expectReport(({ groups }) => groups.get('')?.['cpus'], 2)
  await expectReport(
    ({ units }) => units.map(({ state, pause_reason: reason }) => [state, reason]),
    [['RUN', undefined]],
  )
  await expect(line).toHaveCount(0)
})
