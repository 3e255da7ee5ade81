import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { serveAlone } from './alone.ts'
import { createDevPages } from './dev-pages.ts'

// A cache of its own, since a dev server may be running.
const cacheDir = mkdtempSync(join(tmpdir(), 'foldboard-vite-'))
const dataFolder = resolve(import.meta.dirname, '../../.foldboard')
let dashboard: Awaited<ReturnType<typeof serveAlone>>

beforeAll(async () => {
  dashboard = await serveAlone({
    port: 0,
    client: { host: '127.0.0.1', port: 1 },
    createPages: options => createDevPages(options, { cacheDir, logLevel: 'silent' }),
  })
}, 60_000)

afterAll(async () => {
  await dashboard.stop()
  rmSync(cacheDir, { recursive: true, force: true })
})

function upgrade(path: string, protocol: string): Promise<string> {
  return new Promise(resolve => {
    const socket = new WebSocket(dashboard.dashboardUrl.replace('http', 'ws') + path, protocol, {
      origin: dashboard.dashboardUrl,
    })
    socket.on('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.on('error', error => {
      resolve(error.message)
    })
  })
}

test('every address of the dashboard gives the page from its sources, with the settings of the network', async () => {
  for (const path of ['/', '/machines']) {
    const page = await (await fetch(dashboard.dashboardUrl + path, { headers: { Accept: 'text/html' } })).text()

    expect(page).toContain('import("/src/app/main.tsx")')
    expect(page).toContain('<meta name="foldboard:direct-address" content="self">')
  }
})

test('sources are compiled', async () => {
  const code = await (await fetch(`${dashboard.dashboardUrl}/src/app/settings.ts`)).text()

  expect(code).toContain('readSettings')
  expect(code).not.toContain('export type')
})

test('the database of the network is not served', async () => {
  // Only a file that exists can be served, and a fresh checkout has no database.
  const file = join(dataFolder, 'dev-pages.test.db')
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(file, 'secret')
  try {
    const { status } = await fetch(`${dashboard.dashboardUrl}/.foldboard/dev-pages.test.db`)
    expect(status).toBe(403)
  } finally {
    rmSync(file)
  }
})

test('WebSockets are those of hot reloading and of the local client', async () => {
  expect(await upgrade('/', 'vite-ping')).toBe('open')
  expect(await upgrade('/', 'another')).toBe('Unexpected server response: 404')
  expect(await upgrade('/api/websocket', 'vite-ping')).toBe('Unexpected server response: 502')
})
