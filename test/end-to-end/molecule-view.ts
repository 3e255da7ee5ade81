import { expect, type Locator, type Page } from '@playwright/test'
import type { Network } from '../../programs/network/index.ts'

/** The view of a molecule as a person finds their way in it. */

export function picture(page: Page): Locator {
  return page.getByRole('img', { name: /^Molecule of project \d+/ })
}

export function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole('main').getByRole('button', { name, exact: true })
}

/** A molecule of the simulated client on this computer; nothing turns by itself. */
export async function look(page: Page, startTestNetwork: () => Promise<Network>): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const network = await startTestNetwork()
  await page.goto(`${network.dashboardUrl}/machines`)
  await page.getByRole('button', { name: /^Actions for unit \d+, project 18420$/ }).click()
  await page.getByRole('menuitem', { name: '3D view' }).click()
  await expect(picture(page)).toBeVisible()
}

/** Where the middle of the molecule is: what words and controls leave of the picture is its room. */
export async function middle(page: Page) {
  const box = await picture(page).boundingBox()
  if (box === null) throw new Error('There is no picture.')
  const x = box.x + box.width / 2
  const room = await page.locator('[data-covers]').evaluateAll(
    (all, { x, top, bottom }) =>
      all
        .map(element => element.getBoundingClientRect())
        .filter(({ left, right }) => left < x && right > x)
        .reduce(
          (free, cover) =>
            cover.top + cover.bottom < top + bottom
              ? { ...free, top: Math.max(free.top, cover.bottom) }
              : { ...free, bottom: Math.min(free.bottom, cover.top) },
          { top, bottom },
        ),
    { x, top: box.y, bottom: box.y + box.height },
  )
  return { x, y: (room.top + room.bottom) / 2, width: box.width }
}

/** How large an ångström is on the screen, by the scale bar. */
export async function pixelsPerAngstrom(page: Page): Promise<number> {
  const scale = page.getByRole('paragraph').filter({ hasText: 'Scale:' })
  const pixels = await scale
    .locator('span')
    .nth(1)
    .evaluate(bar => bar.clientWidth)
  return pixels / Number.parseFloat((await scale.textContent())?.replace(/[^\d.]/g, '') ?? '')
}
