import { serveAlone } from '../../network/index.ts'
import { serveDashboard } from '../../host/dashboard.ts'
import { startScriptedClient } from './scripted-client.ts'
import {
  badgesOf,
  expectState,
  expectStates,
  expectTotals,
  expectUnits,
  machineCalled,
  press,
} from './machines-view.ts'
import { showColumns, stopTime } from './page-state.ts'
import { CREDENTIALS, RECORDED_MACHINE, RECORDED_SESSION, startRecordedRelay } from './recorded-relay.ts'
import { areRecordingsHere, DIST, readRecording } from '../recording.ts'
import { signIn } from './sign-in.ts'
import { expect, CLOSED_ADDRESS, test as base } from './fixtures.ts'

const COLUMNS = [
  'Number',
  'Project',
  'Type',
  'CPUs',
  'GPUs',
  'GPUs Text',
  'Resources',
  'Status',
  'Progress',
  'PPD',
  'ETA',
  'TPF',
  'Run Time',
  'Core',
  'Deadline',
  'Timeout',
  'RCG',
  'Base Credit',
  'Assign Time',
  'Work Server',
  'OS Text',
  'Machine',
  'Version',
  'Group Name',
]
/** From type to resources. */
const CPU = ['CPU', '1', '0', 'None', '1 CPU']
const GPU = ['GPU', '1', '1', 'gpu:01:00:00', '1 CPU, gpu:01:00:00']
/** From PPD to run time, and from core to work server: nothing is known of a unit before its core has started. */
const NOT_RUN = ['???', '???', '???', '???']
const NO_WORK = ['???', '???', '???', '???', '???', '???', '???']
/** The machine’s own columns, and the one of the actions. */
const VM = ['Linux 6.18', 'vm', '8.5.7', 'Default', '']
const NO_RESOURCES =
  'The CPUs or GPUs it needs are disabled in its group, not usable, or used by other work units of the group. Check the CPUs and GPUs of the group in the machine’s settings.Log'
// The recorded computer has no GPU.
const NO_GPU =
  'The computer has no GPU gpu:01:00:00 any more. If it was moved to another slot, or taken out, dump this work unit. Otherwise check its seat and its power.Log'
const NEXT_TRY = 'Download failed. Retrying in 25s.Log'

type Recorded = {
  /** Shows a client that has said all it was recorded to say until then, at the moment when that was. */
  readonly playUntil: (ms: number, time: string) => Promise<void>
  readonly relay: Awaited<ReturnType<typeof startRecordedRelay>>
}

const test = base.extend<Recorded>({
  playUntil: async ({ page, stopAfterTest }, use) => {
    await use(async (ms, time) => {
      const said = readRecording('direct-units-history-viz').filter(
        ({ dir, type, ms: at }) => dir === 'in' && type === 'text' && at <= ms,
      )
      const [first, ...later] = said.map(({ raw }) => raw)
      const client = stopAfterTest(await startScriptedClient(first ?? ''))
      const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
      await stopTime(page, time)
      await showColumns(page, COLUMNS)
      await page.goto(`${dashboardUrl}/machines`)
      await expect.poll(() => client.readers()).toBe(1)
      for (const text of later) client.sayText(text)
    })
  },
  relay: async ({ stopAfterTest }, use) => {
    await use(stopAfterTest(await startRecordedRelay()))
  },
})

const title = (what: string): string => (areRecordingsHere ? what : `${what} (skipped: ../shared/captures is not here)`)

