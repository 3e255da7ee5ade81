import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alertingModel } from '../../../models/alerting.model.ts'
import type { WatchDeps } from '../../../src/actors/incidents/watcher.ts'
import { simpleJourneysOf, walkJourney, type Driver } from '../../../test/journey.ts'
import { dataOf } from '../../../test/machines/fleet.ts'
import { readConfig } from '../config/read-config.ts'
import { openServerStore } from '../store/sqlite.ts'
import { startAlerts, type Alerts } from './alerts.ts'

const SETTINGS = `
[[channels]]
name = "phone"
kind = "webhook"
url = "http://phone.test/"
[[channels]]
name = "mail"
kind = "webhook"
url = "http://mail.test/"
[[alerts]]
name = "ana"
channels = ["phone", "mail"]
kinds = ["nonsense"]
digest-minutes = 0
quiet = { from = "22:00", until = "00:30" }
`
const MINUTE = 60_000
// Two hours before the quiet hours, which are few: longer than the steps that are to happen before them.
const EVENING = Date.parse('2027-01-01T20:00:00Z')

/** A server with one client, whose clock and receivers are the test's. */
async function startDriver() {
  const read = readConfig({ file: { path: 'test.toml', text: SETTINGS } })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  const settings = read.config
  const store = await openServerStore(undefined)
  let isWrong = false
  let phoneFails = false
  const tried = { phone: 0, mail: 0 }
  const sent: Record<'phone' | 'mail', string[]> = { phone: [], mail: [] }
  vi.stubGlobal('fetch', (url: string, { body }: { body: string }) => {
    const name = url.includes('phone') ? 'phone' : 'mail'
    tried[name]++
    if (name === 'phone' && phoneFails) return Promise.resolve(new Response(null, { status: 503 }))
    const { incidents } = JSON.parse(body) as { incidents: { state: string }[] }
    sent[name].push(...incidents.map(({ state }) => state))
    return Promise.resolve(new Response(null, { status: 204 }))
  })
  const readClients = (): ReturnType<WatchDeps['readClients']> => {
    const clientData = dataOf('attic-id', 'attic')
    const data = { ...clientData, config: { ...clientData.config, passkey: isWrong ? 'short' : '' } }
    return [
      {
        machine: 'attic-id',
        name: 'attic',
        owner: undefined,
        view: { id: '@attic', isDirect: true, address: 'attic', isConnected: true, data },
        connectedAt: EVENING - MINUTE,
        lostAt: undefined,
        isRestored: false,
        isNetworkUp: true,
      },
    ]
  }
  const start = (): Promise<Alerts> =>
    startAlerts({
      settings,
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
  let alerts = await start()
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
  await pass(5000)
  const driver: Driver<typeof alertingModel> = {
    does: {
      'something goes wrong': async () => {
        isWrong = true
        await pass(2 * MINUTE)
      },
      'acknowledge it': async () => {
        const keys = alerts.incidents().map(({ key }) => key)
        expect(alerts.change({ type: 'incidents.acknowledge', keys })).toBe(1)
        await pass(90 * MINUTE)
      },
      'let half an hour pass': () => pass(30 * MINUTE),
      'it ends': async () => {
        isWrong = false
        await pass(3 * MINUTE)
      },
      'the phone fails': () => {
        phoneFails = true
      },
      'the phone works again': async () => {
        phoneFails = false
        await pass(5 * MINUTE)
      },
      'the night begins': () => pass(3 * 60 * MINUTE),
      'the morning comes': () => pass(2 * 60 * MINUTE),
      'start the server again': async () => {
        await alerts.stop()
        await pass(MINUTE)
        alerts = await start()
        await pass(MINUTE)
      },
    },
    sees: {
      well: () => expect(sent).toEqual({ phone: [], mail: [] }),
      told: () => expect(sent).toEqual({ phone: ['open'], mail: [] }),
      restarted: () => expect(sent).toEqual({ phone: ['open'], mail: [] }),
      known: () => expect(sent).toEqual({ phone: ['open'], mail: [] }),
      over: () => expect(sent).toEqual({ phone: ['open', 'ended'], mail: [] }),
      escalated: () => expect(sent).toEqual({ phone: ['open'], mail: ['open'] }),
      overForAll: () => expect(sent).toEqual({ phone: ['open', 'ended'], mail: ['open', 'ended'] }),
      unreachable: () => expect(tried).toEqual({ phone: 0, mail: 0 }),
      unsent: () => {
        expect(tried.phone).toBeGreaterThan(1)
        expect(sent.phone).toEqual([])
      },
      toldLate: () => expect(sent.phone).toEqual(['open']),
      night: () => expect(sent).toEqual({ phone: [], mail: [] }),
      held: () => expect(tried).toEqual({ phone: 0, mail: 0 }),
      spared: async () => {
        await pass(2 * 60 * MINUTE)
        expect(tried).toEqual({ phone: 0, mail: 0 })
      },
    },
  }
  return { driver, stop: async () => alerts.stop().then(() => store.close()) }
}

describe('alerting, in process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: EVENING })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  for (const journey of simpleJourneysOf(alertingModel))
    it(journey.title, async () => {
      const { driver, stop } = await startDriver()
      await walkJourney(driver, journey)
      await stop()
    })
})
