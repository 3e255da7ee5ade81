import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

export default defineConfig(base, {
  testDir: '.',
  testMatch: '*.bench.ts',
  outputDir: '../../test-results/bench',
  fullyParallel: false,
  workers: 1,
  timeout: 180_000,
  reporter: [['./table-reporter.ts']],
  use: { trace: 'off' },
})
