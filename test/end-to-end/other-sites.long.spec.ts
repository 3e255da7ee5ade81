import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '../playwright.config.ts'
import { startProgram } from '../program.ts'
import { commandsOf, expect, SERVER, test } from './server-program.ts'

/* A server without users, and pages of other sites in the same browser. */

test.use(launch(['--host-resolver-rules=MAP evil.example 127.0.0.1']))

const COMMAND = '{"command":{"cmd":"state","state":"pause"}}'

test('a page of another site, and one at a name that was rebound, reach no route of a server without users', async ({
  browser,
  client,
  stopAfterTest,
}) => {
  // What is refused is an error on the page, which other tests forbid.
  const page = await browser.newPage()
  const { host, port } = client.address
  const words = [SERVER, '--port', '0', '--client', `${host}:${port}`, '--allow', 'state']
  const cwd = mkdtempSync(join(tmpdir(), 'foldboard-server-'))
  const program = stopAfterTest(startProgram(process.execPath, words, { cwd }))
  const [, bound = ''] = await program.says(/"port":(\d+),.*"msg":"server listens"/)
  await program.says(/"msg":"machine connected"/)
  const other = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Another site</title>')
  }).listen(0, '127.0.0.1')
  stopAfterTest({ stop: () => other.close() })
  await expect.poll(() => other.address()).not.toBeNull()
  const otherPort = (other.address() as AddressInfo).port

  const server = `http://localhost:${bound}`
  const answered: (readonly [string, number])[] = []
  page.on('response', response => {
    const url = new URL(response.url())
    if (url.port === bound) answered.push([`${response.request().method()} ${url.pathname}`, response.status()])
  })
  /** What a page can try; what it learns is returned. */
  const attack = (target: string) =>
    page.evaluate(
      async ([origin, command]) => {
        const learned: string[] = []
        const paths = ['/api/server/machines', '/api/server/session', '/', '/start.js', '/api/client']
        for (const path of paths)
          for (const options of [{}, { mode: 'no-cors' as const }, { headers: { Authorization: 'Bearer x' } }])
            await fetch(`${origin}${path}`, { ...options, credentials: 'include' })
              .then(async response => {
                if (response.ok) learned.push(`${path}: ${await response.text()}`)
              })
              .catch(() => undefined)
        const load = (tag: 'script' | 'img' | 'iframe', path: string) =>
          new Promise<void>(resolve => {
            const element = document.createElement(tag)
            element.onload = () => {
              if (tag !== 'iframe') learned.push(`${tag} ${path}`)
              resolve()
            }
            element.onerror = () => resolve()
            element.src = `${origin}${path}`
            document.body.append(element)
          })
        await load('script', '/api/server/units?format=csv')
        await load('img', '/icons/icon.svg')
        await load('iframe', '/machines')
        for (const type of ['text/plain', 'application/json'])
          await fetch(`${origin}/api/server/machines/1/commands`, {
            method: 'POST',
            body: command,
            headers: { 'Content-Type': type },
          })
            .then(response => response.ok && learned.push('command'))
            .catch(() => undefined)
        await new Promise<void>(resolve => {
          const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/websocket`)
          socket.onmessage = ({ data }) => {
            learned.push(String(data))
            resolve()
          }
          socket.onclose = () => resolve()
        })
        return learned
      },
      [target, COMMAND] as const,
    )

  await page.goto(`http://127.0.0.1:${otherPort}/`)
  expect(await attack(server)).toEqual([])
  // What CORS hides from the page is hidden here too.
  expect(answered.length).toBeGreaterThan(4)
  expect(answered.filter(([, status]) => status !== 403)).toEqual([])

  // The same port, under a name that now leads to this computer.
  answered.length = 0
  await page.goto(`http://evil.example:${bound}/`)
  expect(await attack(`http://evil.example:${bound}`)).toEqual([])
  expect(answered.length).toBeGreaterThan(10)
  expect(answered.filter(([, status]) => ![401, 403, 421].includes(status))).toEqual([])

  expect(commandsOf(client)).toEqual([])
  // A link of another site may lead to the pages.
  await page.goto(`http://127.0.0.1:${otherPort}/`)
  await page.setContent(`<a href="${server}/machines">Machines</a>`)
  await page.getByRole('link', { name: 'Machines' }).click()
  await expect(page).toHaveTitle(/Foldboard/)
  await expect(page.getByText('puppet').first()).toBeVisible()
})