test.describe(title('a recorded client'), () => {
  test.skip(!areRecordingsHere)

  test('its first message', async ({ page, playUntil }) => {
    await playUntil(206, '2026-11-20T13:46:47Z')
    await expectUnits(page, 'vm', [
      ['20', '???', ...CPU, 'Paused', '0.0%', ...NOT_RUN, ...NO_WORK, ...VM],
      ['21', '???', ...CPU, 'Paused', '35.0%', '123,456', '1h 10m', '35s', '20m 34s', ...NO_WORK, ...VM],
      [
        '22',
        '18422',
        ...CPU,
        'Not Sent',
        '100.0%',
        '98,765',
        '0s',
        '40s',
        '1h 6m',
        '0xaa',
        'in 3 d',
        'in 36 h',
        '1, 1, 1',
        '14,500',
        'Nov 20, 2026, 2:35 PM',
        'localhost',
        ...VM,
        'Finished, but results are not sent while their group is paused. Press Fold to send them. The timeout is in 1d 11h: later they earn no bonus.Log',
      ],
      ['23', '???', ...CPU, 'Paused', '0.0%', ...NOT_RUN, ...NO_WORK, ...VM],
      ['24', '???', ...GPU, 'Paused', '0.0%', ...NOT_RUN, ...NO_WORK, ...VM],
      ['27', '???', ...CPU, 'Paused', '0.0%', '???', '???', '???', '12m 57s', ...NO_WORK, ...VM],
    ])
    await expectState(page, 'vm', 'Paused')
    // Units of its groups were dumped, which counts as lost.
    await expect(badgesOf(page, 'vm')).toHaveText(['Warning'])
    await expectStates(page, ['6 paused'])
    await expectTotals(page, ['1', '0', '0', '0'])
    await expect(machineCalled(page, 'vm')).toContainText('1 CPUv8.5.7Direct client at')
    await expect(machineCalled(page, 'vm')).toContainText('0 PPD')
  })

  test('in the middle of its work', async ({ page, playUntil }) => {
    await playUntil(46_501, '2026-11-20T13:47:33Z')
    await expectUnits(page, 'vm', [
      [
        '20',
        '18420',
        ...CPU,
        'Running',
        '92.5%',
        '336,610,080',
        '4s',
        '0s',
        '38s',
        '0xaa',
        'in 3 d',
        'in 36 h',
        '3, 5, 41',
        '14,500',
        'Nov 20, 2026, 2:35 PM',
        'localhost',
        ...VM,
      ],
      ['21', '???', ...CPU, 'Paused', '35.0%', '123,456', '1h 10m', '35s', '20m 34s', ...NO_WORK, ...VM, NO_RESOURCES],
      ['23', '???', ...CPU, 'Download Wait', '21.9%', ...NOT_RUN, ...NO_WORK, ...VM, NEXT_TRY],
      ['24', '???', ...GPU, 'Paused', '0.0%', ...NOT_RUN, ...NO_WORK, ...VM, NO_GPU],
      ['27', '???', ...CPU, 'Paused', '0.0%', '???', '???', '???', '12m 57s', ...NO_WORK, ...VM, NO_RESOURCES],
    ])
    await expectState(page, 'vm', 'Folding')
    await expectStates(page, ['1 running', '1 waiting', '3 paused'])
    await expectTotals(page, ['1', '1', '0', '336,610,080'])
    await expect(machineCalled(page, 'vm')).toContainText('336,610,080 PPD')
  })

  test('at the end', async ({ page, playUntil }) => {
    await playUntil(Infinity, '2026-11-20T13:48:40Z')
    await expectUnits(page, 'vm', [
      [
        '21',
        '18421',
        ...CPU,
        'Paused',
        '15.0%',
        '719,983',
        '2h 1m',
        '1m 26s',
        '21m 23s',
        '0xaa',
        'in 47 h',
        'in 11 h',
        '0, 1, 2',
        '14,500',
        'Nov 19, 2026, 1:45 PM',
        'localhost',
        ...VM,
      ],
      ['23', '???', ...CPU, 'Paused', '27.1%', ...NOT_RUN, ...NO_WORK, ...VM],
      ['24', '???', ...GPU, 'Paused', '0.0%', ...NOT_RUN, ...NO_WORK, ...VM],
      ['27', '???', ...CPU, 'Paused', '0.0%', '???', '???', '???', '12m 57s', ...NO_WORK, ...VM],
    ])
    await expectState(page, 'vm', 'Paused')
    await expect(badgesOf(page, 'vm')).toHaveCount(0)
    await expectStates(page, ['4 paused'])
    await expectTotals(page, ['1', '0', '0', '0'])
  })
})

