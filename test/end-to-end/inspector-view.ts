import type { Locator, Page } from '@playwright/test'

/** The inspector as a person finds their way in it. */

export const KEYS = 'Control+Shift+X'

export function panel(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Inspector' })
}

export function rowOf(page: Page, tree: string, name: string | RegExp): Locator {
  return panel(page).getByRole('treegrid', { name: tree, exact: true }).getByRole('row', { name })
}

/** Only what is in sight is there: it is looked for first. */
export async function choose(page: Page, words: string, actor: RegExp): Promise<void> {
  await panel(page).getByRole('searchbox', { name: 'Find actors' }).fill(words)
  await rowOf(page, 'Actors', actor).first().click()
}

export function openTab(page: Page, name: string): Promise<void> {
  return panel(page).getByRole('tab', { name }).click()
}

/** A state of the chart that is shown. */
export function stateIn(page: Page, id: string): Locator {
  return panel(page).locator(`[data-state="${id}"]`)
}

export function events(page: Page): Locator {
  return panel(page).getByRole('grid', { name: 'Events' }).getByRole('row')
}
