import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { injectManifest } from '@serwist/build'
import { build, type Plugin } from 'vite'

const SERVICE_WORKER = 'service-worker.js'

/** The files that are stored: all but the inspector, which has a large layout library. */
const stored = {
  globPatterns: ['index.html', 'start.js', 'favicon.svg', 'manifest.json', 'icons/icon-192.png', 'assets/*.{js,css}'],
  globIgnores: ['**/elk.worker-*', '**/inspector*'],
  // Their names contain a hash.
  dontCacheBustURLsMatching: /^assets\//,
}

/** Builds the service worker after the page, and inserts the list of files that it stores. */
export const serviceWorker = (): Plugin => {
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
        await build({
          configFile: false,
          publicDir: false,
          logLevel: 'warn',
          build: {
            target: 'es2022',
            outDir: folder,
            emptyOutDir: false,
            rolldownOptions: {
              input: 'src/actors/offline/service-worker.ts',
              checks: { bundlerTimings: false },
              output: { format: 'iife', entryFileNames: SERVICE_WORKER },
            },
          },
        })
        const path = join(folder, SERVICE_WORKER)
        const { warnings } = await injectManifest({
          ...stored,
          swSrc: path,
          swDest: path,
          globDirectory: folder,
          injectionPoint: 'self.__WB_MANIFEST',
        })
        if (warnings.length > 0) throw new Error(warnings.join('\n'))
      },
    },
  }
}

const commit = (): string => {
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
export const buildInformation = (): Plugin => ({
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
})
