import type { Locator, Page } from '@playwright/test'

/** The view of a molecule as a person finds their way in it. */

export const picture = (page: Page): Locator => page.getByRole('img', { name: /^Molecule of project \d+/ })

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('main').getByRole('button', { name, exact: true })
