import { join } from 'node:path'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { guide } from './scripts/vite/guide.ts'
import { messages } from './scripts/vite/messages.ts'

const isMeasured = process.env['FOLDBOARD_COVERAGE'] !== undefined
const isLong = process.env['FOLDBOARD_LONG'] !== undefined
const graph = join(import.meta.dirname, 'node_modules/@xstate/graph/dist/xstate-graph.esm.js')

/** What `npm run test:long` runs, and nothing else does. */
const LONG = '**/*.long.test.ts'

/** Runs with SQLite, and in the long tests with PostgreSQL. */
const STORE = 'programs/server/store/store.test.ts'

const dom = ['src/**/*.test.tsx', 'src/ui/**/*.test.ts', 'src/loading/**/*.test.ts']
const others = ['{src,scripts,programs,test}/**/*.test.ts']

function project(name: string, include: readonly string[], without: readonly string[], setupFiles: string[] = []) {
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: [...configDefaults.exclude, ...without, ...(isLong ? [] : [LONG])],
      setupFiles: ['test/set-up.ts', ...setupFiles],
    },
  }
}

export default defineConfig({
  plugins: [messages(), guide()],
  test: {
    environment: 'node',
    testTimeout: 60_000,
    // What is waited for comes late on a busy computer.
    expect: { poll: { timeout: 20_000 } },
    // What a module becomes is kept below node_modules, for all projects and the next run: half of the time of a first import.
    experimental: { fsModuleCache: true },
    // No test file changes what another one imports, and importing everything again for each file takes a third of the time.
    isolate: false,
    maxWorkers: availableParallelism(),
    // test/coverage/set-up.ts replaces exports of XState, also for this package: its ES module, which Vite can transform.
    ...(isMeasured
      ? {
          alias: [{ find: /^@xstate\/graph$/, replacement: graph }],
          server: { deps: { inline: [graph] } },
        }
      : {}),
    projects: isLong
      ? [project('node', [LONG, STORE], [])]
      : [
          project('dom', dom, [], ['test/ui/computed-style.ts']),
          project('node', others, dom, isMeasured ? ['test/coverage/set-up.ts'] : []),
        ],
  },
})
