import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'

const note = join(import.meta.dirname, '../node_modules/.foldboard/browser')
const executablePath = process.env['FOLDBOARD_BROWSER'] ?? (existsSync(note) ? readFileSync(note, 'utf8') : undefined)
const reports = process.env['FOLDBOARD_REPORTS'] ?? join(import.meta.dirname, '../test-results/reports')
const isRoot = process.getuid?.() === 0

export function launch(args: readonly string[]) {
  return {
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      chromiumSandbox: !isRoot,
      args: ['--gaia-url=http://localhost:9', '--component-updater=url-source=http://localhost:9', ...args],
    },
  }
}

/** What `npm run test:long` runs, and nothing else does. */
const LONG = '**/*.long.spec.ts'
const isLong = process.env['FOLDBOARD_LONG'] !== undefined

/** What draws molecules fastest without a graphics card draws everything else slowly. */
const molecules = '**/{molecule*,viewer*,viewing}.long.spec.ts'
/** A full browser draws its pages with a graphics card that is computed, at a fifth more processor time. WebGL stays. */
const software = ['--disable-gpu-compositing']
const graphics = ['--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist']

export default defineConfig({
  testDir: 'end-to-end',
  tsconfig: 'playwright.tsconfig.json',
  outputDir: '../test-results/end-to-end',
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  retries: 0,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [[process.stdout.isTTY ? 'line' : 'dot'], ['json', { outputFile: join(reports, 'playwright.json') }]],
  use: {
    ...devices['Desktop Chrome'],
    // A third of a test's time: `--trace on` records one that failed.
    trace: 'off',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // A service worker would answer for the server, whose answers many tests replace. offline.spec.ts allows it.
    serviceWorkers: 'block',
    // Each test has a server of its own, which would compress everything again.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
  },
  projects: [
    // Animations take a sixth of the processor time of these tests.
    {
      name: 'pages',
      ...(isLong ? { testMatch: LONG, testIgnore: molecules } : { testIgnore: LONG }),
      use: { ...launch(software), contextOptions: { reducedMotion: 'reduce' } },
    },
    // Without a graphics card the time to draw grows with the number of pixels.
    ...(isLong
      ? [
          {
            name: 'molecules',
            testMatch: molecules,
            use: { ...launch(graphics), viewport: { width: 900, height: 600 } },
          },
        ]
      : []),
  ],
})
