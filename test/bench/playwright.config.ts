import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

const molecules = '**/viewer.bench.ts'

export default defineConfig(base, {
  testDir: '.',
  tsconfig: '../playwright.tsconfig.json',
  outputDir: '../../test-results/bench',
  fullyParallel: false,
  workers: 1,
  timeout: 180_000,
  reporter: [['./table-reporter.ts']],
  use: { trace: 'off' },
  projects: [
    { name: 'pages', testMatch: '**/*.bench.ts', testIgnore: molecules },
    { name: 'molecules', testMatch: molecules, testIgnore: [] },
  ],
})
