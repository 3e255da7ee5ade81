import type { Locator, Page } from '@playwright/test'

/** The view of a molecule as a person finds their way in it. */

export function picture(page: Page): Locator {
  return page.getByRole('img', { name: /^Molecule of project \d+/ })
}

export function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole('main').getByRole('button', { name, exact: true })
}
