import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

/** The files that are stored: all but the inspector, which has a large layout library, and texts in other languages. */
const STORED = /^(?:index\.html|start\.js|favicon\.svg|manifest\.json|icons\/icon-192\.png|assets\/.+\.(?:js|css))$/
const NOT_STORED = /(?:^|\/)(?:elk\.worker-|inspector|texts-)/

/** Addresses of texts in other languages. The service worker stores those of languages that are used. */
function textFiles(folder: string) {
  return readdirSync(join(folder, 'assets'))
    .filter(name => /^texts-.+\.js$/.test(name))
    .map(name => `/assets/${name}`)
}

/** The list for Workbox. A file in assets/ needs no revision: its name contains a hash. */
function storedFiles(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => STORED.test(path) && !NOT_STORED.test(path))
    .sort()
    .map(url => ({
      url,
      revision: url.startsWith('assets/')
        ? null
        : createHash('sha256')
            .update(readFileSync(join(folder, url)))
            .digest('hex'),
    }))
}

/** Builds a service worker into the folder of the page. `define`: what it knows of its files. */
export async function buildServiceWorker(input: string, outDir: string, define: Record<string, string>): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define,
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input,
        checks: { bundlerTimings: false },
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  })
}

/** Builds the service worker after the page, and inserts the list of files that it stores. */
export function serviceWorker(): Plugin {
  let folder = 'dist'
  let hasFailed = false
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved: ({ root, build: { outDir } }) => {
      folder = resolve(root, outDir)
    },
    buildEnd: error => {
      hasFailed = error !== undefined
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        if (hasFailed) return
        await buildServiceWorker('src/actors/offline/service-worker.ts', folder, {
          'self.__WB_MANIFEST': JSON.stringify(storedFiles(folder)),
          'self.__TEXTS': JSON.stringify(textFiles(folder)),
        })
      },
    },
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    // Built from an archive.
    return ''
  }
}

type Package = { readonly version: string; readonly homepage?: string }

/** Version, commit and source, for src/folding/shared/build.ts. Where they are built, variables override them. */
export function buildInformation(): Plugin {
  return {
    name: 'build-information',
    config: () => {
      const { version, homepage = '' } = JSON.parse(readFileSync('package.json', 'utf8')) as Package
      return {
        define: {
          'import.meta.env.FOLDBOARD_VERSION': JSON.stringify(version),
          'import.meta.env.FOLDBOARD_COMMIT': JSON.stringify(process.env['FOLDBOARD_COMMIT'] ?? commit()),
          'import.meta.env.FOLDBOARD_SOURCE': JSON.stringify(process.env['FOLDBOARD_SOURCE'] ?? homepage),
        },
      }
    },
  }
}
