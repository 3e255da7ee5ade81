import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startProgram, type Program } from '../program.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'
import { expect, test as base } from './fixtures.ts'

export { expect } from './fixtures.ts'

/** The built server. */
export const SERVER = join(import.meta.dirname, '../../build/server.js')
const PASSWORD = 'a long enough password'
/** Its hash, of the least cost: programs/server/config/read-config.test.ts makes one by the command. */
const HASH = '$argon2id$v=19$m=8,t=1,p=1$b2YgdGhlIHRlc3Rz$NPx++r3NAI3LvIWOGBFkGw'

export type Client = Awaited<ReturnType<typeof startScriptedClient>>
/** `later`: by so many milliseconds its clock is fast. */
type StartServer = (settings?: string, later?: number) => Promise<{ readonly program: Program; readonly url: string }>

function fastClock(ms: number): readonly string[] {
  return ['--import', `data:text/javascript,const rightTime = Date.now; Date.now = () => rightTime() + ${ms}`]
}

export const test = base.extend<{
  readonly passkey: string
  readonly client: Client
  readonly startServer: StartServer
}>({
  passkey: ['', { option: true }],
  client: async ({ stopAfterTest, passkey }, use) => {
    const data = clientData({ config: { passkey }, units: [unitData()], groups: { '': { config: groupConfig() } } })
    await use(stopAfterTest(await startScriptedClient(data)))
  },
  /** The built server with its settings in a file, in a folder that it keeps over starts. */
  startServer: async ({ client, stopAfterTest }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-server-'))
    const user = (role: string) => `[[users]]\nname = "${role}"\nrole = "${role}"\npassword = "${HASH}"\n`
    const { host, port } = client.address
    await use(async (settings = '', later = 0) => {
      writeFileSync(
        join(folder, 'foldboard-server.toml'),
        `${['viewer', 'operator', 'administrator'].map(user).join('')}[[machines]]\naddress = "${host}:${port}"\ncommands = ["state"]\n${settings}`,
      )
      const words = [...fastClock(later), SERVER, '--port', '0']
      const program = stopAfterTest(startProgram(process.execPath, words, { cwd: folder }))
      const [, bound = ''] = await program.says(/"port":(\d+),.*"msg":"server listens"/)
      await expect.poll(client.readers).toBe(1)
      return { program, url: `http://localhost:${bound}` }
    })
    rmSync(folder, { recursive: true, force: true })
  },
})

export async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export function commandsOf(client: Client) {
  return client.untakenCommands().filter(({ cmd }) => cmd === 'state')
}
