import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { clientData, unitData } from '../../test/end-to-end/scripted-client.ts'
import { startHostileClient } from '../../test/hostile-client.ts'
import { allConnected, callServer, useServers, WAIT, type ClusterServer } from '../../test/server-cluster.ts'

const { client, newDatabase, query, startServer, stopLater } = useServers()

test('a client that sent too much is named by all servers as the one that holds it does', async ({ skip }) => {
  const database = await newDatabase(skip)
  const attic = await client('attic')
  let isHostile = false
  const hostile = stopLater(
    await startHostileClient(async send => {
      await send(clientData({ info: { id: 'cellar-id' }, units: [unitData()] }))
      while (!isHostile) await delay(50)
      for (let at = 0; ; at++) await send(['info', `key ${at}`, 'x'])
    }),
  )
  const clients = [attic, hostile]
  const first = await startServer(database, clients)
  await allConnected(first, 2)
  const second = await startServer(database, clients)
  await vi.waitFor(async () => {
    expect(await query(database, 'SELECT server FROM holdings GROUP BY server')).toHaveLength(2)
  }, WAIT)
  await allConnected(first, 2)
  await allConnected(second, 2)
  const excessesOf = async (server: ClusterServer) => {
    const { machines } = (await (await callServer(server, 'session')).json()) as { machines: { excess?: string }[] }
    return machines.map(({ excess }) => excess)
  }
  isHostile = true
  await vi.waitFor(async () => {
    expect(await excessesOf(first)).toEqual([undefined, 'keys'])
    expect(await excessesOf(second)).toEqual([undefined, 'keys'])
  }, WAIT)
  const kindsOf = async (server: ClusterServer) =>
    ((await (await callServer(server, 'incidents')).json()) as { incidents: { kind: string }[] }).incidents.map(
      ({ kind }) => kind,
    )
  await vi.waitFor(async () => {
    expect(await kindsOf(first)).toEqual(['excessive'])
    expect(await kindsOf(second)).toEqual(['excessive'])
  }, WAIT)
  // Each client is counted by the server that holds it.
  const texts = await Promise.all([first, second].map(async ({ origin }) => (await fetch(`${origin}/metrics`)).text()))
  expect(texts.join('\n').match(/^foldboard_machine_disconnections_total\{.*limit="keys".*\} 1$/gm)).toHaveLength(1)
})
