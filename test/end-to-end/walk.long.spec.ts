import type { Locator, Page } from '@playwright/test'
import { createFaults, type Faults, type Network } from '../../network/index.ts'
import { CALL_FAULTS, SOCKET_FAULTS, SOCKET_CHANNELS } from '../../network/faults/kinds.ts'
import { createRandom, type RandomSource } from '../walk/random.ts'
import { expectedClients, type ExpectedClient } from '../walk/expected-state.ts'
import { badgesOf, chooseFromMenu, controlsOf, machineCalled } from './machines-view.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './fixtures.ts'

// High enough for all machines: the list shows those that are in sight.
test.use({ viewport: { width: 1280, height: 4000 } })

/** `FOLDBOARD_WALK_SEED=8` walks another way. */
const SEED = Number(process.env['FOLDBOARD_WALK_SEED'] ?? 5)
const STEPS = 40
/** What was asked for in vain for so long is not there (milliseconds). */
const CLICK_TIMEOUT = 300
/** The dashboard must agree with the network this soon after the faults (milliseconds). */
const AGREEMENT = 20_000

type WalkSetup = {
  readonly page: Page
  readonly random: RandomSource
  readonly faults: Faults
  readonly network: Network
}

const PLACES = ['Machines', 'Work Units', 'Stats', 'Projects', 'News'] as const

/** Nothing that leaves the page, opens files or cannot be undone. */
const HARMLESS =
  /^(?!.*(?:Delete|Logout|Regenerate|Download|Save a recording|Open a recording|Replay this session|Website)).+$/

const selectionOf = (page: Page): Locator => page.getByRole('region', { name: 'Selection', exact: true })
const resultOf = (page: Page): Locator => page.getByRole('region', { name: 'Result of the action' })

/** Presses one of these, if one can be pressed now: what stands before it may go while the hand is on its way. */
const pressOne = async (random: RandomSource, things: Locator): Promise<string> => {
  const count = await things.count()
  const thing = things.nth(Math.floor(random.roll() * count))
  const name =
    count === 0 ? undefined : await thing.getAttribute('aria-label', { timeout: CLICK_TIMEOUT }).catch(() => undefined)
  await thing.click({ timeout: CLICK_TIMEOUT }).catch(() => undefined)
  return name ?? `one of ${count}`
}

const userActions: Readonly<Record<string, (setup: WalkSetup) => Promise<unknown>>> = {
  'goes elsewhere': async ({ page, random }) => {
    const place = random.oneOf(PLACES)
    await page
      .getByRole('navigation')
      .getByRole('link', { name: place, exact: true })
      .click({ timeout: CLICK_TIMEOUT })
      .catch(() => undefined)
    return place
  },
  'opens a page of a machine': ({ page, random }) =>
    pressOne(random, page.getByRole('main').getByRole('link', { name: /settings|log|details|view/i })),
  'presses a button': ({ page, random }) =>
    pressOne(random, page.getByRole('main').getByRole('button', { name: HARMLESS, disabled: false })),
  'presses fold, pause or finish': ({ page, random }) =>
    pressOne(random, page.getByRole('button', { name: /^(?:Fold|Pause|Finish) /, disabled: false })),
  'presses a key': ({ page, random }) =>
    page.keyboard.press(random.oneOf(['Escape', 'Tab', 'Enter', 'ArrowDown', '/'])),
  'opens the account': ({ page, random }) =>
    pressOne(random, page.getByRole('banner').getByRole('link', { name: /^Account/ })),
  'changes many at once': async ({ page, random }) => {
    const press = (scope: Locator, name: RegExp | string): Promise<boolean> =>
      scope
        .getByRole('button', { name, disabled: false })
        .click({ timeout: CLICK_TIMEOUT })
        .then(
          () => true,
          () => false,
        )
    const done: string[] = []
    const machines = page.getByRole('navigation').getByRole('link', { name: 'Machines', exact: true })
    await machines.click({ timeout: CLICK_TIMEOUT }).catch(() => undefined)
    if (!(await selectionOf(page).isVisible()) && (await press(page.getByRole('main'), /^More$/)))
      await page
        .getByRole('menuitemcheckbox', { name: 'Select machines' })
        .click({ timeout: CLICK_TIMEOUT })
        .catch(() => undefined)
    if (await press(selectionOf(page), /^Select all/)) done.push('selects')
    if (await press(selectionOf(page), random.oneOf(['Fold', 'Pause', 'Finish']))) done.push('looks')
    if (random.roll() < 0.7 && (await press(page.getByRole('dialog'), /\(\d+\)$/))) done.push('confirms')
    if (random.roll() < 0.5 && (await press(resultOf(page), 'Undo'))) {
      done.push('looks at the undo')
      if (await press(page.getByRole('dialog'), /^Undo/)) done.push('undoes')
    }
    return done.join(', ')
  },
  'answers a dialog': ({ page, random }) =>
    pressOne(random, page.getByRole('dialog').getByRole('button', { name: HARMLESS })),
  'goes back': ({ page }) =>
    page.evaluate(() => {
      // Not out of the dashboard, which counts its own pages there.
      if (Number((history.state as { readonly idx?: number } | null)?.idx) > 0) history.back()
    }),
}

