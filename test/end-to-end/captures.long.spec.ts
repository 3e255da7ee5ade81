import { serveDashboard } from '../../programs/host/dashboard.ts'
import { badgesOf, expectState, expectStates, expectTotals, machineCalled, press, unitsOf } from './machines-view.ts'
import { stopTime } from './page-state.ts'
import { CREDENTIALS, RECORDED_SESSION, startRecordedRelay } from './recorded-relay.ts'
import { areRecordingsHere, DIST } from '../recording.ts'
import { signIn } from './sign-in.ts'
import { CLOSED_ADDRESS, expect, test } from './fixtures.ts'

test('a machine at a recorded relay is shown from one login to the next, by the bytes and keys that there were', async ({
  page,
  stopAfterTest,
  pageErrors,
}) => {
  test.skip(!areRecordingsHere, 'There are no ../shared/captures.')
  const relay = stopAfterTest(await startRecordedRelay())
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
  // It has no list of causes.
  pageErrors.expect(/project\/cause/)
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
  await expect(panel).toContainText('1 CPUv8.5.7')
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
  const why =
    'No server could be reached. Check the machine’s network, DNS, firewall and proxy; its log says which server it tried. Retrying in 25s.Log'
  const cells = unitsOf(page, 'My Machine, Default').getByRole('cell')
  await expect(cells).toHaveText(['???', 'CPU', 'Assign Wait', /^21\.9%/, '???', '', why])
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
