import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type Axe from 'axe-core'

type Scope = {
  /** A selector of what is looked at; everything without one. */
  readonly within?: string
  /** Texts have marks around them, so that a text within another one is not the text of its control. */
  readonly isPseudo?: boolean
  /** Whether contrasts are measured: two thirds of the time of a whole screen. */
  readonly hasContrast?: boolean
}

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// What passes is not described: that takes longer than finding what does not.
const OPTIONS: Axe.RunOptions = { resultTypes: ['violations'], preload: false }

/** What axe finds wrong with what is on the screen now, in short. */
export async function violations(
  page: Page,
  { within = '', isPseudo = false, hasContrast = true }: Scope = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const rules = {
    // Users of voice control speak the text of a button (WCAG 2.5.3). Axe itself leaves that out.
    'label-content-name-mismatch': { enabled: !isPseudo },
    'color-contrast': { enabled: hasContrast },
  }
  return page.evaluate(findViolations, [within, { ...OPTIONS, rules }] as const)
}

/** Runs in the page. What is still fading in has no contrast yet. */
async function findViolations([within, options]: readonly [string, Axe.RunOptions]): Promise<readonly string[]> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets = [sheet]
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const { axe } = globalThis as unknown as { readonly axe: typeof Axe }
  const found = await axe.run(within === '' ? document : { include: within }, options)
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
