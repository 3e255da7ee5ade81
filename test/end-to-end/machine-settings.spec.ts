import type { Page } from '@playwright/test'
import { serveAlone, type Network } from '../../network/index.ts'
import { accountSettingKeys, groupFormKeys, settingsTable } from '../../src/protocol/settings-table.ts'
import { otherController } from '../other-controller.ts'
import { clientData, groupConfig, startScriptedClient } from './scripted-client.ts'
import { readBrowserStorage } from './browser-storage.ts'
import { machineSettingsOf } from './machine-settings-view.ts'
import { machineCalled } from './machines-view.ts'
import { expect, test } from './signed-in.ts'

/** The header asks who the team is. */
const UNKNOWN_TEAM = /status of 404/

const DIRECT = '/__direct__/settings'
const atlasOf = (network: Network) => {
  const [atlas] = network.clients()
  if (atlas === undefined) throw new Error('The first machine of the demo account is there.')
  return atlas
}

/** The settings that the client of this computer knows. */
const reportedKeys = ({ local }: Network) =>
  groupFormKeys.filter(key => Object.hasOwn(otherController(local).groups()[''] ?? {}, key))

const openSettings = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(follow, path)
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
}

/** Runs in the page: goes there without loading everything again. */
const follow = (path: string): void => {
  history.pushState(undefined, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
}

test.describe('on a client of this computer', () => {
  test('whom it folds for is saved when the client reports it, and the passkey stays hidden', async ({
    page,
    startTestNetwork,
    pageErrors,
  }) => {
    pageErrors.expect(UNKNOWN_TEAM)
    const network = await startTestNetwork({ machines: 0 })
    const view = machineSettingsOf(page)
    await page.goto(`${network.dashboardUrl}${DIRECT}`)
    const passkey = '0123456789abcdef0123456789abcdef'
    await page.getByRole('textbox', { name: 'User name' }).fill('Grace')
    await page.getByRole('textbox', { name: 'Team' }).fill('0042')
    await page.getByRole('textbox', { name: 'Team' }).fill('5000000000')
    await expect(page.getByRole('main')).toContainText('A team number can be at most 2,147,483,647')
    await view.expectSaveable(false)
    await page.getByRole('textbox', { name: 'Team' }).fill('0042')
    await page.getByLabel('Passkey', { exact: true }).fill('not hexadecimal')
    await view.expectSaveable(false)
    await expect(page.getByRole('main')).toContainText('Invalid passkey')
    await page.getByLabel('Passkey', { exact: true }).fill(passkey)
    await expect(page.getByLabel('Passkey', { exact: true })).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show passkey' }).click()
    await expect(page.getByLabel('Passkey', { exact: true })).toHaveAttribute('type', 'text')
    await view.save()
    await view.expectSaved()
    await expect(page.getByRole('textbox', { name: 'Team' })).toHaveValue('42')
    const first: unknown[] = []
    network.local.client.attach(content => first.push(content)).detach()
    expect(first[0]).toMatchObject({ config: { user: 'Grace', team: 42, passkey } })
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'User name' })).toHaveValue('Grace')
    await view.expectSaveable(false)
  })

  test('what was saved here is no change from elsewhere after a reload', async ({ page, startTestNetwork }) => {
    const network = await startTestNetwork({ machines: 0 })
    const view = machineSettingsOf(page)
    await page.goto(`${network.dashboardUrl}${DIRECT}`)
    // What is remembered for the next visit is written every few seconds. Here it stays as it was first.
    await expect.poll(async () => (await readBrowserStorage(page)).text, { timeout: 15_000 }).toContain('this-computer')
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new Error('Nothing more is kept.')
      }
    })
    await view.setCpus(1)
    await view.save()
    await view.expectSaved()
    await page.reload()
    await view.expectCpus(1)
    await expect(page.getByText('Changed on the machine')).toHaveCount(0)
    await view.expectSaveable(false)
  })

  test('advanced settings are unlocked after a question, remembered, and locked again', async ({
    page,
    startTestNetwork,
  }) => {
    const { dashboardUrl } = await startTestNetwork({ machines: 0 })
    const view = machineSettingsOf(page)
    await page.goto(`${dashboardUrl}${DIRECT}`)
    await expect(page.getByRole('checkbox', { name: 'Only When Idle' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Beta Projects' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Unlock advanced settings' }).click()
    const question = page.getByRole('alertdialog', { name: 'Unlock Advanced Settings?' })
    await expect(question).toContainText(
      'Advanced settings are mainly used for testing. Are you sure you want to unlock advanced settings?',
    )
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('checkbox', { name: 'Beta Projects' })).toHaveCount(0)
    await view.unlock()
    await page.reload()
    await expect(page.getByRole('checkbox', { name: 'Beta Projects' })).toBeVisible()
    await page.getByRole('button', { name: 'Lock advanced settings' }).click()
    await expect(page.getByRole('checkbox', { name: 'Beta Projects' })).toHaveCount(0)
  })

  test('every field has a help button that opens a text about it', async ({ page, startTestNetwork }) => {
    const network = await startTestNetwork({ machines: 0 })
    await page.goto(`${network.dashboardUrl}${DIRECT}`)
    await machineSettingsOf(page).unlock()
    const helps = page.getByRole('main').getByRole('button', { name: /^Help: / })
    const count = accountSettingKeys.length + reportedKeys(network).length + ['Resource groups'].length
    await expect(helps).toHaveText(Array.from({ length: count }, () => ''))
    for (const help of await helps.all()) {
      await help.click()
      await expect(page.getByRole('dialog').getByRole('paragraph')).toHaveText(/^[A-Z“].{30,}\.$/)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })

  test('every setting that is on or off has a checkbox, and is sent when it is saved', async ({
    page,
    startTestNetwork,
  }) => {
    const network = await startTestNetwork({ machines: 0 })
    const view = machineSettingsOf(page)
    const flags = reportedKeys(network).filter(key => settingsTable[key].type === 'boolean')
    const before = otherController(network.local).groups()[''] ?? {}
    await page.goto(`${network.dashboardUrl}${DIRECT}`)
    await view.unlock()
    const sections = page.getByRole('region', { name: /^(Scheduling|Advanced)$/ })
    await expect(sections.getByRole('checkbox')).toHaveCount(flags.length)
    for (const label of await sections.locator('label:has([type="checkbox"])').all()) await label.click()
    await view.save()
    await view.expectSaved()
    const after = otherController(network.local).groups()[''] ?? {}
    expect(flags.map(key => [key, after[key]])).toEqual(flags.map(key => [key, before[key] !== true]))
  })

  test('each way out asks while something is unsaved', async ({ page, startTestNetwork, pageErrors }) => {
    // Chromium asks once a navigation, and writes down when it did not ask again.
    pageErrors.expect(/'beforeunload' confirmation panel/)
    const { dashboardUrl } = await startTestNetwork({ machines: 0 })
    const view = machineSettingsOf(page)
    const question = page.getByRole('alertdialog', { name: 'Unsaved changes' })
    const stay = () => question.getByRole('button', { name: 'Cancel' }).click()
    await page.goto(`${dashboardUrl}/machines`)
    await page.getByRole('button', { name: 'Actions for this-computer' }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await view.setCpus(2)
    for (const leave of [
      () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Stats' }).click(),
      () => page.getByRole('main').getByRole('button', { name: 'Cancel' }).click(),
      () =>
        page.evaluate(() => {
          history.back()
        }),
    ]) {
      await leave()
      await stay()
      await expect(page).toHaveURL(new RegExp(`${DIRECT}$`))
      await view.expectCpus(2)
    }
    for (const leave of [() => page.goto(`${dashboardUrl}/news`), () => page.close({ runBeforeUnload: true })]) {
      const asked = page.waitForEvent('dialog')
      // What was refused may never say that it is over.
      void leave().catch(() => undefined)
      const dialog = await asked
      expect(dialog.type()).toBe('beforeunload')
      await dialog.dismiss()
      await view.expectCpus(2)
    }
  })
})

