import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { META_CONTENT_SECURITY_POLICY } from './programs/host/headers.ts'
import { guide } from './scripts/vite/guide.ts'
import { messages } from './scripts/vite/messages.ts'
import { texts } from './scripts/vite/texts.ts'
import { translate } from './scripts/vite/translate.ts'
import { buildInformation, serviceWorker } from './scripts/vite/offline.ts'

/**
 * The first sheet on a page sets the order of the cascade layers, and the bundler puts the sheets of lazy screens first.
 * So every sheet begins with the order.
 */
function layerOrder(): Plugin {
  return {
    name: 'layer-order',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const order = readFileSync('src/ui/styles/layers.css', 'utf8').trim()
        for (const file of Object.values(bundle))
          if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${order}${String(file.source)}`
      },
    },
  }
}

const sheets = new Map<string, string>()

/** `header` in `shell.module.css` becomes `shell-header`: readable, and smaller when compressed than a hash. So no two sheets may share a name. */
function className(name: string, file: string): string {
  const [path = ''] = file.split('?')
  const sheet = basename(path, '.module.css')
  const before = sheets.get(sheet) ?? path
  if (before !== path) throw new Error(`${path} has the same name as ${before}: rename one of them.`)
  sheets.set(sheet, path)
  return `${sheet}-${name}`
}

/** React Aria's own texts in other languages are in the files that scripts/vite/texts.ts writes. */
function onlyEnglish(): Plugin {
  return {
    name: 'only-english',
    enforce: 'pre',
    load: id =>
      /node_modules\/react-(?:aria|stately).*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/.test(id)
        ? 'export default {}'
        : undefined,
  }
}

/** A static host or a folding client sends no policy of its own. The development server needs inline scripts. */
function contentSecurityPolicy(): Plugin {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: META_CONTENT_SECURITY_POLICY },
        injectTo: 'head-prepend',
      },
    ],
  }
}

/** The page has its icon in itself, which is a request less. */
function ownIcon(): Plugin {
  return {
    name: 'own-icon',
    apply: 'build',
    transformIndexHtml: html =>
      html.replace(
        'href="/favicon.svg"',
        `href="data:image/svg+xml,${encodeURIComponent(readFileSync('public/favicon.svg', 'utf8').trim())}"`,
      ),
  }
}

/** Plugins of every document of the build. */
export const plugins = [
  react(),
  guide(),
  layerOrder(),
  onlyEnglish(),
  buildInformation(),
  contentSecurityPolicy(),
  ownIcon(),
]

/**
 * What is fetched together is one file: each by itself, a screen would fetch thirty. The first files; what most screens need of React
 * Aria and of ours; and what a page at home fetches some moments later.
 */
const chunkGroups = [
  { name: 'index', tags: ['$initial' as const], priority: 4 },
  {
    name: 'controls',
    test: /node_modules\/(?:react-aria|react-stately|@internationalized)/,
    minShareCount: 9,
    priority: 3,
  },
  { name: 'shared', test: /\/src\/(?:folding\/unit|ui\/hooks)\//, minShareCount: 6, priority: 3 },
  {
    name: 'processors',
    test: /\/(?:processors|processor-notes|resource-changes|allocation|processors\.selectors)\.ts$/,
    priority: 3,
  },
  { name: 'home', test: /\/src\/(?:app\/parts\/home|ui\/later)\.ts$/, priority: 2 },
  { name: 'background', test: /\/src\/app\/parts\/background\.ts$/, priority: 1 },
  { name: 'log', test: /\/src\/(?:app\/parts\/log\.ts|ui\/screens\/log\/log-screen\.tsx)$/, priority: 2 },
]

/** Names of classes. */
export const modules = { generateScopedName: className }

export default defineConfig({
  plugins: [...plugins, ...texts(modules), translate(), serviceWorker()],
  worker: { format: 'es', plugins: () => [messages()] },
  css: { modules },
  build: {
    target: 'es2022',
    // The first versions with light-dark(), and in Firefox with AbortSignal.any() and color spaces in gradients too. For older
    // ones each color would be written out four times.
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    sourcemap: true,
    // The libraries in the build and their licenses. JSON, since a client does not serve .md as text (docs/protocol.md §10).
    license: { fileName: 'licenses.json' },
    // A failed preload is kept by Chromium as the answer for that file, and later attempts fail with it. So only the page
    // itself preloads what its scripts import.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, scripts, { hostType }) =>
        hostType === 'html' ? scripts : scripts.filter(script => script === file),
    },
    // kB, uncompressed: the chart layout library, loaded only with the inspector. `npm run bench` measures what loads first.
    chunkSizeWarningLimit: 1600,
    rolldownOptions: { checks: { bundlerTimings: false }, output: { codeSplitting: { groups: chunkGroups } } },
  },
})
