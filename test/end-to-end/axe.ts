import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Scope = {
  /** A selector of what is looked at; everything without one. */
  readonly within?: string
  /** Colors are all that differs between themes. */
  readonly colors?: boolean
}

// Who speaks to the computer says what is written on a button (WCAG 2.5.3).
const NOT_BY_DEFAULT = { 'label-content-name-mismatch': { enabled: true } }

/** What axe finds wrong with what is on the screen now, in short. */
export const violations = async (page: Page, { within, colors = false }: Scope = {}): Promise<readonly string[]> => {
  await page.evaluate(stopMoving)
  // There are no frames whose results would have to be gathered on a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  if (within !== undefined) axe.include(within)
  if (colors) axe.withRules('color-contrast')
  else axe.options({ rules: NOT_BY_DEFAULT })
  const found = await axe.analyze()
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Runs in the page. What is still fading in has no contrast yet. */
const stopMoving = async (): Promise<void> => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets = [sheet]
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
}
