import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import { startNameServer } from './name-server.ts'
import type { WorkAuthority } from './work-authority.ts'

/** Where clients look for assignment servers that are named without a port. */
const PORT = 443
/** Where clients before 8.5 look for the list of GPUs, without which they ask for no work. */
const API_HOST = 'api.foldingathome.org'
const CORE_PATH = '/cores/aa.tar'
const HOUR = 3600

/** JSON as clients write it: lists and objects that contain others are indented, the rest is on one line. */
function asClientsWrite(value: Json, margin = ''): string {
  if (!isJsonList(value) && !isJsonObject(value)) return JSON.stringify(value)
  const [open, close] = isJsonList(value) ? '[]' : '{}'
  const isFlat = Object.values(value).every(part => typeof part !== 'object' || part === null)
  const inner = isFlat ? '' : `${margin}  `
  const parts = Object.entries(value).map(([key, part]) => {
    const written = asClientsWrite(part, inner)
    return `${inner}${isJsonList(value) ? '' : `${JSON.stringify(key)}: `}${written}`
  })
  return isFlat ? `${open}${parts.join(', ')}${close}` : `${open}\n${parts.join(',\n')}\n${margin}${close}`
}

function part(value: Json | undefined, key: string): JsonObject {
  const inner = isJsonObject(value) ? value[key] : undefined
  return isJsonObject(inner) ? inner : {}
}

/** A key for these servers with its certificate, as PEM. */
function createKey(): string {
  const names = ['-subj', '/CN=Work servers of tests', '-addext', `subjectAltName=IP:127.0.0.1,DNS:${API_HOST}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-keyout', '-', '-out', '-']
  return execFileSync('openssl', ['req', '-x509', '-nodes', '-days', '2', ...kind, ...names], {
    stdio: 'pipe',
  }).toString()
}

/** The archive of the core; the program in it is run by this Node.js. */
function packCore(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-core-'))
  mkdirSync(join(folder, 'aa'))
  const program = join(folder, 'aa', 'FahCore_aa')
  writeFileSync(program, `#!${process.execPath}\n${readFileSync(join(import.meta.dirname, 'core.cjs'), 'utf8')}`)
  chmodSync(program, 0o755)
  execFileSync('tar', ['--format=ustar', '-C', folder, '-cf', join(folder, 'aa.tar'), 'aa'])
  const archive = readFileSync(join(folder, 'aa.tar'))
  rmSync(folder, { recursive: true })
  return archive
}

function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`
}

export type WorkServers = {
  /** PEM, for the clients that are to trust them. */
  readonly certificate: string
  /** How many units were given to clients. */
  readonly issued: () => number
  readonly printed: () => string
  readonly stop: () => void
}

/**
 * An assignment and a work server in one, which has work for everybody. `seconds`: how long a work unit takes; `downloadMs`: how
 * long clients wait for it.
 */
export async function startWorkServers(
  authority: WorkAuthority,
  seconds: number,
  downloadMs = 0,
): Promise<WorkServers> {
  const key = createKey()
  const certificate = key.slice(key.indexOf('-----BEGIN CERTIFICATE'))
  const core = packCore()
  const lines: string[] = []
  let units = 0

  const assign = (request: JsonObject): Json => {
    const cpus = part(part(part(request, 'data'), 'resources'), 'cpu')['cpus'] ?? 1
    const data = {
      time: now(),
      ws: '127.0.0.1',
      port: PORT,
      project: 18_201,
      cpus,
      min_cpus: 1,
      max_cpus: cpus,
      gpus: [],
      core: {
        type: '0xaa',
        url: `https://127.0.0.1${CORE_PATH}`,
        sha256: createHash('sha256').update(core).digest('hex'),
      },
      timeout: 24 * HOUR,
      deadline: 72 * HOUR,
      credit: 1000,
    }
    const signature = authority.sign(asClientsWrite(request), asClientsWrite(data))
    return { request, assignment: { certificate: authority.certificate, signature, data } }
  }

  const issue = ({ request = null, assignment = null }: JsonObject): Json => {
    const work = JSON.stringify({ seconds, padding: ' '.repeat(100_000) })
    units++
    const data = {
      run: units,
      clone: 0,
      gen: 0,
      cs: [],
      server: '127.0.0.1',
      time: now(),
      sha256: createHash('sha256').update(work).digest('base64'),
    }
    const signature = authority.sign(...[request, assignment, data].map(signed => asClientsWrite(signed)))
    const wu = { certificate: authority.certificate, intermediate: '', signature, data }
    return { request, assignment, wu, data: Buffer.from(work).toString('base64') }
  }

  const answer = async (request: IncomingMessage): Promise<Json | Buffer | string | undefined> => {
    // Clients before 8.5 name the whole address.
    const { pathname } = new URL(request.url ?? '', 'https://127.0.0.1')
    if (request.method === 'GET') {
      if (pathname === '/gpus') return '[]'
      if (pathname === `${CORE_PATH}.crt`) return authority.certificate
      if (pathname === `${CORE_PATH}.sig`) return authority.sign(core)
      return pathname === CORE_PATH ? core : undefined
    }
    const body = JSON.parse((await buffer(request)).toString()) as Json
    if (!isJsonObject(body)) return undefined
    if (pathname.startsWith('/api/results'))
      return { results: { status: part(body, 'results')['status'] ?? '' }, credit: 1234 }
    if (body['request'] === undefined) return assign(body)
    await wait(downloadMs)
    return issue(body)
  }

  const server = createServer({ key, cert: certificate }, (request, response) => {
    void answer(request)
      .catch((error: unknown) => {
        lines.push(String(error))
        return undefined
      })
      .then(content => {
        lines.push(`${now()} ${request.method} ${request.url} ${content === undefined ? 'refused' : ''}`)
        if (content === undefined) response.writeHead(404).end()
        else if (typeof content === 'string' || Buffer.isBuffer(content)) response.end(content)
        else response.setHeader('Content-Type', 'application/json').end(JSON.stringify(content))
      })
  })
  server.on('tlsClientError', error => lines.push(String(error)))
  server.listen(PORT, '127.0.0.1')
  await once(server, 'listening')
  const names = await startNameServer()
  return {
    certificate,
    issued: () => units,
    printed: () => lines.join('\n'),
    stop: () => {
      server.closeAllConnections()
      server.close()
      names.stop()
    },
  }
}
