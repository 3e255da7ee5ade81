import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clientData, groupConfig, unitData } from '../../test/end-to-end/scripted-client.ts'
import { startHostileClient, type Attack } from '../../test/hostile-client.ts'
import { useService } from '../../test/server-service.ts'

const { start, client, openPage, stopLater } = useService()

const MEBIBYTE = 1_048_576
const SECONDS = 10

let snapshots = 0
function snapshot(data: Parameters<typeof clientData>[0] = {}) {
  return clientData({ info: { id: `hostile-${++snapshots}` }, units: [unitData()], ...data })
}
function groups(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`group ${at}`, { config: groupConfig() }]))
}
function units(count: number) {
  return Array.from({ length: count }, (_, at) =>
    unitData({ id: `unit ${at}`, number: at, group: `group ${at % 200}` }),
  )
}

const attacks: Readonly<Record<string, Attack>> = {
  'new keys at 40 MB a second': async send => {
    await send(snapshot())
    for (let at = 0; ; at++) {
      await send(['info', `key ${at}`, 'x'.repeat(40_000)])
      await delay(1)
    }
  },
  '20,000 groups at 200 changes a second': async send => {
    await send(snapshot({ groups: groups(20_000) }))
    for (let at = 0; ; at++) {
      await send(['groups', `group ${at % 20_000}`, 'config', 'cpus', at])
      await delay(5)
    }
  },
  'everything just below the limits, as fast as it can': async send => {
    await send(snapshot({ groups: groups(200), units: units(900) }))
    for (let at = 0; ; at++) await send(['units', at % 900, 'state', at % 2 === 0 ? 'RUN' : 'ASSIGN'])
  },
  'everything just below the limits, at 2,000 changes a second': async send => {
    await send(snapshot({ groups: groups(200), units: units(900) }))
    for (let at = 0; ; at++) {
      for (let each = 0; each < 20; each++) await send(['units', each, 'pause_reason', `reason ${at}`])
      await delay(10)
    }
  },
  'the whole state, again and again': async send => {
    for (;;) await send(snapshot({ groups: groups(200), units: units(900) }))
  },
  'a history of 10,000 units, again and again': async send => {
    await send(snapshot())
    const rows = Array.from({ length: 10_000 }, (_, at) =>
      unitData({ id: `ended ${at}`, result: 'credited', end_time: '2027-01-01T00:00:00Z' }),
    )
    for (;;) await send(['wus', rows])
  },
}

test.each(Object.entries(attacks))('%s, for a while: nothing is taken from the others', async (_, attack) => {
  const good = await client(clientData({ info: { id: 'good-id' }, units: [unitData()] }))
  const hostile = stopLater(await startHostileClient(attack))
  const targets = { attic: good, cellar: hostile }
  const { origin, ...service } = await start(
    Object.entries(targets)
      .map(([name, { address }]) => `[[machines]]\naddress = "${address.host}:${address.port}"\nname = "${name}"\n`)
      .join(''),
  )
  while (!(await (await fetch(`${origin}/api/server/machines`)).text()).includes('"connected":true')) await delay(100)
  const page = await openPage({ origin, ...service })
  await page.next(text => text.startsWith('{'))
  let rounds = 0
  const from = performance.now()
  while (performance.now() - from < SECONDS * 1000) {
    good.say(['units', 0, 'ppd', ++rounds])
    await page.next(text => text === `["units",0,"ppd",${rounds}]`)
    if (rounds % 10 === 0) expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    await delay(100)
  }
  expect(rounds).toBeGreaterThan(2 * SECONDS)
  expect(process.memoryUsage().heapUsed).toBeLessThan(1024 * MEBIBYTE)
})
