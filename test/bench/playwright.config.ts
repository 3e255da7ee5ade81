import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

const GRAPHICS = new Set(['--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist'])

export default defineConfig(base, {
  testDir: '.',
  testMatch: '*.bench.ts',
  outputDir: '../../test-results/bench',
  fullyParallel: false,
  workers: 1,
  timeout: 180_000,
  reporter: [['./table-reporter.ts']],
  use: {
    trace: 'off',
    // As a browser is when nobody asks for anything: what draws molecules fastest draws text slowly.
    launchOptions: { ...base.use?.launchOptions, args: base.use?.launchOptions?.args?.filter(word => !GRAPHICS.has(word)) ?? [] },
  },
})
