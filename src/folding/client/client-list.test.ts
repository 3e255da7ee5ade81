import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_LIST, MOST_LINES, readClientList, writeClientList } from './client-list.ts'
import {
  clientNameOf,
  directClientOf,
  LONGEST_CLIENT_NAME,
  MAX_DIRECT_CLIENTS,
  withClients,
  withMoved,
  withName,
  type DirectClient,
} from './direct-clients.ts'

function client(address: string, name?: string): DirectClient {
  return { address, name }
}
function many(count: number): readonly DirectClient[] {
  return Array.from({ length: count }, (_, at) => client(`host-${at}:7396`))
}
function read(text: string, existing: readonly DirectClient[] = []) {
  return readClientList(text, existing)
}
function statuses(text: string, existing: readonly DirectClient[] = []) {
  return read(text, existing).lines.map(({ line, status }) => [line, status])
}

describe('a list of direct clients', () => {
  it.each([
    ['lines', 'nas\n\n# the attic\r\n10.0.0.7:7397  Attic, left\n[::1]:7396 Here\n::1'],
    ['CSV with titles', 'Name,Address\n,nas\n"Attic, left",10.0.0.7:7397\nHere,[::1]:7396\nx,::1'],
    ['CSV with host and port', 'host;port;name\nnas;;\n10.0.0.7;7397;Attic, left\n::1;7396;Here\n::1;;x'],
    ['CSV without titles', 'nas,\n10.0.0.7:7397,"Attic, left"\n"[::1]:7396",Here\n::1,x'],
    [
      'a list in JSON',
      '["nas",{"address":"10.0.0.7:7397","name":"Attic, left"},{"host":"::1","port":7396,"name":"Here"},"::1"]',
    ],
    [
      'JSON as an object',
      '{"clients":[{"host":"nas"},{"address":"10.0.0.7:7397","Name":"Attic, left"},{"address":"[::1]:7396","name":"Here"},"::1"]}',
    ],
  ])('is read from %s', (_, text) => {
    const { clients, lines, problem } = read(`\uFEFF${text}`)
    expect(clients).toEqual([client('nas:7396'), client('10.0.0.7:7397', 'Attic, left'), client('[::1]:7396', 'Here')])
    expect(problem).toBeUndefined()
    expect(lines.at(-1)).toMatchObject({ status: 'repeated', first: lines.at(-2)?.line })
  })

  it('is read from the settings of HFM.NET, without the ports and passwords of older clients', () => {
    const text = `<?xml version="1.0" encoding="utf-8"?>
<ArrayOfClientSettings xmlns:i="http://www.w3.org/2001/XMLSchema-instance">
  <ClientSettings><ClientType>FahClient</ClientType><Name>Attic &amp; loft</Name><Server>10.0.0.7</Server>
    <Port>36330</Port><Password>c2VjcmV0</Password><Guid>0</Guid><Disabled>false</Disabled></ClientSettings>
  <ClientSettings><Name>Here</Name><Server>nas.lan</Server><Port>36331</Port><Password></Password></ClientSettings>
  <ClientSettings><Name>Old</Name><Server></Server><Path>C:\\FAH</Path></ClientSettings>
</ArrayOfClientSettings>`
    expect(read(text).lines).toEqual([
      {
        line: 3,
        text: '10.0.0.7',
        leftOut: ['Port', 'Password'],
        status: 'new',
        client: client('10.0.0.7:7396', 'Attic & loft'),
      },
      { line: 5, text: 'nas.lan', leftOut: ['Port'], status: 'new', client: client('nas.lan:7396', 'Here') },
      { line: 6, text: 'Old', status: 'notAnAddress' },
    ])
  })

  it('reports of each line what is wrong with it', () => {
    expect(statuses('http://nas/\nnas\nNAS:7396 other\n10.0.0.8\nnas:0\n', [client('10.0.0.8:7396', 'Old')])).toEqual([
      [1, 'notAnAddress'],
      [2, 'new'],
      [3, 'repeated'],
      [4, 'known'],
      [5, 'notAnAddress'],
    ])
    expect(statuses('10.0.0.8 Old\n', [client('10.0.0.8:7396', 'Old')])).toEqual([[1, 'known']])
    expect(read('10.0.0.8 New\n', [client('10.0.0.8:7396', 'Old')])).toMatchObject({
      lines: [{ status: 'renamed' }],
      clients: [client('10.0.0.8:7396', 'New')],
    })
    expect(read(`${'x'.repeat(500)}!`).lines[0]?.text).toHaveLength(121)
    expect(statuses('[5, null, {"name":"x"}]').map(([, status]) => status)).toEqual([
      'notAnAddress',
      'notAnAddress',
      'notAnAddress',
    ])
  })

  it.each(['["nas",', '{"clients":5}', '{}'])('is not read from broken JSON: %s', text => {
    expect(read(text)).toEqual({ lines: [], clients: [], problem: 'brokenJson' })
  })

  it('is limited: in clients, in lines and in characters [5.10]', () => {
    const existing = many(MAX_DIRECT_CLIENTS - 1)
    expect(statuses('a\nb\nhost-0', existing)).toEqual([
      [1, 'new'],
      [2, 'tooMany'],
      [3, 'known'],
    ])
    const lines = read('#\n'.repeat(10) + 'nas\n'.repeat(MOST_LINES + 1))
    expect({ lines: lines.lines.length, problem: lines.problem }).toEqual({ lines: MOST_LINES, problem: 'tooLong' })
    expect(read(`nas\n#${'x'.repeat(LONGEST_LIST)}`)).toMatchObject({
      clients: [client('nas:7396')],
      problem: 'tooLong',
    })
  })

  it('is read back as it was written, whatever the names are', () => {
    const names = fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 60_000 }), { maxLength: 20 }),
        fc.array(names),
        (ports, all) => {
          const clients = ports.map((port, at) => client(`nas:${port}`, clientNameOf(all[at])))
          expect(read(writeClientList(clients)).clients).toEqual(clients)
        },
      ),
    )
  })

  it('holds no formulas when a spreadsheet opens it', () => {
    expect(writeClientList([client('nas:7396', '=1+1')])).toBe("address,name\r\nnas:7396,'=1+1\r\n")
  })
})

