import { expect, test } from 'vitest'
import { browserLabel, readBrowser, type BrowserHints } from './browser.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15'

function hints(overrides: Partial<BrowserHints>): BrowserHints {
  return {
    userAgent: '',
    brands: [],
    platform: '',
    isBrave: false,
    touchPoints: 0,
    ...overrides,
  }
}

test.each<[Partial<BrowserHints>, string]>([
  [{ userAgent: CHROME }, 'Chrome (Linux)'],
  [{ userAgent: CHROME, isBrave: true }, 'Brave (Linux)'],
  [{ userAgent: CHROME, brands: ['Not)A;Brand', 'Chromium'], platform: 'Windows' }, 'Chrome (Windows)'],
  [{ userAgent: CHROME, brands: ['Chromium', 'Microsoft Edge'], platform: 'macOS' }, 'Edge (macOS)'],
  [{ userAgent: `${CHROME} OPR/130.0` }, 'Opera (Linux)'],
  [{ userAgent: CHROME.replace('X11; Linux x86_64', 'Linux; Android 16') }, 'Chrome (Android)'],
  [{ userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:150.0) Gecko/20100101 Firefox/150.0' }, 'Firefox (Windows)'],
  [{ userAgent: SAFARI }, 'Safari (macOS)'],
  [{ userAgent: SAFARI, touchPoints: 5 }, 'Safari (iOS)'],
  [{ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605 CriOS/147 Safari/605' }, 'Safari (iOS)'],
  [{ userAgent: 'Mozilla/5.0 (X11; CrOS x86_64) Chrome/147.0.0.0' }, 'Chrome (Linux)'],
  [{ userAgent: 'Something/1.0' }, 'Browser'],
])('%o is %s', (overrides, label) => {
  expect(browserLabel(readBrowser(hints(overrides)))).toBe(label)
})
