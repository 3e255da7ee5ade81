import { expect, type Page } from '@playwright/test'

/** Goes to a screen without loading everything again, and waits until its code and texts are there. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(to => {
    // The screen before stays until the code of the next is there.
    if (to.split(/[/?]/)[1] !== location.pathname.split('/')[1])
      document.querySelector('h1')?.setAttribute('data-left', '')
    history.pushState(undefined, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await expect(page.locator('h1:not([data-left])')).toHaveCount(1)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** The screens of a person who is signed in. `id`: of a machine. */
export function screensOf(id: string): readonly string[] {
  return [
    '/machines',
    '/machines?layout=grid',
    '/machines?layout=map',
    '/machines?chart=ppd',
    '/machines?chart=finishes',
    '/wus',
    '/wus?tab=benchmarks',
    '/stats',
    '/stats/power',
    '/attention',
    '/attention?tab=settings',
    '/projects',
    '/news',
    '/about',
    '/help/server-at-home',
    '/account/settings',
    '/account/appearance',
    '/account/teams',
    `/${id}/settings`,
    `/${id}`,
    `/${id}/units`,
    `/${id}/details`,
    `/${id}/log`,
    '/nobody/details',
  ]
}