describe('the clients of a list', () => {
  const [a, b, c] = [client('a:7396'), client('b:7396', 'B'), client('c:7396')]

  it('are added at its end, once each, and only while there is room', () => {
    expect(withClients([a, b], [c, client('b:7396'), client('a:7396', 'A')])).toEqual([client('a:7396', 'A'), b, c])
    expect(withClients(many(MAX_DIRECT_CLIENTS), [a, client('host-0:7396', 'x')])).toEqual([
      client('host-0:7396', 'x'),
      ...many(MAX_DIRECT_CLIENTS).slice(1),
    ])
  })

  it('move, but not beyond its ends', () => {
    const list = [a, b, c]
    expect(withMoved(list, 'a:7396', 1)).toEqual([b, a, c])
    expect(withMoved(list, 'c:7396', -9)).toEqual([c, a, b])
    for (const [address, by] of [
      ['a:7396', -1],
      ['c:7396', 1],
      ['x:7396', 1],
    ] as const)
      expect(withMoved(list, address, by)).toBe(list)
  })

  it('have names of one line, without control characters, and not too long', () => {
    expect(withName([a, b], 'a:7396', ' At\u0000\n tic\u2028 ')).toEqual([client('a:7396', 'At tic'), b])
    expect(withName([b], 'b:7396', ' ')).toEqual([client('b:7396')])
    expect(clientNameOf('x'.repeat(100))).toHaveLength(LONGEST_CLIENT_NAME)
  })

  it('have canonical addresses', () => {
    expect(directClientOf(' NAS ', '')).toEqual(client('nas:7396'))
    expect(directClientOf('nas/x', '')).toBeUndefined()
  })
})
