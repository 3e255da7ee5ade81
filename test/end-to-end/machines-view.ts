import { expect, type Locator, type Page } from '@playwright/test'

/** The machines view as a person finds their way in it. */

export function machineCalled(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

/** Fold, pause and finish of a machine (`atlas`), or of a group (`Default on atlas`). */
export function controlsOf(page: Page, what: string): Locator {
  return page.getByRole('group', { name: `Fold, pause or finish ${what}`, exact: true })
}

/** What was asked, or a question about it, stands in the document by the next frame. */
export async function press(page: Page, word: 'Fold' | 'Pause' | 'Finish', what: string): Promise<void> {
  const name = `${word} ${what}`
  const button = controlsOf(page, what).getByRole('button', { name, exact: true })
  const shown = await button.elementHandle()
  await button.click()
  const isAsked = await page.evaluate(async element => {
    await new Promise(requestAnimationFrame)
    // A button that nobody needs any more is gone.
    return !element.isConnected || element.ariaPressed === 'true' || document.querySelector('[role=dialog]') !== null
  }, shown)
  expect(isAsked, name).toBe(true)
}

/** The folding state of a machine or a group; an unconfirmed one ends in dots. */
export function expectState(page: Page, what: string, word: string): Promise<void> {
  return expect(controlsOf(page, what).getByRole('status')).toHaveText(word)
}

/** The units of a machine (`vm`), or of one of its groups (`atlas, night`). */
export function unitsOf(page: Page, table: string): Locator {
  return page
    .getByRole('table', { name: table, exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

/** Machines, active CPUs, active GPUs, points per day. */
export function expectTotals(page: Page, totals: readonly (string | RegExp)[]): Promise<void> {
  return expect(page.getByRole('table', { name: 'All machines' }).getByRole('cell')).toHaveText([...totals])
}

/** Such as `3 running`, in the order of the screen. */
export function expectStates(page: Page, states: readonly string[]): Promise<void> {
  return expect(
    page
      .getByRole('list', { name: 'Work units by state' })
      .getByRole('listitem')
      .filter({ hasNotText: /failing$/ }),
  ).toHaveText([...states])
}

const BADGES = /^(?:Failed|Disconnected|Loading|Outdated|Unlinked|No work|Warning)$/

export function badgesOf(page: Page, name: string): Locator {
  return machineCalled(page, name).getByRole('button', { name: BADGES })
}

function menuEntry(page: Page, name: string): Locator {
  return page
    .getByRole('menuitem', { name })
    .or(page.getByRole('menuitemcheckbox', { name }))
    .or(page.getByRole('menuitemradio', { name }))
}

/** On a phone search, views, order and layout are behind one button. */
export function openTools(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'View', exact: true }).click()
}

export async function chooseFromMenu(page: Page, menu: string | RegExp, entry: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click()
  await menuEntry(page, entry).click()
}

export function openHeaderMenu(page: Page): Promise<void> {
  return page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
}

/** Chooses from the menu of the header, or from one that opens from it. */
export async function chooseFromHeader(page: Page, ...entries: readonly string[]): Promise<void> {
  await openHeaderMenu(page)
  for (const entry of entries) await menuEntry(page, entry).click()
}
