import { Server } from 'node:http'
import { join, resolve } from 'node:path'
import { createServer, type InlineConfig, type Plugin } from 'vite'
import type { Pages, PagesOptions } from '../host/pages.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const HOT_RELOAD_PROTOCOLS = ['vite-hmr', 'vite-ping']
const DATA = '**/.foldboard/**'

/** The same meta elements that `withSettings` adds to the built page. */
function settingsPlugin(settings: PagesOptions['settings']): Plugin {
  return {
    name: 'foldboard-settings',
    transformIndexHtml: () =>
      Object.entries(settings()).map(([name, content]) => ({
        tag: 'meta',
        attrs: { name: `foldboard:${name}`, content },
      })),
  }
}

/**
 * Vite's dev server as middleware, so that the sources are served at the dashboard's own origin and port, with the same
 * checks of origins and the same `/api/websocket` as the built dashboard.
 */
export async function createDevPages(
  { settings }: PagesOptions,
  config: Pick<InlineConfig, 'cacheDir' | 'logLevel'> = {},
): Promise<Pages> {
  // Never listens. Vite handles the upgrades of hot reloading that are emitted on it.
  const hotReload = new Server()
  const vite = await createServer({
    ...config,
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    clearScreen: false,
    plugins: [settingsPlugin(settings)],
    server: {
      middlewareMode: true,
      hmr: { server: hotReload },
      // The database of the embedded network changes all the time, and holds keys.
      watch: { ignored: [DATA] },
      fs: { deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', DATA] },
    },
  })
  return {
    answer: (request, response) => vite.middlewares(request, response),
    upgrade: ({ headers }) =>
      HOT_RELOAD_PROTOCOLS.includes(headers['sec-websocket-protocol'] ?? '')
        ? (request, stream, head) => {
            hotReload.emit('upgrade', request, stream, head)
          }
        : 404,
    stop: () => vite.close(),
  }
}
