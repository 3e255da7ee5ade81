import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createVite, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCatalog, writeTranslation } from '../../scripts/vite/catalogs.ts'
import { translate } from '../../scripts/vite/translate.ts'

async function findPlaces() {
  return new Map([...(await readCatalog('en'))].map(([id, { message }]) => [id, [`src/${message}.tsx`]] as const))
}

let vite: ViteDevServer
let server: Server
beforeAll(async () => {
  vite = await createVite({
    configFile: false,
    logLevel: 'error',
    plugins: [translate(findPlaces)],
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  server = createServer(vite.middlewares).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
})
afterAll(async () => {
  server.close()
  await vite.close()
})

function call(path: string, site: string, body?: object): Promise<{ status: number; json: unknown }> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request({ port, path, method, headers: { 'Sec-Fetch-Site': site } }, response => {
      let text = ''
      response.on('data', part => (text += String(part)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) as unknown }))
    })
    sent.on('error', reject)
    sent.end(body === undefined ? '' : JSON.stringify(body))
  })
}

test('all messages are given with their places and translations', async () => {
  const { json } = await call('/translations/fr', 'same-origin')
  const entries = json as { message: string; translation: string; places: string[] }[]
  expect(entries.length).toBe((await readCatalog('en')).size)
  const found = entries.find(({ message }) => message === 'Projects')
  expect(found?.places).toEqual(['src/Projects.tsx'])
  expect(found?.translation).toBe(
    [...(await readCatalog('fr')).values()].find(({ message }) => message === 'Projects')?.translation,
  )
})

test('what another site sends, what is malformed and what lost a placeholder is not written', async () => {
  const before = readFileSync('src/locales/fr.po', 'utf8')
  const [id] = [...(await readCatalog('en'))].find(([, { message }]) => message === '{listed} and {more} more') ?? []
  expect(id).toBeDefined()
  expect((await call('/translations/fr', 'cross-site', { id, translation: '{listed} et {more} de plus' })).status).toBe(
    403,
  )
  expect((await call('/translations/fr', 'same-origin', { id: 'none', translation: 'x' })).status).toBe(400)
  expect((await call('/translations/fr', 'same-origin', { id, translation: 5 })).status).toBe(400)
  expect(await call('/translations/fr', 'same-origin', { id, translation: 'encore' })).toEqual({
    status: 200,
    json: { faults: ['placeholders: listed more became none'] },
  })
  expect(readFileSync('src/locales/fr.po', 'utf8')).toBe(before)
})

test('a translation is written into its file, and nothing else there changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-'))
  for (const name of ['en.po', 'fr.po']) copyFileSync(join('src/locales', name), join(folder, name))
  const before = await readCatalog('fr', folder)
  const [id = ''] = [...before].find(([, { message }]) => message === 'Projects') ?? []
  await writeTranslation('fr', id, 'Les projets', folder)
  const after = await readCatalog('fr', folder)
  expect([...after].filter(([key, entry]) => entry.translation !== before.get(key)?.translation)).toEqual([
    [id, { ...before.get(id), translation: 'Les projets' }],
  ])
  await writeTranslation('nl', id, 'Projecten', folder)
  expect([...(await readCatalog('nl', folder)).values()].map(({ translation }) => translation)).toEqual(['Projecten'])
})
