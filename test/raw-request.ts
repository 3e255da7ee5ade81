import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

export type RawAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }

export type RawRequest = {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends what `fetch` would not: any Host, any Origin, any path. A stream is left after its headers. */
export function askRaw(
  port: number,
  { method = 'GET', path, headers = {}, body }: RawRequest,
  isStream = false,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, response => {
      const { statusCode: status = 0, headers: answered } = response
      let text = ''
      const done = (): void => resolve({ status, headers: answered, text })
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', done).on('error', reject)
      if (!isStream || answered['content-type'] !== 'text/event-stream' || method === 'HEAD') return
      done()
      asking.destroy()
    })
    asking.on('socket', socket => socket.on('error', reject))
    asking.on('error', reject).end(body)
  })
}

/** Sends bytes, and resolves with everything that is answered until the server closes the connection. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    connect({ host: '127.0.0.1', port })
      .setEncoding('latin1')
      .on('data', part => (text += String(part)))
      .on('close', () => resolve(text))
      .on('error', reject)
      .end(bytes)
  })
}
