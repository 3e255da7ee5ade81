import { join } from 'node:path'
import { build } from 'vite'
import { messages } from '../vite.messages.ts'

const root = join(import.meta.dirname, '..')

/** Where the simulator and its programs are built. */
export const BUILT = join(root, 'build', 'simulation')

const PROGRAMS: Readonly<Record<string, string>> = {
  page: 'simulation/programs/page.ts',
  wire: 'src/app/wire.worker.ts',
  'log-search': 'src/actors/log-search/log-search.worker.ts',
  network: 'simulation/programs/network.ts',
}

/** Packages whose simulated twin a program gets, and those that are compiled code. */
const GIVEN = ['ws', '@hono/node-server', 'libsql']

const buildOne = async (name: string, input: string, format: 'cjs' | 'es', isWhole: boolean): Promise<void> => {
  await build({
    configFile: false,
    root,
    mode: 'production',
    logLevel: 'error',
    plugins: [messages()],
    publicDir: false,
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { ...(isWhole ? { noExternal: true as const } : {}), external: GIVEN },
    build: {
      ssr: true,
      outDir: BUILT,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { [name]: join(root, input) },
        output: { format, entryFileNames: `[name].${format === 'cjs' ? 'cjs' : 'js'}`, codeSplitting: false },
      },
    },
  })
}

/** Each program is one file, so that it can be started with other globals again and again. */
export const buildSimulation = async (): Promise<void> => {
  for (const [name, input] of Object.entries(PROGRAMS)) await buildOne(name, input, 'cjs', true)
  await buildOne('simulate', 'simulation/main.ts', 'es', false)
}
