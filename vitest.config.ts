import { defineConfig } from 'vitest/config'
import { messages } from './vite.messages.ts'

export default defineConfig({
  plugins: [messages()],
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
    setupFiles: [
      'test/locale.ts',
      ...(process.env['FOLDBOARD_COVERAGE'] === undefined ? [] : ['test/coverage/set-up.ts']),
    ],
  },
})
