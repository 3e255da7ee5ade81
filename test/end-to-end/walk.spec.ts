import type { Locator, Page } from '@playwright/test'
import { createFaults, type Faults, type Network } from '../../network/index.ts'
import { CALL_FAULTS, SOCKET_FAULTS, SOCKET_WAYS } from '../../network/faults/kinds.ts'
import { createDice, type Dice } from '../walk/random.ts'
import { machineTruths, type MachineTruth } from '../walk/truth.ts'
import { badgesOf, controlsOf, machineCalled } from './machines-view.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './stage.ts'

// High enough for all machines: the list shows those that are in sight.
test.use({ viewport: { width: 1280, height: 4000 } })

/** `FOLDBOARD_WALK_SEED=7` walks another way. */
const SEED = Number(process.env['FOLDBOARD_WALK_SEED'] ?? 12)
const STEPS = 40
/** What was asked for in vain for so long is not there (milliseconds). */
const PATIENCE = 300
/** The dashboard must agree with the network this soon after the faults (milliseconds). */
const AGREEMENT = 20_000

type Scene = { readonly page: Page; readonly dice: Dice; readonly faults: Faults; readonly network: Network }

const PLACES = ['Machines', 'Work Units', 'Stats', 'Projects', 'News'] as const

/** Nothing that leaves the page, opens files or cannot be undone. */
const HARMLESS = /^(?!.*(?:Delete|Logout|Regenerate|Download|Save a recording|Open a recording|Look back|Website)).+$/

/** Presses one of these, if one can be pressed now: what stands before it may go while the hand is on its way. */
const pressOne = async (dice: Dice, things: Locator): Promise<string> => {
  const count = await things.count()
  const thing = things.nth(Math.floor(dice.roll() * count))
  const name =
    count === 0 ? undefined : await thing.getAttribute('aria-label', { timeout: PATIENCE }).catch(() => undefined)
  await thing.click({ timeout: PATIENCE }).catch(() => undefined)
  return name ?? `one of ${count}`
}

const deeds: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'goes elsewhere': async ({ page, dice }) => {
    const place = dice.oneOf(PLACES)
    await page
      .getByRole('navigation')
      .getByRole('link', { name: place, exact: true })
      .click({ timeout: PATIENCE })
      .catch(() => undefined)
    return place
  },
  'opens a page of a machine': ({ page, dice }) =>
    pressOne(dice, page.getByRole('main').getByRole('link', { name: /settings|log|details|view/i })),
  'presses a button': ({ page, dice }) =>
    pressOne(dice, page.getByRole('main').getByRole('button', { name: HARMLESS, disabled: false })),
  'presses fold, pause or finish': ({ page, dice }) =>
    pressOne(dice, page.getByRole('button', { name: /^(?:Fold|Pause|Finish) /, disabled: false })),
  'presses a key': ({ page, dice }) => page.keyboard.press(dice.oneOf(['Escape', 'Tab', 'Enter', 'ArrowDown', '/'])),
  'opens the account': ({ page, dice }) =>
    pressOne(dice, page.getByRole('banner').getByRole('link', { name: /^Account/ })),
  'answers a dialog': ({ page, dice }) =>
    pressOne(dice, page.getByRole('dialog').getByRole('button', { name: HARMLESS })),
  'goes back': ({ page }) =>
    page.evaluate(() => {
      // Not out of the dashboard, which counts its own pages there.
      if (Number((history.state as { readonly idx?: number } | null)?.idx) > 0) history.back()
    }),
}

const mishaps: Readonly<Record<string, (scene: Scene) => unknown>> = {
  'a connection goes wrong': ({ faults, dice }) => {
    const [way, fault] = [dice.oneOf(SOCKET_WAYS), dice.oneOf(SOCKET_FAULTS)]
    faults.begin(way, fault, dice.between(0.05, 0.4))
    return `${way} ${fault}`
  },
  'calls go wrong': ({ faults, dice }) => {
    const fault = dice.oneOf(CALL_FAULTS)
    faults.begin('api', fault, dice.between(0.2, 0.8))
    return fault
  },
  'pages are dropped': ({ network }) => {
    network.relay.dropPages()
  },
  'a machine dies': ({ network, dice }) => dice.anyOf(network.clients())?.kill(),
  'machines come back': ({ network }) => {
    network.clients().forEach(client => {
      client.revive()
    })
  },
  'a unit fails': ({ network, dice }) => dice.anyOf(network.clients())?.client.faults.failNextUnit(),
  'all is well': ({ faults }) => {
    faults.end()
  },
}

const step = async (scene: Scene): Promise<string> => {
  const { dice } = scene
  const [name, run] = dice.anyOf(Object.entries(dice.roll() < 0.35 ? mishaps : deeds)) ?? ['', () => undefined]
  const result = await run(scene)
  return `${name}${typeof result === 'string' ? `: ${result}` : ''}`
}

/** Back to the machines, whatever is open or unsaved. */
const returnToMachines = async (page: Page): Promise<void> => {
  await expect(async () => {
    const question = page
      .getByRole('dialog')
      .getByRole('button', { name: /^(?:Discard|OK|Cancel|No)$/ })
      .first()
    if (await question.isVisible()) await question.click({ timeout: PATIENCE })
    await page.getByRole('navigation').getByRole('link', { name: 'Machines', exact: true }).click({ timeout: PATIENCE })
    await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: PATIENCE })
    await expect(page).toHaveURL(/\/machines/, { timeout: PATIENCE })
  }).toPass({ timeout: 10_000 })
  const search = page.getByRole('searchbox')
  if (await search.isVisible()) await search.fill('')
}

const MISTAKES = /This is a mistake in Foldboard|This page cannot be shown/

const expectAgreement = async (page: Page, { name, isThere, units }: MachineTruth): Promise<void> => {
  const panel = machineCalled(page, name)
  await expect(panel).toBeVisible({ timeout: PATIENCE })
  await expect(badgesOf(page, name).filter({ hasText: 'Disconnected' })).toHaveCount(isThere ? 0 : 1, {
    timeout: PATIENCE,
  })
  if (isThere)
    await expect(panel.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(units, {
      timeout: PATIENCE,
    })
}

test('a screen that much went wrong before agrees with the network when all is well again, and obeys', async ({
  page,
  startWorld,
  complaints,
}) => {
  complaints.expect(/status of \d{3}|blocked by CORS policy/)
  const faults = createFaults(SEED)
  const dice = createDice(SEED)
  const network = await startWorld({
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
    done.push(await step({ page, dice, faults, network }))
    await expect(page.getByText(MISTAKES), done.join('\n')).toHaveCount(0)
  }
  await test.info().attach('what was done', { body: done.join('\n') })
  faults.end()
  for (const client of network.clients()) client.revive()
  await network.online()
  await returnToMachines(page)
  // The machines go on meanwhile: what is true is asked anew each time.
  await expect(() => Promise.all(machineTruths(network).map(truth => expectAgreement(page, truth)))).toPass({
    timeout: AGREEMENT,
  })
  await expect(page.getByText(MISTAKES)).toHaveCount(0)

  await page.getByRole('button', { name: 'Pause All' }).click()
  const obedient = machineTruths(network).filter(({ isThere }) => isThere)
  for (const { name } of obedient) await expect(controlsOf(page, name).getByRole('status')).toHaveText('Paused')
  expect(machineTruths(network).filter(({ isThere, isPaused }) => isThere && !isPaused)).toEqual([])
})
