import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { messages } from './vite.messages.ts'

const isMeasured = process.env['FOLDBOARD_COVERAGE'] !== undefined
const graph = join(import.meta.dirname, 'node_modules/@xstate/graph/dist/xstate-graph.esm.js')

export default defineConfig({
  plugins: [messages()],
  test: {
    include: [
      'src/**/*.test.ts',
      'src/**/*.test.tsx',
      'network/**/*.test.ts',
      'server/**/*.test.ts',
      'models/**/*.test.ts',
      'test/unit/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    environment: 'node',
    testTimeout: 60_000,
    // No test file changes what another one imports, and importing everything again for each file takes a third of the time.
    isolate: false,
    // test/coverage/set-up.ts replaces exports of XState, also for this package: its ES module, which Vite can transform.
    ...(isMeasured
      ? {
          alias: [{ find: /^@xstate\/graph$/, replacement: graph }],
          server: { deps: { inline: [graph] } },
        }
      : {}),
    setupFiles: ['test/set-up.ts', ...(isMeasured ? ['test/coverage/set-up.ts'] : [])],
  },
})
