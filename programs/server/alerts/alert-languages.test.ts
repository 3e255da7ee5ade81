import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WatchDeps } from '../../../src/actors/incidents/watcher.ts'
import { dataOf } from '../../../test/machines/fleet.ts'
import { kindEntry } from '../../../src/folding/incidents/incident-kinds.ts'
import type { Condition } from '../../../src/folding/incidents/incident.ts'
import { readConfig } from '../config/read-config.ts'
import { inLanguage } from '../locale.ts'
import { openServerStore } from '../store/sqlite.ts'
import { startAlerts } from './alerts.ts'

function channel(name: string, more = ''): string {
  return `[[channels]]\nname = "${name}"\nkind = "webhook"\nurl = "http://${name}.test/"\n${more}`
}
function person(name: string, channels: string, more = ''): string {
  return `[[alerts]]\nname = "${name}"\nchannels = ["${channels}"]\nkinds = ["nonsense"]\ndigest-minutes = 0\n${more}`
}

const MINUTE = 60_000
const NOON = Date.parse('2027-01-01T12:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('each person is told in the language of their settings, or of the channel, and else in English', async () => {
  const read = readConfig({
    file: {
      path: 'test.toml',
      text: [
        channel('plain'),
        channel('french', 'language = "fr"\n'),
        channel('other'),
        person('ana', 'plain'),
        person('benoit', 'french'),
        person('claire', 'other', 'language = "fr"\n'),
        person('dora', 'french', 'language = "en"\n'),
      ].join(''),
    },
  })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  const store = await openServerStore(undefined)
  const sent: string[] = []
  vi.stubGlobal('fetch', (url: string, { body }: { body: string }) => {
    const { title, incidents } = JSON.parse(body) as { title: string; incidents: { cause: string }[] }
    sent.push(`${new URL(url).hostname} ${title}: ${incidents[0]?.cause}`)
    return Promise.resolve(new Response(null, { status: 204 }))
  })
  const readClients = (): ReturnType<WatchDeps['readClients']> => {
    const clientData = dataOf('attic-id', 'attic')
    return [
      {
        machine: 'attic-id',
        name: 'attic',
        owner: undefined,
        view: {
          id: '@attic',
          isDirect: true,
          address: 'attic',
          isConnected: true,
          data: { ...clientData, config: { ...clientData.config, passkey: 'short' } },
        },
        connectedAt: NOON - MINUTE,
        lostAt: undefined,
        isRestored: false,
        isNetworkUp: true,
      },
    ]
  }
  const alerts = await startAlerts({
    settings: read.config,
    store,
    log: pino({ level: 'silent' }),
    version: '0.0.0',
    now: Date.now,
    random: () => 0,
    readClients,
    listClients: () => [],
    act: () => undefined,
    inputs: { inputValue: () => undefined, receive: () => undefined },
    meters: { list: [], receive: () => undefined, currency: () => undefined },
    pushKeys: undefined,
    origin: undefined,
    onIncidents: () => undefined,
    onSettled: () => undefined,
  })
  await vi.advanceTimersByTimeAsync(5 * MINUTE)
  const condition: Condition = {
    kind: 'nonsense',
    gravity: 'warning',
    subject: '',
    since: NOON,
    evidence: { reason: 'passkey-letters' },
  }
  const text = (): string => `attic: ${kindEntry('nonsense').title}: ${kindEntry('nonsense').cause(condition, NOON)}`
  const [english, french] = [text(), inLanguage('fr', text)]
  expect(french).not.toBe(english)
  expect(sent.sort()).toEqual(
    [`plain.test ${english}`, `french.test ${french}`, `other.test ${french}`, `french.test ${english}`].sort(),
  )
  await alerts.stop()
  await store.close()
})

test('a language that there is not is a mistake of the settings', () => {
  for (const text of [
    channel('phone', 'language = "xx"\n'),
    `${channel('phone')}${person('ana', 'phone', 'language = 5\n')}`,
  ]) {
    const read = readConfig({ file: { path: 'test.toml', text } })
    expect(read.ok ? [] : read.mistakes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/language must be one of en, de, /),
    ])
  }
})
