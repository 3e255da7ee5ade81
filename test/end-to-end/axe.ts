import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Scope = {
  /** A selector of what is looked at; everything without one. */
  readonly within?: string
  /** Colours are all that differs between themes. */
  readonly colours?: boolean
}

/** What axe finds wrong with what is on the screen now, in short. */
export const violations = async (page: Page, { within, colours = false }: Scope = {}): Promise<readonly string[]> => {
  await expect(async () => expect(await page.evaluate(countFading), 'What is still fading in has no contrast yet.').toBe(0)).toPass()
  // There are no frames whose results would have to be gathered on a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  if (within !== undefined) axe.include(within)
  if (colours) axe.withRules('color-contrast')
  const found = await axe.analyze()
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`))
}

/** Runs in the page. What has just been put there begins to fade in with the next frame; stripes of a bar never end. */
const countFading = async (): Promise<number> => {
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  return document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity).length
}
