import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { pathOf, type ServerOptions } from './server.ts'
import { createFiles, encodingFor, fileOf, type StaticFile } from './files.ts'
import { headersOf, SECURITY_HEADERS } from './headers.ts'
import { withSettings, type PageSettings } from './settings.ts'

export type PagesOptions = {
  /** The built dashboard. */
  folder: string
  /** Read for each request. */
  settings: () => PageSettings
}

/** What answers at the dashboard's origin, apart from `/api/websocket`. */
export type Pages = {
  answer: RequestListener
  upgrade: ServerOptions['upgrade']
  stop: () => Promise<void>
}

export type BuiltPages = Pages & {
  /** Answers with a file of the program, which has no settings, or calls `otherwise`. */
  answerFile: (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void
}

export type CreatePages = (options: PagesOptions) => Pages | Promise<Pages>

const NAMED_BY_CONTENT = /^\/assets\/[^/]{1,100}-[\w-]{8,64}\.\w{1,10}$/
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

const NOT_BUILT =
  '<!doctype html><meta charset="utf-8"><title>Foldboard</title><p>The dashboard is not built yet. Run <code>npm run build</code>, then load this page again.</p>'

function sendText(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { ...SECURITY_HEADERS, 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text)
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
  cache: string,
  security = SECURITY_HEADERS,
): Promise<void> {
  const headers = {
    ...security,
    'Content-Type': file.type,
    'Cache-Control': cache,
    ETag: file.tag,
    Vary: 'Accept-Encoding',
  }
  if (request.headers['if-none-match'] === file.tag) {
    response.writeHead(304, headers).end()
    return
  }
  const raw = await file.body('identity')
  const accepts = request.headers['accept-encoding']
  const encoding = encodingFor(typeof accepts === 'string' ? accepts : undefined, file.type, raw.length)
  const body = await file.body(encoding)
  response.writeHead(200, {
    ...headers,
    'Content-Length': body.length,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Serves the built dashboard: its files, and index.html for every address of the app. */
export function createPages({ folder, settings }: PagesOptions): BuiltPages {
  const fileAt = createFiles(folder)
  let made: { from: string; file: StaticFile } | undefined

  const indexFile = async (): Promise<StaticFile | undefined> => {
    const index = await fileAt('/index.html')
    if (index === undefined) return undefined
    const html = withSettings(index.text(), settings())
    if (made?.from !== html) made = { from: html, file: fileOf('index.html', Buffer.from(html, 'utf8')) }
    return made.file
  }

  const answerFile = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const path = pathOf(request)
    const file = path === '/' || path === '/index.html' ? undefined : await fileAt(path)
    if (file === undefined) return false
    await sendFile(request, response, file, NAMED_BY_CONTENT.test(path) ? FOR_EVER : ASK_AGAIN, headersOf(path))
    return true
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendText(response, 405, 'Only GET and HEAD')
      return
    }
    if (await answerFile(request, response)) return
    const path = pathOf(request)
    if (path === '/api' || path.startsWith('/api/') || path.startsWith('/assets/')) {
      sendText(
        response,
        path === '/api/websocket' ? 400 : 404,
        path === '/api/websocket' ? 'A WebSocket is wanted here' : 'Not found',
      )
      return
    }
    const index = await indexFile()
    if (index === undefined) sendText(response, 503, NOT_BUILT, 'text/html; charset=utf-8')
    else await sendFile(request, response, index, ASK_AGAIN)
  }

  const fail = (response: ServerResponse): void => {
    if (response.headersSent) response.destroy()
    else sendText(response, 500, 'The file could not be read')
  }

  return {
    answer: (request, response) => {
      answer(request, response).catch(() => fail(response))
    },
    answerFile: (request, response, otherwise) => {
      answerFile(request, response)
        .then(isAnswered => {
          if (!isAnswered) otherwise()
        })
        .catch(() => fail(response))
    },
    upgrade: () => 404,
    stop: () => Promise.resolve(),
  }
}
