import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'src/**/*.test.tsx',
      'network/**/*.test.ts',
      'models/**/*.test.ts',
      'test/unit/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    environment: 'node',
    testTimeout: 20_000,
    // No file changes what another imports, and to import everything anew for each took a third of the time.
    isolate: false,
    setupFiles: process.env['FOLDBOARD_COVERAGE'] === undefined ? [] : ['test/coverage/set-up.ts'],
  },
})
