import { serveAlone } from '../../network/index.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'
import {
  badgesOf,
  chooseFromHeader,
  chooseFromMenu,
  expectState,
  expectStates,
  expectTotals,
  expectUnits,
  machineCalled,
  press,
} from './machines-view.ts'
import { expect, test as base } from './fixtures.ts'

type ScriptedClient = Awaited<ReturnType<typeof startScriptedClient>>

/** A client that a test plays by hand, shown by a dashboard that passes its pages through to it. */
const test = base.extend<{ readonly show: (first: string | object) => Promise<ScriptedClient> }>({
  show: async ({ page, stopAfterTest }, use) => {
    await use(async first => {
      const scriptedClient = stopAfterTest(await startScriptedClient(first))
      const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: scriptedClient.address }))
      await page.goto(`${dashboardUrl}/machines`)
      return scriptedClient
    })
  },
})

test('what was asked is said to be asked until the client confirms it', async ({ page, show }) => {
  const scriptedClient = await show(clientData({ units: [unitData()] }))
  await press(page, 'Pause', 'puppet')
  await expectState(page, 'puppet', 'pausing…')
  const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  expect(await scriptedClient.nextCommand()).toEqual({ cmd: 'state', state: 'pause', time })
  await expectUnits(page, 'puppet', [['18201', 'CPU', 'Running', '25.0%', '123,456', '']])
  scriptedClient.say(['groups', '', 'config', 'paused', true])
  await expectState(page, 'puppet', 'Paused')
  scriptedClient.say(['units', 0, 'pause_reason', 'Paused'])
  await expectUnits(page, 'puppet', [['18201', 'CPU', 'Paused', '25.0%', '123,456', '']])
  await press(page, 'Fold', 'puppet')
  await expectState(page, 'puppet', 'resuming…')
  expect(await scriptedClient.nextCommand()).toMatchObject({ cmd: 'state', state: 'fold' })
  await expectTotals(page, ['1', '0', '0', '0'])
  scriptedClient.say(['groups', '', 'config', 'paused', false], ['units', 0, 'pause_reason', null])
  await expectState(page, 'puppet', 'Folding')
  await expectTotals(page, ['1', '4', '0', '123,456'])
})

test('two commands never share a second, since a client would drop the second one', async ({ page, show }) => {
  const scriptedClient = await show(clientData({ units: [unitData()] }))
  await press(page, 'Pause', 'puppet')
  await press(page, 'Fold', 'puppet')
  await press(page, 'Finish', 'puppet')
  const sent = [
    await scriptedClient.nextCommand(),
    await scriptedClient.nextCommand(),
    await scriptedClient.nextCommand(),
  ]
  expect(sent.map(({ state }) => state)).toEqual(['pause', 'fold', 'finish'])
  const seconds = sent.map(({ time }) => Math.floor(Date.parse(String(time)) / 1000))
  expect(seconds).toEqual([...new Set(seconds)].sort((a, b) => a - b))
  await expectState(page, 'puppet', 'finishing…')
  scriptedClient.say(['groups', '', 'config', 'finish', true])
  await expectState(page, 'puppet', 'Finishing')
})

