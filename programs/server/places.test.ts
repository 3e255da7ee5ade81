import { expect, test } from 'vitest'
import { startFleet } from '../../test/machines/fleet.ts'
import type { Config } from './config/schema.ts'
import { countedOnce, createPlaces } from './places.ts'

function clientAt(address: string, name?: string): Config['machines'][number] {
  return {
    address,
    name,
    commands: [],
    tags: [],
  }
}
function placesOf(clients: Config['machines']) {
  return createPlaces({ machines: clients, account: { ...ACCOUNT, machines: [] } }, () => 0)
}
const ACCOUNT: Config['account'] = {
  'api-url': '',
  'plain-node': false,
  'sample-minutes': 5,
  'stay-connected': false,
  commands: [],
  tags: [],
  machines: [],
}

function computer(id: string, name: string, hostname: string) {
  return {
    info: { version: '8.5.7', id, mach_name: name, hostname, cpus: 8 },
    config: {},
    groups: {},
    units: [],
  }
}

test('clients of one name are told apart in lists, and by what does not change in metrics and logs', () => {
  const places = placesOf([clientAt('10.0.0.7:7396', 'rig'), clientAt('10.0.0.8:7396', 'rig')])
  places.placeAccount([
    { id: 'abcd1', name: 'nas', isListed: true },
    { id: 'efgh1', name: 'nas', isListed: true },
  ])
  const fleet = startFleet({ defaultAddress: '', addresses: [] })
  const listed = () => places.list(fleet.actor.getSnapshot())
  expect(listed().map(({ name }) => name)).toEqual([
    'rig (10.0.0.7:7396)',
    'rig (10.0.0.8:7396)',
    'nas (ID abcd)',
    'nas (ID efgh)',
  ])
  const labels = listed().map(({ label }) => label)
  expect(labels.slice(0, 2)).toEqual(listed().flatMap(({ name }) => (name.startsWith('rig') ? [name] : [])))
  // Whoever reads metrics must not learn ids.
  expect(labels.slice(2)).toEqual([expect.stringMatching(/^nas \(ID /), expect.stringMatching(/^nas \(ID /)])
  expect(new Set(labels).size).toBe(4)
  expect(labels.join()).not.toMatch(/abcd|efgh/)
})

test('a client that has not changed is listed as the same object, and one whose namesake comes gets another name', () => {
  const addresses = ['10.0.0.7:7396', '10.0.0.8:7396']
  const places = placesOf(addresses.map(address => clientAt(address)))
  const fleet = startFleet({ defaultAddress: '', addresses: addresses.map(address => ({ address, name: undefined })) })
  const list = () => places.list(fleet.actor.getSnapshot())
  fleet.says('@10.0.0.7:7396', computer('m', 'rig', 'attic'))
  const [attic, cellar] = list()
  expect(list()).toBe(list())
  fleet.member('@10.0.0.8:7396').send({ type: 'client.renamed', name: undefined })
  expect(list()[0]).toBe(attic)
  expect({ name: attic?.name, isConnected: cellar?.isConnected }).toEqual({ name: 'rig', isConnected: false })
  fleet.says('@10.0.0.8:7396', computer('n', 'rig', 'cellar'))
  expect(list().map(({ name, isConnected }) => [name, isConnected])).toEqual([
    ['rig (attic)', true],
    ['rig (cellar)', true],
  ])
})

test('computers of one id are listed with keys of their own; one client at two addresses is counted once', () => {
  const addresses = ['10.0.0.7:7396', '10.0.0.8:7396', '10.0.0.9:7396']
  const places = placesOf(addresses.map(address => clientAt(address)))
  const fleet = startFleet({ defaultAddress: '', addresses: addresses.map(address => ({ address, name: undefined })) })
  fleet.says('@10.0.0.7:7396', computer('m', 'rig', 'attic'))
  fleet.says('@10.0.0.8:7396', computer('m', 'rig', 'cellar'))
  fleet.says('@10.0.0.9:7396', computer('m', 'rig', 'cellar'))
  const listed = places.list(fleet.actor.getSnapshot())
  expect(new Set(listed.map(({ id }) => id)).size).toBe(2)
  expect(countedOnce(listed).map(({ address }) => address)).toEqual(['10.0.0.7:7396', '10.0.0.8:7396'])
  fleet.member('@10.0.0.8:7396').send({ type: 'link.closed', at: 20, trouble: 'closed' })
  expect(countedOnce(places.list(fleet.actor.getSnapshot())).map(({ address }) => address)).toEqual([
    '10.0.0.7:7396',
    '10.0.0.9:7396',
  ])
})
