import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'

const ADDRESS = 'http://molecule.localhost/'

let script: Promise<string> | undefined

/** The viewer as one script, built once a process. */
async function buildScript(): Promise<string> {
  const entry = join(import.meta.dirname, 'page.ts')
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@lingui/core/macro': join(import.meta.dirname, '../macro.ts') } },
    build: { write: false, minify: false, target: 'es2022', lib: { entry, formats: ['es'], fileName: 'page' } },
  })
  const bundles = Array.isArray(output) ? output : [output]
  for (const bundle of bundles) if ('output' in bundle) return bundle.output[0].code
  throw new Error('The viewer was not built.')
}

function document(ground: string): string {
  return `<!doctype html><html lang="en"><title>Molecule</title><style>body{margin:0;background:${ground}}canvas{display:block;width:100vw;height:100vh}</style><canvas></canvas><script type="module" src="/page.js"></script>`
}

/** A page with nothing but a canvas and the viewer's `molecules`. */
export async function openMoleculePage(page: Page, ground = '#f7f5f1'): Promise<void> {
  script ??= buildScript()
  const code = await script
  await page.route(`${ADDRESS}**`, async route => {
    if (route.request().url() === ADDRESS) await route.fulfill({ contentType: 'text/html', body: document(ground) })
    else await route.fulfill({ contentType: 'text/javascript', body: code })
  })
  await page.goto(ADDRESS)
  await page.waitForFunction(() => 'molecules' in globalThis)
}
