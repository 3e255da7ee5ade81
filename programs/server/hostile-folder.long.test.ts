import { chmodSync, chownSync, cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { clientData, startScriptedClient, unitData } from '../../test/end-to-end/scripted-client.ts'
import { startProgram } from '../../test/program.ts'
import { useStopLater } from '../../test/stop-later.ts'
import { openServerStore } from './store/sqlite.ts'

const stopLater = useStopLater()
const SERVER = join(import.meta.dirname, '../../build/server.js')
const WAIT = { timeout: 15_000, interval: 50 }
/** Permissions do not bind root. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-folder-'))
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  stopLater({ stop: () => rmSync(folder, { recursive: true, force: true }) })
  return folder
}
function setWritable(folder: string, isWritable: boolean): void {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), isWritable ? 0o600 : 0o400)
  chmodSync(folder, isWritable ? 0o700 : 0o500)
}
/** What is stored, read from a copy: nothing of the database in use is changed. */
async function storedIn(folder: string) {
  const copy = newFolder()
  const isFile = (name: string): boolean => !lstatSync(name).isSocket()
  cpSync(folder, copy, { recursive: true, filter: isFile })
  setWritable(copy, true)
  const store = await openServerStore(copy)
  try {
    const { units } = await store.units({}, 1000)
    return { units: units.map(({ unit }) => unit).sort(), tagged: Object.keys((await store.shared.load()).tags) }
  } finally {
    await store.close()
  }
}

test.skipIf(process.platform === 'win32')(
  'a folder that becomes read-only: what is acknowledged is stored, and no server starts an empty database',
  async () => {
    const folder = newFolder()
    const attic = stopLater(await startScriptedClient(clientData({ units: [unitData()] })))
    const { host, port } = attic.address
    const words = [process.execPath, SERVER, '--port', '0', '--data', folder, '--client', `${host}:${port}`]
    const user = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups']
    const launch = () => {
      const [command = '', ...rest] = isRoot ? ['setpriv', ...user, ...words] : words
      return stopLater(startProgram(command, rest, { cwd: folder, environment: { FOLDBOARD_LOG_FORMAT: 'json' } }))
    }
    const start = async () => {
      const program = launch()
      const [, bound = ''] = await program.says(/"port":(\d+),.*"msg":"server listens"/)
      await program.says(/"msg":"machine connected"/)
      const origin = `http://127.0.0.1:${bound}`
      const post = async (path: string, body: object): Promise<number> => {
        const headers = { Origin: origin }
        return (await fetch(`${origin}/api/server/${path}`, { method: 'POST', body: JSON.stringify(body), headers }))
          .status
      }
      return { program, post, ready: async () => (await fetch(`${origin}/readyz`)).status }
    }

    const units: { id: string }[] = []
    const tagged: string[] = []
    let server = await start()
    let rounds = 0
    /** A second of units and changes. */
    const work = async (): Promise<readonly number[]> => {
      const statuses = new Set<number>()
      for (let at = 0; at < 10; at++) {
        const name = `m${++rounds}`
        units.push({ id: name, ...ENDED })
        attic.say(['wus', units])
        const status = await server.post('shared', { type: 'tags.add', machines: [name], tag: 'warm' })
        statuses.add(status)
        if (status === 200) tagged.push(name)
        await delay(100)
      }
      return [...statuses]
    }
    const isStored = () =>
      vi.waitFor(async () => {
        const { units: stored, tagged: storedTags } = await storedIn(folder)
        expect(stored).toEqual(units.map(({ id }) => id).sort())
        expect(storedTags).toEqual(expect.arrayContaining(tagged))
      }, WAIT)
    expect(await work()).toEqual([200])

    setWritable(folder, false)
    const statuses = await work()
    const [ready, stored] = [await server.ready(), await storedIn(folder)]
    // It has its files open, and writes on; a server that could not would say so.
    expect(statuses).toEqual([ready === 200 ? 200 : 500])
    if (ready === 200) await isStored()
    expect(stored.tagged).toEqual(expect.arrayContaining(tagged))
    setWritable(folder, true)
    expect(await work()).toEqual([200])
    await isStored()
    expect(await server.ready()).toBe(200)

    setWritable(folder, false)
    await work()
    await server.program.stop()
    const refused = launch()
    expect(await refused.ended).toBe(1)
    expect(refused.printed()).toContain(folder)
    expect(refused.printed()).not.toMatch(/^\s+at /m)
    expect((await storedIn(folder)).tagged).toEqual(expect.arrayContaining(tagged))
    setWritable(folder, true)
    server = await start()
    expect(await work()).toEqual([200])
    await isStored()
  },
  90_000,
)

const ENDED = {
  group: '',
  result: 'credited',
  end_time: '2027-01-01T00:00:00Z',
  assignment: { project: 1, credit: 5 },
}
