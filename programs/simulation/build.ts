import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { messages } from '../../scripts/vite/messages.ts'
import { withMutation, type Mutation } from './mutations/mutation.ts'

const root = join(import.meta.dirname, '../..')

/** Where the simulator and its programs are built. */
export const BUILT = join(root, 'build', 'simulation')

const PROGRAMS: Readonly<Record<string, string>> = {
  page: 'programs/simulation/programs/page.ts',
  wire: 'src/app/wire.worker.ts',
  'log-search': 'src/actors/log-search/log-search.worker.ts',
  network: 'programs/simulation/programs/network.ts',
  server: 'programs/simulation/programs/server.ts',
  machine: 'programs/simulation/programs/machine.ts',
}

const inspected = join(root, 'programs/simulation/programs/inspected-xstate.ts')

const inspectedXstate = {
  name: 'inspected-xstate',
  enforce: 'pre' as const,
  resolveId: (source: string, importer?: string) =>
    source === 'xstate' && importer !== inspected ? inspected : undefined,
}
/** The reports from the field, where they are: what they say, and the program that serves it. */
const CASES = join(root, '../../shared/cases')
const CASES_ENTRY = 'cases:entry'

/** Puts the two files of the cases into one program. */
function cases() {
  return {
    name: 'cases',
    resolveId: (id: string) => (id.endsWith(CASES_ENTRY) ? CASES_ENTRY : undefined),
    load: (id: string) =>
      id === CASES_ENTRY
        ? `export { serve } from '${CASES}/lib.mjs'\nexport * as states from '${CASES}/states.mjs'\n`
        : undefined,
  }
}

/** Packages whose simulated twin a program gets, and those that are compiled code. */
const GIVEN = ['ws', '@hono/node-server', 'libsql', 'pg', 'mqtt', 'nodemailer', 'web-push', '@node-rs/argon2']

type BuildOptions = {
  readonly name: string
  readonly input: string
  readonly format: 'cjs' | 'es'
  readonly isWhole: boolean
  readonly folder: string
  readonly mutation?: { readonly of: Mutation; readonly used: () => void } | undefined
}

async function buildOne({ name, input, format, isWhole, folder, mutation }: BuildOptions): Promise<void> {
  await build({
    configFile: false,
    root,
    mode: 'production',
    logLevel: 'error',
    plugins: [
      ...(mutation === undefined ? [] : [withMutation(mutation.of, mutation.used)]),
      messages(),
      ...(isWhole ? [inspectedXstate] : []),
      cases(),
    ],
    publicDir: false,
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    ssr: { ...(isWhole ? { noExternal: true as const } : {}), external: GIVEN },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { [name]: input === CASES_ENTRY ? input : join(root, input) },
        output: { format, entryFileNames: `[name].${format === 'cjs' ? 'cjs' : 'js'}`, codeSplitting: false },
      },
    },
  })
}

/**
 * Builds the programs with a mutation, and copies those that do not have its file, and the server where there is none.
 * Returns whether any has it.
 */
export async function buildMutated(folder: string, mutation: Mutation): Promise<boolean> {
  mkdirSync(folder, { recursive: true })
  let isThere = false
  for (const [name, input] of Object.entries(PROGRAMS)) {
    const usual = join(BUILT, `${name}.cjs`)
    const text = readFileSync(usual, 'utf8')
    // Code that a page loads later has no names of files.
    const mayHaveIt = text.includes(`\n// ${mutation.file}\n`) || (name === 'page' && mutation.file.startsWith('src/'))
    const isUsed = name !== 'server' || (mutation.world?.servers ?? 0) > 0
    const used = (): void => {
      isThere = true
    }
    if (mayHaveIt && isUsed)
      await buildOne({ name, input, format: 'cjs', isWhole: true, folder, mutation: { of: mutation, used } })
    else copyFileSync(usual, join(folder, `${name}.cjs`))
  }
  return isThere
}

/** Each program is one file, so that it can be started with other globals again and again. */
export async function buildSimulation(): Promise<void> {
  for (const [name, input] of Object.entries(PROGRAMS))
    await buildOne({ name, input, format: 'cjs', isWhole: true, folder: BUILT })
  if (existsSync(CASES))
    await buildOne({ name: 'cases', input: CASES_ENTRY, format: 'cjs', isWhole: true, folder: BUILT })
  await buildOne({
    name: 'simulate',
    input: 'programs/simulation/main.ts',
    format: 'es',
    isWhole: false,
    folder: BUILT,
  })
}