test.describe('on a client that a test plays', () => {
  const GPU = 'gpu:01:00:00'
  const on = { enabled: true }
  const gpus = {
    [GPU]: { description: 'AD102', supported: true },
    'gpu:02:00:00': { description: 'Old card', supported: false },
  }

  test('every group is listed by its own name, and only what was changed is named', async ({ page, stopAfterTest }) => {
    const groups = Object.fromEntries(
      ['', 'my-gpu', ' ', '<b>night</b>'].map(name => [
        name,
        { config: groupConfig({ gpus: { [GPU]: on, 'gpu:65:00:00': on } }) },
      ]),
    )
    const client = stopAfterTest(await startScriptedClient(clientData({ info: { gpus }, groups })))
    const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    const view = machineSettingsOf(page)
    await page.goto(`${dashboardUrl}${DIRECT}`)
    await view.expectGroups(['Default', '“ ”', '<b>night</b>', 'my-gpu'])
    await expect(page.getByRole('button', { name: 'Unlock advanced settings' })).toHaveCount(0)
    await page.getByRole('tab', { name: 'my-gpu' }).click()
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expect(row(/Old card/)).toHaveAttribute('title', 'Unsupported GPU')
    await expect(row(/Old card/).getByRole('checkbox')).toBeDisabled()
    await expect(row(/Undetected/).getByRole('checkbox')).toBeChecked()
    await row(/AD102/).locator('label').click()
    await page.getByRole('textbox', { name: 'Project Key' }).fill('1.5')
    await view.expectSaveable(false)
    await page.getByRole('textbox', { name: 'Project Key' }).fill('12')
    await page.getByRole('tab', { name: '<b>night</b>' }).click()
    await view.deleteGroup('<b>night</b>')
    // While another one is made elsewhere.
    client.say(['groups', 'late', { config: groupConfig() }])
    await view.expectGroups(['Default', '“ ”', 'late', 'my-gpu'])
    await view.save()
    expect(await client.nextCommand()).toMatchObject({
      cmd: 'config',
      config: {
        groups: {
          '': {},
          ' ': {},
          late: {},
          'my-gpu': {
            key: 12,
            gpus: { [GPU]: { enabled: false }, 'gpu:02:00:00': { enabled: false }, 'gpu:65:00:00': on },
          },
        },
      },
    })
    await expect(page.getByRole('status').filter({ hasText: 'waiting for the machine to confirm' })).toBeVisible()
    client.say(
      ['groups', '<b>night</b>', null],
      ['groups', 'my-gpu', 'config', 'key', 12],
      [
        'groups',
        'my-gpu',
        'config',
        'gpus',
        { [GPU]: { enabled: false }, 'gpu:02:00:00': { enabled: false }, 'gpu:65:00:00': on },
      ],
    )
    await view.expectSaved()
    expect(client.untakenCommands()).toEqual([])
  })

  test('what the client does not take over is named, and stays as it was typed', async ({ page, stopAfterTest }) => {
    const client = stopAfterTest(await startScriptedClient(clientData()))
    const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    const view = machineSettingsOf(page)
    await page.clock.install()
    await page.goto(`${dashboardUrl}${DIRECT}`)
    await view.setCpus(2)
    await page.getByRole('checkbox', { name: 'Only When Idle' }).click({ force: true })
    await view.save()
    await client.nextCommand()
    client.say(['groups', '', 'config', 'on_idle', true], ['info', 'mach_name', 'renamed'])
    await expect(page.getByRole('main')).toContainText('renamed')
    await page.clock.fastForward(10_000)
    await expect(page.getByRole('alert')).toContainText(
      'Not saved: CPUs of Default. The machine did not respond within 10 seconds.',
    )
    await view.expectCpus(2)
    await view.expectSaveable(true)
  })

  test('what is missing is ???, and settings that a version does not know are not there', async ({
    page,
    stopAfterTest,
  }) => {
    const client = stopAfterTest(
      await startScriptedClient(clientData({ info: { version: '8.3.1', cpus: null, gpus: { [GPU]: {} } } })),
    )
    const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    await page.goto(`${dashboardUrl}${DIRECT}`)
    await expect(page.getByText('8 of ???')).toBeVisible()
    await expect(page.getByRole('row', { name: /\?\?\?/ })).toBeVisible()
    await expect(page.getByRole('checkbox')).toHaveCount(2)
    await expect(page.getByRole('checkbox', { name: 'While On Battery' })).toHaveCount(0)
  })

  test('details are copied for a bug report, without a passkey', async ({ page, context, stopAfterTest }) => {
    const card = {
      type: 'nvidia',
      description: 'AD102',
      supported: true,
      uuid: 'abc',
      vendor: 4318,
      device: 9860,
      cuda: { compute: '8.9', driver: '12.4' },
    }
    const data = {
      ...clientData({ info: { gpus: { [GPU]: card } } }),
      config: { user: 'Ada', team: 0, passkey: '0123456789abcdef0123456789abcdef', cause: 'any' },
    }
    const client = stopAfterTest(await startScriptedClient(data))
    const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${dashboardUrl}/__direct__/details`)
    const group = page.getByRole('region', { name: 'GPU 01:00:00' })
    await expect(group.getByRole('term')).toHaveText([
      'Description',
      'Vendor',
      'Supported',
      'UUID',
      'PCI Device ID',
      'PCI Vendor ID',
      'OpenCL',
      'CUDA',
      'HIP',
    ])
    await expect(group.getByRole('definition')).toHaveText([
      'AD102',
      'NVIDIA',
      'Yes',
      'abc',
      '0x2684',
      '0x10de',
      'Not supported',
      'Compute 8.9, driver 12.4',
      'Not supported',
    ])
    await expect(page.getByRole('region', { name: 'Machine' }).getByRole('definition').nth(4)).toHaveText('???')
    await page.getByRole('button', { name: 'Copy all' }).click()
    await expect(page.getByText('Details copied')).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain('PCI Device ID: 0x2684')
    expect(copied).toContain('Hostname: puppet')
    expect(copied).not.toContain('0123456789abcdef')
  })
})

test.describe('on a machine of the account', () => {
  test('it is renamed, and keeps its groups', async ({ page, enter }) => {
    const network = await enter({ machines: 1 })
    await expect(machineCalled(page, 'atlas')).toBeVisible()
    const before = Object.keys(otherController(atlasOf(network)).groups())
    const view = machineSettingsOf(page)
    await openSettings(page, `/${atlasOf(network).id}/settings`)
    const name = page.getByRole('textbox', { name: 'Machine name' })
    await expect(page.getByRole('textbox', { name: 'User name' })).toHaveCount(0)
    await name.fill('not a name')
    await view.expectSaveable(false)
    await name.fill('atlas-2')
    await view.setCpus(1)
    await view.save()
    await view.expectSaved()
    await expect(page.getByRole('main')).toContainText('atlas-2')
    expect([
      Object.keys(otherController(atlasOf(network)).groups()),
      otherController(atlasOf(network)).groups()['']?.['cpus'],
    ]).toEqual([before, 1])
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(machineCalled(page, 'atlas-2')).toBeVisible()
    await expect.poll(() => atlasOf(network).client.name()).toBe('atlas-2')
  })

  test('it is unlinked after a question, and receives it', async ({ page, enter }) => {
    const network = await enter({ machines: 1 })
    await expect(machineCalled(page, 'atlas')).toBeVisible()
    await openSettings(page, `/${atlasOf(network).id}/settings`)
    const question = page.getByRole('alertdialog', { name: 'Unlink machine?' })
    await page.getByRole('button', { name: 'Unlink' }).click()
    await expect(question).toContainText(
      'If you unlink this machine you will lose remote access. Are you sure you want to unlink?',
    )
    await question.getByRole('button', { name: 'No' }).click()
    await page.getByRole('button', { name: 'Unlink' }).click()
    await question.getByRole('button', { name: 'Yes' }).click()
    await expect(page).toHaveURL(/\/machines$/)
    await expect(machineCalled(page, 'atlas')).toHaveCount(0)
    await expect.poll(() => network.relay.clientCount()).toBe(0)
  })

  test('one that is unlinked while it is away is said not to know it yet, and leaves when it is back', async ({
    page,
    enter,
  }) => {
    const network = await enter({ machines: 1 })
    await expect(machineCalled(page, 'atlas')).toBeVisible()
    await openSettings(page, `/${atlasOf(network).id}/settings`)
    await network.relay.stop()
    await expect(page.getByRole('main')).toContainText('The machine is not connected.')
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('alertdialog', { name: 'Unlink machine?' }).getByRole('button', { name: 'Yes' }).click()
    const message = page.getByRole('dialog', { name: 'The machine does not know yet' })
    await expect(message).toContainText('It is informed as soon as this page can reach it')
    await message.getByRole('button', { name: 'OK' }).click()
    await expect(machineCalled(page, 'atlas')).toHaveCount(0)
    await network.relay.start()
    await expect.poll(() => network.relay.clientCount()).toBe(0)
    await expect(machineCalled(page, 'atlas')).toHaveCount(0)
  })
})