test('the id of a machine leads to it on a direct connection, and `__direct__` still does', async ({ page, show }) => {
  await show(clientData({ units: [unitData()] }))
  await expectState(page, 'puppet', 'Folding')
  const { origin } = new URL(page.url())
  for (const [path, title] of [
    ['/puppet-id/settings', 'Settings'],
    ['/puppet-id/details', 'Details'],
    ['/puppet-id/log', 'Log'],
    ['/puppet-id/view/unit-1', '3D view'],
    ['/__direct__/details', 'Details'],
  ] as const) {
    await page.goto(`${origin}${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    await expect(page.getByRole('main')).toContainText('puppet')
    await expect(page.getByRole('main')).not.toContainText('Machine not found')
  }
})

test('one client under several addresses is one machine, and its details name them all', async ({ page, show }) => {
  const scriptedClient = await show(clientData({ units: [unitData()] }))
  const { port } = scriptedClient.address
  await expectTotals(page, ['1', '4', '0', '123,456'])
  for (const address of [`127.0.0.1:${port}`, `localhost:${port}`]) {
    const before = scriptedClient.readers()
    await chooseFromHeader(page, 'Connect to a client')
    const dialog = page.getByRole('dialog', { name: 'Connect to a client' })
    await dialog.getByRole('textbox', { name: 'Address' }).fill(address)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect.poll(() => scriptedClient.readers()).toBe(before + 1)
  }
  await expectTotals(page, ['1', '4', '0', '123,456'])
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['puppet'])
  await chooseFromMenu(page, 'Actions for puppet', 'Details')
  const connections = page.getByRole('region', { name: 'Connections' })
  await expect(connections.getByRole('definition')).toHaveText([
    /, connected$/,
    // The faster one is first.
    new RegExp(`^(?:127\\.0\\.0\\.1|localhost):${port}, connected`),
    new RegExp(`^(?:127\\.0\\.0\\.1|localhost):${port}, connected`),
  ])
  await expect(connections).toContainText(`127.0.0.1:${port}`)
  await expect(connections).toContainText(`localhost:${port}`)
  await connections.getByRole('button', { name: `Remove localhost:${port}` }).click()
  await expect(connections.getByRole('definition')).toHaveCount(2)
  await expect.poll(() => scriptedClient.readers()).toBe(2)
})

test('why units failed is one press away, and nothing else of the log is shown', async ({ page, show }) => {
  const failed = 'Paused due too many failed Work Units.'
  const scriptedClient = await show(
    clientData({ groups: { '': { config: groupConfig({ paused: true }), failed, failed_wus: 5 } } }),
  )
  const panel = machineCalled(page, 'puppet')
  await expect(panel).toContainText('Paused: too many work units failed, or were dumped.')
  await panel.getByRole('link', { name: 'See why in the log' }).click()
  expect(await scriptedClient.nextCommand()).toMatchObject({ cmd: 'log', enable: true })
  const reasons = [
    '12:00:02:W :CON2:DNS lookup failed for assign1.foldingathome.org',
    '12:00:03:I1:WU7:Core returned FAILED_2 (1)',
  ]
  scriptedClient.say(['log', ['12:00:00:I1:Machine state fold', '12:00:01:I2:OUT1:< 200 OK', ...reasons]])
  await expect(page.getByRole('main')).toContainText('Core returned FAILED_2')
  await expect(page.getByRole('main')).toContainText('DNS lookup failed')
  await expect(page.getByRole('main')).not.toContainText('Machine state fold')
  await expect(page.getByRole('main')).not.toContainText('200 OK')
})

test('what is counted is what works, and no more CPUs than there are', async ({ page, show }) => {
  const groups = { '': { config: groupConfig({ cpus: 2 }) }, night: { config: groupConfig({ cpus: 3 }) } }
  const unit = unitData({ cpus: 1, state: 'ASSIGN', ppd: 0, wait: '2099-01-01T00:00:00Z', delay: 64 })
  const scriptedClient = await show(clientData({ info: { cpus: 2 }, groups, units: [unit] }))
  await expect(machineCalled(page, 'puppet')).toContainText('2 CPUs')
  await expect(machineCalled(page, 'puppet')).not.toContainText('5 CPUs')
  await expectTotals(page, ['1', '0', '0', '0'])
  scriptedClient.say(['units', 0, unitData({ cpus: 1, ppd: 10 })])
  await expectTotals(page, ['1', '1', '0', '10'])
})

test('asking for what is already so is no command that was ignored', async ({ page, show }) => {
  await page.clock.install()
  const scriptedClient = await show(clientData({ groups: { '': { config: groupConfig({ paused: true }) } } }))
  await press(page, 'Pause', 'puppet')
  await scriptedClient.nextCommand()
  await expectState(page, 'puppet', 'Paused')
  await page.clock.fastForward(11_000)
  await expect(machineCalled(page, 'puppet')).not.toContainText('was ignored')
})

test('what a client does not do within ten seconds is said to be ignored, with the likely reason', async ({
  page,
  show,
}) => {
  await page.clock.install()
  const scriptedClient = await show(clientData({ units: [unitData()] }))
  await press(page, 'Finish', 'puppet')
  await expectState(page, 'puppet', 'finishing…')
  await scriptedClient.nextCommand()
  await page.clock.fastForward(10_000)
  const panel = machineCalled(page, 'puppet')
  await expect(panel).toContainText('‘Finish’ was ignored.')
  await expect(panel).toContainText('clock')
  await expectState(page, 'puppet', 'Folding')
  await panel.getByRole('button', { name: 'Dismiss' }).click()
  await expect(panel).not.toContainText('was ignored')
})

test('garbage on the socket harms nothing', async ({ page, show }) => {
  const scriptedClient = await show(clientData({ units: [unitData()] }))
  await expectStates(page, ['1 running'])
  const nested = `${'['.repeat(100)}${']'.repeat(100)}`
  const garbage = [
    '',
    'no json',
    '{',
    '5',
    'null',
    'true',
    '""',
    '[]',
    '[[]]',
    '{}x',
    nested,
    `["units",0,"deep",${nested}]`,
    'x'.repeat(1_000_000),
    '["units",99,"eta","1s"]',
    '["units",-5,{}]',
    '["units","0",5]',
    '["nowhere","at","all",1]',
    '["info",null]',
    '["units",0,"assignment",7]',
    '["log",5]',
    '["viz",1]',
    '["__proto__","polluted",true]',
    '["groups","__proto__",{"polluted":true}]',
    '["groups","constructor","prototype",{"polluted":true}]',
  ]
  const half = clientData({ units: [unitData({ wu_progress: 0.5 })] })
  scriptedClient.greetWith(half)
  for (const text of garbage) scriptedClient.sayText(text)
  scriptedClient.say(['info', half.info], ['units', 0, half.units[0]])
  await expectUnits(page, 'puppet', [['18201', 'CPU', 'Running', '50.0%', '123,456', '']])
  expect(await page.evaluate(() => 'polluted' in {})).toBe(false)
  await press(page, 'Pause', 'puppet')
  expect(await scriptedClient.nextCommand()).toMatchObject({ cmd: 'state', state: 'pause' })
  expect(scriptedClient.untakenCommands()).toEqual([])
})

test('a hundred changes between two frames are one picture, in their order', async ({ page, show }) => {
  const scriptedClient = await show(clientData({ units: [unitData()] }))
  await expectStates(page, ['1 running'])
  scriptedClient.say(
    ...Array.from({ length: 100 }, (_, index) => [
      'units',
      index + 1,
      unitData({ id: `more-${index}`, number: index + 2, ppd: 1 }),
    ]),
  )
  await expectTotals(page, ['1', '8', '0', '123,556'])
  scriptedClient.say(...Array.from({ length: 100 }, () => ['units', 1, null]))
  await expectUnits(page, 'puppet', [['18201', 'CPU', 'Running', '25.0%', '123,456', '']])
})

test('states, fields and groups of a newer client are shown as they are, and their texts are only texts', async ({
  page,
  show,
}) => {
  const hostile = '<img src=x onerror="globalThis.harmed = true"><script>globalThis.harmed = true</script>'
  const gpu = 'gpu:01:00:00'
  const card = { type: 'nvidia', supported: true, description: hostile, vendor: 4318, device: 1 }
  const assignment = { ...unitData().assignment, project: hostile }
  await show(
    clientData({
      info: { mach_name: hostile, version: '9.0.0', gpus: { [gpu]: card } },
      groups: {
        '': { config: groupConfig() },
        [hostile]: { config: groupConfig({ gpus: { [gpu]: { enabled: true } } }), failed: hostile },
      },
      units: [
        unitData({ state: 'TELEPORT', ppd: 7 }),
        unitData({ id: hostile, number: 2, group: hostile, gpus: [gpu], pause_reason: hostile, assignment }),
      ],
    }),
  )
  await expect(machineCalled(page, hostile)).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(hostile)
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['Default', hostile])
  await expectUnits(page, `${hostile}, Default`, [['18201', 'CPU', 'TELEPORT', '25.0%', '7', '']])
  await expectUnits(page, `${hostile}, ${hostile}`, [
    ['???', 'GPU', 'Paused', '25.0%', '123,456', '', `${hostile}.Log`],
  ])
  await expect(badgesOf(page, hostile)).toHaveText(['Failed'])
  await page.getByRole('button', { name: `Actions for ${hostile}`, exact: true }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false)
  await expect(page.locator('main img, main script')).toHaveCount(0)
})

test('a real client takes the place of the simulated one, and gives it back when it ends', async ({
  page,
  startTestNetwork,
  stopAfterTest,
}) => {
  const scriptedClient = stopAfterTest(await startScriptedClient(clientData()))
  const { dashboardUrl } = await startTestNetwork({ machines: 0, client: scriptedClient.address })
  await page.goto(dashboardUrl)
  await expectState(page, 'puppet', 'Folding')
  expect(scriptedClient.readers()).toBe(1)
  scriptedClient.stop()
  await expect(machineCalled(page, 'this-computer')).toBeVisible()
  await expect(machineCalled(page, 'puppet')).toHaveCount(0)
})
