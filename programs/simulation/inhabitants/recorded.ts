import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRealm, type Realm, type RealmOptions } from '../realms/realm.ts'
import type { Internet } from '../internet/internet.ts'
import type { End } from '../internet/connection.ts'
import { isJsonList, isJsonObject, type Json } from '../../../src/protocol/json.ts'
import { SECOND } from '../time/durations.ts'

type Line = { readonly ms: number; readonly dir: string; readonly type: string; readonly raw: string }

/** Clients send this when they had nothing to say for 15 s. */
const PING = '"ping"'
const SILENCE = 15 * SECOND

const TIME = /"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)"/g

/** Names of the recordings of directly connected clients, which end with `.jsonl`; none where there is no such folder. */
export function recordingsIn(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter(file => /^direct-.*\.jsonl$/.test(file))
        .sort()
    : []
}

function linesOf(path: string): readonly Line[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line)
    .filter(({ dir, type }) => dir === 'in' && type === 'text')
}

/** The times of a recording as if it had begun at `start`. */
function shifted(lines: readonly Line[], start: number): readonly Line[] {
  const first = lines.flatMap(({ raw }) => [...raw.matchAll(TIME)].map(([, time = '']) => Date.parse(time)))
  const by = start - Math.max(...first)
  const isoAt = (time: string): string => new Date(Date.parse(time) + by).toISOString().replace(/\.\d+Z$/, 'Z')
  return lines.map(line => ({ ...line, raw: line.raw.replaceAll(TIME, (_all, time: string) => `"${isoAt(time)}"`) }))
}

/** Applies a change, a path and a value, to a document as docs/protocol.md §2 says. */
function applyTo(document: object, change: readonly Json[]): void {
  const path = change.slice(0, -1) as readonly (string | number)[]
  const [key, value] = [path.at(-1) ?? '', change.at(-1) ?? null]
  let place = document
  for (const step of path.slice(0, -1)) place = Reflect.get(place, step) as object
  if (!Array.isArray(place)) {
    if (value === null) Reflect.deleteProperty(place, key)
    else Reflect.set(place, key, value)
  } else if (key === -1) place.push(value)
  else if (key === -2) place.push(...(isJsonList(value) ? value : []))
  else if (value === null) place.splice(Number(key), 1)
  else place[Number(key)] = value
}

/** A client that says again what a real one was recorded to say. `said`: what follows from that, as one document. */
export type RecordedClient = { readonly realm: Realm; readonly said: () => Json }

const STATE: ReadonlySet<unknown> = new Set(['info', 'config', 'groups', 'units'])

export function startRecorded(path: string, port: number, internet: Internet, options: RealmOptions): RecordedClient {
  const realm = createRealm(options)
  const lines = shifted(linesOf(path), realm.trueNow())
  const [begin = 0] = lines.map(({ ms }) => ms)
  const readers = new Set<End>()
  const sent: string[] = []
  let document: Json = null
  let isPinging = false

  const send = (end: End, text: string): void => end.send({ type: 'message', data: Buffer.from(text), isBinary: false })
  const sendLine = (raw: string): void => {
    const message = JSON.parse(raw) as Json
    if (isJsonObject(message)) document = message
    else if (isJsonList(message) && STATE.has(message[0]) && isJsonObject(document)) applyTo(document, message)
    sent.push(raw)
    for (const end of readers) send(end, raw)
  }
  const ping = (): void => {
    for (const end of readers) send(end, PING)
    realm.after(SILENCE, 'ping', ping)
  }
  for (const { ms, raw } of lines) if (ms === begin) sendLine(raw)
  const begun = (): void => {
    if (isPinging) return
    isPinging = true
    for (const { ms, raw } of lines) if (ms > begin) realm.after(ms - begin, 'recorded', () => sendLine(raw))
    realm.after(SILENCE, 'ping', ping)
  }

  internet.listen(port, {
    realm,
    answer: () => Promise.resolve({ status: 404, headers: [], body: Buffer.alloc(0) }),
    upgrade: (_call, end) => {
      readers.add(end)
      end.handler = {
        received: frame => {
          if (frame.type === 'ping') end.send({ type: 'pong', data: frame.data })
          else if (frame.type === 'closing') end.destroy()
        },
        answersPings: () => true,
        ended: () => void readers.delete(end),
      }
      end.send({ type: 'pong', data: Buffer.from('upgrade') })
      for (const raw of sent) send(end, raw)
      begun()
    },
  })
  return { realm, said: () => document }
}
