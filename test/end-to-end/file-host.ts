import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { contentTypeOf } from '../../programs/host/content-types.ts'

/** A static host as a person rents one: files below a path, and 404.html for all others. */
export async function startFileHost(
  folder: string,
  path: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    const name = pathname.startsWith(path) ? pathname.slice(path.length) || 'index.html' : '404.html'
    const send = async (status: number, file: string): Promise<void> => {
      const content = await readFile(join(folder, file))
      response.writeHead(status, { 'Content-Type': contentTypeOf(file) }).end(content)
    }
    send(200, name).catch(() => send(404, '404.html').catch(() => response.destroy()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}${path}`,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