const faultActions: Readonly<Record<string, (setup: WalkSetup) => unknown>> = {
  'a connection goes wrong': ({ faults, random }) => {
    const [way, fault] = [random.oneOf(SOCKET_CHANNELS), random.oneOf(SOCKET_FAULTS)]
    faults.begin(way, fault, random.between(0.05, 0.4))
    return `${way} ${fault}`
  },
  'calls go wrong': ({ faults, random }) => {
    const fault = random.oneOf(CALL_FAULTS)
    faults.begin('api', fault, random.between(0.2, 0.8))
    return fault
  },
  'pages are dropped': ({ network }) => {
    network.relay.dropPages()
  },
  'a machine dies': ({ network, random }) => random.anyOf(network.clients())?.kill(),
  'machines come back': ({ network }) => {
    network.clients().forEach(client => {
      client.revive()
    })
  },
  'a unit fails': ({ network, random }) => random.anyOf(network.clients())?.client.faults.failNextUnit(),
  'all is well': ({ faults }) => {
    faults.end()
  },
}

const step = async (setup: WalkSetup): Promise<string> => {
  const { random } = setup
  const [name, run] = random.anyOf(Object.entries(random.roll() < 0.35 ? faultActions : userActions)) ?? [
    '',
    () => undefined,
  ]
  const result = await run(setup)
  return `${name}${typeof result === 'string' ? `: ${result}` : ''}`
}

/** Back to the machines, whatever is open or unsaved. */
const returnToMachines = async (page: Page): Promise<void> => {
  await expect(async () => {
    const question = page
      .getByRole('dialog')
      .getByRole('button', { name: /^(?:Discard|OK|Cancel|No)$/ })
      .first()
    if (await question.isVisible()) await question.click({ timeout: CLICK_TIMEOUT })
    // A list of options has no buttons.
    else if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'Machines', exact: true })
      .click({ timeout: CLICK_TIMEOUT })
    await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: CLICK_TIMEOUT })
    await expect(page).toHaveURL(/\/machines/, { timeout: CLICK_TIMEOUT })
  }).toPass({ timeout: 10_000 })
  const search = page.getByRole('combobox', { name: 'Find machines' })
  if (await search.isVisible()) await search.fill('')
  const collapsed = page.getByRole('button', { name: /^Work units of /, expanded: false })
  while ((await collapsed.count()) > 0) await collapsed.first().click()
}

const groupsNow = (network: Network) =>
  expectedClients(network).flatMap(({ isThere, groups }) => (isThere ? [groups] : []))

/** Selects all machines, looks at what an action means for them, and has it done where it changes something. */
const changeAll = async (page: Page, action: 'Fold' | 'Pause'): Promise<void> => {
  if (!(await selectionOf(page).isVisible())) await chooseFromMenu(page, /^More$/, 'Select machines')
  await selectionOf(page)
    .getByRole('button', { name: /^Select all/ })
    .click()
  await selectionOf(page).getByRole('button', { name: action, exact: true }).click()
  const preview = page.getByRole('dialog')
  await expect(preview.getByRole('list', { name: 'Effects' })).toBeVisible()
  const confirm = preview.getByRole('button', { name: new RegExp(`^${action} \\(`) })
  if (await confirm.isVisible()) {
    await confirm.click()
    await expect(resultOf(page).getByRole('status')).toHaveText(new RegExp(`^${action}: .* done`))
  } else await preview.getByRole('button', { name: 'Cancel' }).click()
}

const ERRORS = /This is an error in Foldboard|This page cannot be shown/

const expectAgreement = async (page: Page, { name, isThere, units }: ExpectedClient): Promise<void> => {
  const panel = machineCalled(page, name)
  await expect(panel).toBeVisible({ timeout: CLICK_TIMEOUT })
  await expect(badgesOf(page, name).filter({ hasText: 'Disconnected' })).toHaveCount(isThere ? 0 : 1, {
    timeout: CLICK_TIMEOUT,
  })
  if (isThere)
    await expect(panel.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(units, {
      timeout: CLICK_TIMEOUT,
    })
}

test('a screen that much went wrong before agrees with the network when all is well again, and obeys', async ({
  page,
  startTestNetwork,
  pageErrors,
}) => {
  pageErrors.expect(/status of \d{3}|blocked by CORS policy/)
  const faults = createFaults(SEED)
  const random = createRandom(SEED)
  const network = await startTestNetwork({
    machines: 4,
    relayPaceMs: 20,
    commandDelayMs: 50,
    reconnectMs: 100,
    retryMs: 200,
    faults,
  })
  await network.online()
  await page.goto(`${network.dashboardUrl}/machines`)
  await signIn(page, network.account)
  const done: string[] = []
  for (let count = 0; count < STEPS; count++) {
    done.push(await step({ page, random, faults, network }))
    await expect(page.getByText(ERRORS), done.join('\n')).toHaveCount(0)
  }
  await test.info().attach('what was done', { body: done.join('\n') })
  faults.end()
  for (const client of network.clients()) client.revive()
  await network.online()
  await returnToMachines(page)
  // The machines go on meanwhile: what is true is asked again each time.
  await expect(() => Promise.all(expectedClients(network).map(machine => expectAgreement(page, machine)))).toPass({
    timeout: AGREEMENT,
  })
  await expect(page.getByText(ERRORS)).toHaveCount(0)

  await changeAll(page, 'Fold')
  const before = groupsNow(network)
  await changeAll(page, 'Pause')
  await expect
    .poll(() =>
      groupsNow(network)
        .flatMap(Object.values)
        .every(state => state === 'pause'),
    )
    .toBe(true)
  await resultOf(page).getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(() => groupsNow(network)).toEqual(before)
  await expect(resultOf(page).getByRole('status')).toContainText(/: (\d+) of \1 machines? done/)

  await page.getByRole('button', { name: 'Pause All' }).click()
  const obedient = expectedClients(network).filter(({ isThere }) => isThere)
  for (const { name } of obedient) await expect(controlsOf(page, name).getByRole('status')).toHaveText('Paused')
  expect(expectedClients(network).filter(({ isThere, isPaused }) => isThere && !isPaused)).toEqual([])
})
