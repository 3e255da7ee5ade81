/*
 * While a server runs, no other process can read its SQLite database. The command `backup` asks it for a copy, through a
 * socket in the folder of the database, which only its owner can enter. The copy lasts as long as the connection.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import * as v from 'valibot'
import { StartError } from '../../host/start-error.ts'
import { backUp, inNewFile } from './backup.ts'

const SOCKET = 'backup.sock'
const COPY = 'live-backup-'
/** Of each of them, a copy of the database fills the disk meanwhile. */
const MOST_AT_ONCE = 1

const answerSchema = v.union([v.object({ copy: v.string() }), v.object({ error: v.string() })])
type Answer = v.InferOutput<typeof answerSchema>

/** Makes copies for the command `backup` as long as the process runs. Only the server that has the database may ask. */
export async function answerBackups(folder: string): Promise<void> {
  for (const left of readdirSync(folder).filter(name => name.startsWith(COPY) || name === SOCKET))
    rmSync(join(folder, left))
  const server = createServer({ allowHalfOpen: true }, socket => {
    const copy = join(folder, `${COPY}${randomUUID()}.db`)
    const made: Promise<Answer> = backUp(folder, copy).then(
      () => ({ copy }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : 'unknown reason' }),
    )
    void made.then(answer => socket.end(JSON.stringify(answer)))
    socket.on('error', () => undefined)
    // One that stays is removed at the next start.
    socket.on('close', () => void made.then(() => rmSync(copy, { force: true })).catch(() => undefined))
    socket.resume()
  })
  server.maxConnections = MOST_AT_ONCE
  server.listen(join(folder, SOCKET))
  await once(server, 'listening')
  server.unref()
}

/** Undestroyed, since the copy lasts as long as the connection. Rejects where no server listens. */
async function answerOf(socket: Socket): Promise<string> {
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part))
  await Promise.race([once(socket, 'end'), once(socket, 'close')])
  return answer
}

/** Writes a copy of a database, by the server that uses it if one does. */
export async function copyDatabase(folder: string, file: string): Promise<void> {
  const socket = connect({ path: join(folder, SOCKET), allowHalfOpen: true })
  try {
    const answer = await answerOf(socket).catch(() => undefined)
    if (answer === '') throw new StartError('The server makes another backup now. Try it again when that is done.')
    const made = answer === undefined ? undefined : v.parse(answerSchema, JSON.parse(answer))
    if (made === undefined) await backUp(folder, file)
    else if ('error' in made) throw new StartError(made.error)
    else await inNewFile(file, () => copyFile(made.copy, file))
  } finally {
    socket.destroy()
  }
}
