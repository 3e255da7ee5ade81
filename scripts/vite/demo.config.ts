import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { join } from 'node:path/posix'
import { defineConfig, normalizePath, type Plugin } from 'vite'
import base, { modules, plugins } from '../../vite.config.ts'
import { META_CONTENT_SECURITY_POLICY } from '../../programs/host/headers.ts'
import { SUBSCRIPTION_PATH } from '../../programs/network/statistics/subscriptions.ts'
import { DEMO } from '../../programs/network/demo-account.ts'
import { PORTS } from '../../programs/demo/messages.ts'
import { messages } from './messages.ts'
import { buildServiceWorker } from './offline.ts'
import { texts } from './texts.ts'

/* `npm run build:demo`: a folder of files for any static host, with the embedded network in the page (programs/demo). */

/** As Vite writes it on every system. */
const root = normalizePath(resolve(import.meta.dirname, '../..'))
const demo = join(root, 'programs/demo')
const OUT = 'build/demo'

/** Known when the page runs: the folder may be anywhere on a host. */
const BASE = { 'import.meta.env.BASE_URL': 'globalThis.foldboardRoot' }

/** Modules that have another one in the demo, unless it asks for them itself. */
const REPLACED: Readonly<Record<string, string>> = {
  [join(root, 'programs/host/dashboard.ts')]: join(demo, 'dashboard.ts'),
  [join(root, 'programs/network/molecules/structures.ts')]: join(demo, 'structures.ts'),
}

/** Modules of Node that the network imports, and packages. What it imports and never uses is empty. */
function edges(reach: string): Plugin {
  const replaced = { ...REPLACED, [join(root, 'src/app/edges.ts')]: join(demo, reach) }
  const nodeFile = (name: string): string =>
    join(demo, 'node', `${name.replaceAll(/^@|node:/g, '').replaceAll('/', '-')}.ts`)
  return {
    name: 'demo-edges',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source === 'node:events') return this.resolve('events/', importer, { ...options, skipSelf: true })
      if (/^(?:node:|ws$|libsql(?:$|\/)|@hono\/node-server$)/.test(source)) {
        const file = nodeFile(source)
        return existsSync(file) ? file : `\0empty ${source}`
      }
      if (!/\/(?:edges|dashboard|structures)\.ts$/.test(source) || importer?.startsWith(demo) === true) return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found === null ? null : (replaced[found.id] ?? found)
    },
    load: id => (id.startsWith('\0empty ') ? '' : undefined),
  }
}

const SETTINGS: Readonly<Record<string, string>> = {
  'api-url': `http://127.0.0.1:${PORTS.api}`,
  'node-scheme': 'ws',
  'direct-address': `127.0.0.1:${PORTS.client}`,
  'statistics-url': `ws://127.0.0.1:${PORTS.api}${SUBSCRIPTION_PATH}`,
  'version-url': `http://127.0.0.1:${PORTS.api}/release/latest.json`,
  demo: `${DEMO.email} ${DEMO.passphrase}`,
}

/** The page asks its own host only, and nothing at all of others. */
const POLICY = META_CONTENT_SECURITY_POLICY.replace(/img-src [^;]+/, "img-src 'self' data: blob:").replace(
  /connect-src [^;]+/,
  "connect-src 'self'",
)

function policyTag(policy: string): string {
  return `<meta http-equiv="Content-Security-Policy" content="${policy}" />`
}

/** For addresses that have no file. Its one script is in it, since its address is not known. */
function notFoundPage(): string {
  const html = readFileSync(join(demo, '404.html'), 'utf8')
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(html) ?? []
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'`
  return html.replace('<meta charset="utf-8" />', `<meta charset="utf-8" />\n    ${policyTag(policy)}`)
}

const page: Plugin = {
  name: 'demo-page',
  transformIndexHtml: {
    order: 'pre',
    handler: html => html.replace('/src/app/main.tsx', '/programs/demo/main.ts'),
  },
}

/** The document as other plugins leave it, and the files beside it. */
const folder: Plugin = {
  name: 'demo-folder',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const network = Object.keys(bundle).find(name => /^assets\/network\.worker-.+\.js$/.test(name))
      if (network === undefined || !html.includes('data-wire="/'))
        throw new Error('The page does not begin its workers.')
      const settings = Object.entries(SETTINGS).map(
        ([name, content]) => `<meta name="foldboard:${name}" content="${content}" />`,
      )
      return html
        .replace('src="/start.js"', 'src="./start.js"')
        .replace('data-wire="/', `data-network="./${network}" data-wire="./`)
        .replace(/content="default-src [^"]*"/, `content="${POLICY}"`)
        .replace('<title>', `${settings.join('')}<script src="./root.js"></script><title>`)
    },
  },
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'root.js', source: readFileSync(join(demo, 'root.js')) })
    this.emitFile({ type: 'asset', fileName: '404.html', source: notFoundPage() })
  },
}

/** Everything is stored but texts in other languages, and what only developers look at. */
const NOT_STORED = /\.map$|(?:^|\/)(?:elk\.worker-|inspector|texts-|404\.html|licenses\.json|service-worker\.js)/

function demoServiceWorker(): Plugin {
  return {
    name: 'demo-service-worker',
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        const files = readdirSync(OUT, { recursive: true, withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry =>
            join(entry.parentPath, entry.name)
              .slice(OUT.length + 1)
              .replaceAll('\\', '/'),
          )
          .filter(path => !NOT_STORED.test(path))
          .sort()
        const version = createHash('sha256')
        for (const path of files) version.update(path).update(readFileSync(join(OUT, path)))
        await buildServiceWorker(join(demo, 'service-worker.ts'), OUT, {
          'self.__FILES': JSON.stringify(files.map(path => (path === 'index.html' ? '' : path))),
          'self.__VERSION': JSON.stringify(version.digest('hex').slice(0, 12)),
        })
      },
    },
  }
}

export default defineConfig({
  ...base,
  base: './',
  // Of Node, which only chooses how a database in a file is opened.
  define: { ...BASE, 'process.platform': '"browser"' },
  plugins: [
    edges('page-edges.ts'),
    page,
    ...plugins,
    ...texts(modules, [edges('start-edges.ts')]),
    folder,
    demoServiceWorker(),
  ],
  worker: {
    format: 'es',
    plugins: () => [edges('worker-edges.ts'), messages()],
    rolldownOptions: { shimMissingExports: true },
  },
  build: { ...base.build, outDir: OUT, emptyOutDir: true, sourcemap: false },
})