test.describe(title('a recorded relay'), () => {
  test.skip(!areRecordingsHere)

  test('a machine from one login to the next, by the bytes and keys that there were', async ({
    page,
    relay,
    stopAfterTest,
  }) => {
    const dashboard = stopAfterTest(
      await serveDashboard({
        port: 0,
        folder: DIST,
        client: CLOSED_ADDRESS,
        standIn: () => undefined,
        report: () => undefined,
        settings: () => ({
          'api-url': `http://${relay.node}`,
          'node-scheme': 'ws',
          'direct-address': '',
          'version-url': `http://${relay.node}/versions`,
        }),
      }),
    )
    await stopTime(page, '2026-11-20T14:54:20Z')
    await page.addInitScript(session => {
      const bytes = Uint8Array.from(atob(session.replaceAll('-', '+').replaceAll('_', '/')), letter =>
        letter.charCodeAt(0),
      )
      const random = crypto.getRandomValues.bind(crypto)
      // Only a session's id has this length.
      crypto.getRandomValues = array => {
        if (!(array instanceof Uint8Array) || array.length !== bytes.length) return random(array)
        array.set(bytes)
        return array
      }
    }, RECORDED_SESSION)
    await page.goto(dashboard.url)
    await signIn(page, CREDENTIALS)

    await relay.playUntil(12_570)
    const panel = machineCalled(page, 'My Machine')
    await expect(panel).toContainText(`1 CPUv8.5.7FAH ID ${RECORDED_MACHINE}`)
    await expect(badgesOf(page, 'My Machine')).toHaveText(['No work'])
    await expectState(page, 'My Machine', 'Paused')
    await expectTotals(page, ['1', '0', '0', '0'])
    await expectStates(page, [])

    await relay.playUntil(51_649)
    await expect(panel).toContainText('2 CPUsv8.5.7')
    await expect(panel.getByRole('heading', { level: 3 })).toHaveText(['Default', 'second'])
    await expectState(page, 'Default on My Machine', 'Folding')
    await expectState(page, 'second on My Machine', 'Paused')
    await expectState(page, 'My Machine', 'Groups in different states')
    // Until 14:54:45, of 32 seconds.
    const why = 'No work available. Retrying in 25s.Log'
    await expectUnits(page, 'My Machine, Default', [['???', 'CPU', 'Assign Wait', '21.9%', '???', '', why]])
    await expect(badgesOf(page, 'My Machine')).toHaveCount(0)
    await expectTotals(page, ['1', '0', '0', '0'])
    await expectStates(page, ['1 waiting'])

    await relay.playUntil(69_094)
    await expect(badgesOf(page, 'My Machine')).toHaveText(['No work'])
    await expectState(page, 'My Machine', 'Paused')
    await expectState(page, 'Default on My Machine', 'Paused')
    await expectTotals(page, ['1', '0', '0', '0'])
    await expect(panel).toContainText('2 CPUsv8.5.7')

    await relay.playUntil(80_715)
    await expect(panel).toContainText('2 CPUsv8.5.7')

    await relay.playUntil(83_022)
    await expect(badgesOf(page, 'My Machine')).toHaveText(['Disconnected'])
    await expectStates(page, ['1 disconnected'])

    await relay.playUntil(Infinity)
    await expect(badgesOf(page, 'My Machine')).toHaveText(['No work'])
    await expectState(page, 'My Machine', 'Paused')
    await press(page, 'Fold', 'second on My Machine')
    expect(await relay.takeFromPage()).toEqual({
      type: 'message',
      session: RECORDED_SESSION,
      content: { cmd: 'state', state: 'fold', group: 'second', time: '2026-11-20T14:54:20Z' },
    })
    // Once to sign in, and again for each broadcast that reports that the account has changed.
    await expect.poll(() => relay.asked().filter(path => path === '/account')).toHaveLength(3)
  })
})
