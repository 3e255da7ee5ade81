import { defineConfig } from '@playwright/test'
import base, { launch } from '../playwright.config.ts'

const molecules = '**/viewer.bench.ts'
/** Drawn without a GPU only: in every engine in the same way. */
const pictures = '**/{pictures,structures}.bench.ts'
/** They have no pages that are drawn. */
const undrawn = ['**/server.bench.ts', '**/simulation.bench.ts']

/** The GPU of many folding computers is busy: everything is also measured as it is drawn without one. */
const softwareGraphics = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']

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
    { name: 'pages', testMatch: '**/*.bench.ts', testIgnore: [molecules, pictures] },
    {
      name: 'pages without GPU',
      testMatch: '**/*.bench.ts',
      testIgnore: [molecules, ...undrawn],
      use: launch(softwareGraphics),
    },
    { name: 'molecules', testMatch: molecules, testIgnore: [] },
  ],
})
