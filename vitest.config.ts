import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'network/**/*.test.ts', 'models/**/*.test.ts', 'test/unit/**/*.test.ts', 'scripts/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000,
    setupFiles: process.env['FOLDBOARD_COVERAGE'] === undefined ? [] : ['test/coverage/recorder.ts'],
  },
})
