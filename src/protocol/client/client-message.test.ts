import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClientFact } from './client-message.ts'
import { decodeClientContent, decodeClientMessage } from './client-message.ts'
import type { Fault } from '../fault.ts'
import { isJsonObject, type Json } from '../json.ts'
import { packLines } from './packed-lines.ts'

function fault(found: Fault): ClientFact {
  return { type: 'fault.found', fault: found }
}
function change(...one: [...(string | number)[], Json]): ClientFact {
  return { type: 'changes.received', changes: [one] }
}
const empty = { info: {}, config: {}, groups: {}, units: [] }

describe('The first message', () => {
  it('keeps unknown fields', () => {
    const data = {
      info: { version: '9.0.0', quantum: { bits: 5 } },
      config: { user: 'x', color: 'red' },
      groups: { '': { config: { cpus: 1, warp: 9 }, mood: 'good' } },
      units: [{ id: 'u', spin: [1, 2], assignment: { core: { type: '0xaa', blue: true } } }],
      plugins: [1],
    }
    expect(decodeClientContent(data)).toEqual([{ type: 'snapshot.received', data }])
  })

  it('may miss parts', () => {
    expect(decodeClientContent({ info: {} })).toEqual([{ type: 'snapshot.received', data: empty }])
  })

  it.each([
    [{ units: [] }, 'undefined'],
    [{ config: {}, groups: {}, units: [] }, 'undefined'],
    [{ info: null, units: [] }, 'null'],
    [{ info: [], units: [] }, 'list'],
    [{ info: 'x', log: ['line'] }, 'string'],
  ])('is invalid without info: %j', (content, found) => {
    expect(decodeClientContent(content)).toEqual([
      fault({ kind: 'wrong-type', path: ['info'], expected: 'object', found }),
    ])
    expect(decodeClientMessage(JSON.stringify(content))).toEqual(decodeClientContent(content))
  })

  it('is used without the parts of a wrong type, which are reported [3.12, 3.13, 3.14, 3.15]', () => {
    const facts = decodeClientContent({
      info: {
        version: 8,
        cpus: '2',
        os: 'linux',
        gpus: { 'gpu:01:00:00': { supported: 'yes', type: 'amd' }, 'gpu:02:00:00': 7 },
      },
      config: [],
      groups: { a: { config: { paused: 'no', cpus: 1 } }, b: 5 },
      units: [
        { id: 'u0', eta: true },
        'nonsense',
        { id: 'u2', gpus: ['a', 1, 'b'], assignment: { project: '18000' }, wu: [] },
        [],
      ],
    })
    expect(facts.at(-1)).toEqual({
      type: 'snapshot.received',
      data: {
        info: { os: 'linux', gpus: { 'gpu:01:00:00': { type: 'amd' } } },
        config: {},
        groups: { a: { config: { cpus: 1 } } },
        units: [{ id: 'u0' }, {}, { id: 'u2', gpus: ['a', 'b'], assignment: {} }, {}],
      },
    })
    expect(
      facts
        .slice(0, -1)
        .map(fact =>
          fact.type === 'fault.found' && fact.fault.kind === 'wrong-type' ? fact.fault.path.join('/') : fact,
        )
        .sort(),
    ).toEqual(
      [
        'config',
        'groups/a/config/paused',
        'groups/b',
        'info/cpus',
        'info/gpus/gpu:01:00:00/supported',
        'info/gpus/gpu:02:00:00',
        'info/version',
        'units/0/eta',
        'units/1',
        'units/2/assignment/project',
        'units/2/gpus/1',
        'units/2/wu',
        'units/3',
      ].sort(),
    )
  })

  it('names what was expected and what was found', () => {
    expect(decodeClientContent({ info: { cpus: '2' }, units: {} })).toEqual([
      fault({ kind: 'wrong-type', path: ['units'], expected: 'list', found: 'object' }),
      fault({ kind: 'wrong-type', path: ['info', 'cpus'], expected: 'number', found: 'string' }),
      { type: 'snapshot.received', data: empty },
    ])
  })

  it('keeps bulk data out of the document', () => {
    expect(
      decodeClientContent({ ...empty, log: ['a'], wus: [{ id: 'u' }], viz: { u: { frames: [[1, 2, 3]] } } }),
    ).toEqual([
      { type: 'snapshot.received', data: empty },
      { type: 'log.received', replace: true, lines: packLines(['a']) },
      { type: 'history.received', replace: true, units: [{ id: 'u' }] },
      { type: 'frame.received', unit: 'u', index: 0, positions: new Float32Array([1, 2, 3]) },
    ])
  })

  it("of an older client has its hyphens replaced, in the schema's keys and nowhere else", () => {
    expect(
      decodeClientContent({
        info: { 'mach-name': 'my-machine', 'has-battery': true },
        config: { 'on-idle': true },
        units: [{ 'pause-reason': 'on-battery', 'wu-progress': 0.5 }],
        groups: { 'my-gpu': { config: { 'on-idle': true, gpus: { 'on-idle': { enabled: true } } } }, 'on-idle': {} },
      }),
    ).toEqual([
      {
        type: 'snapshot.received',
        data: {
          info: { mach_name: 'my-machine', has_battery: true },
          config: { on_idle: true },
          units: [{ pause_reason: 'on-battery', wu_progress: 0.5 }],
          groups: { 'my-gpu': { config: { on_idle: true, gpus: { 'on-idle': { enabled: true } } } }, 'on-idle': {} },
        },
      },
    ])
  })

  it('that is some other object is not understood', () => {
    expect(decodeClientContent({ hello: 1 })).toEqual([fault({ kind: 'unknown-message', found: 'object' })])
  })
})

describe('A change', () => {
  it.each<[...(string | number)[], Json][]>([
    [['units', 0, 'wu_progress', 0.123]],
    [['units', 0, 'pid', null]],
    [['units', 3, null]],
    [['units', -1, { id: 'u' }]],
    [['units', -2, [{ id: 'u' }]]],
    [['groups', 'my-gpu', null]],
    [['groups', '', 'config', 'on_idle', true]],
    [['units', 0, 'spin', { any: ['thing'] }]],
    [['future', 'part', 1]],
    [['info', 'gpus', 'gpu:01:00:00', { supported: true }]],
    [['groups', 'a', 'config', 'gpus', 'gpu:01:00:00', 'enabled', true]],
    [['future', null]],
    [['config', 'team', 0]],
    [['units', 0, 'assignment', 'future', 0, 'x', 1]],
  ])('that is valid is returned as it is: %j', one => {
    expect(decodeClientContent(one)).toEqual([change(...one)])
  })

  it.each<[Json, Fault]>([
    [
      ['units', 0, 'wu_progress', '0.1'],
      { kind: 'wrong-type', path: ['units', 0, 'wu_progress'], expected: 'number', found: 'string' },
    ],
    [['units', 0, 'eta', {}], { kind: 'wrong-type', path: ['units', 0, 'eta'], expected: 'string', found: 'object' }],
    [['units', 0, 'wu', []], { kind: 'wrong-type', path: ['units', 0, 'wu'], expected: 'object', found: 'list' }],
    [['units', 0, 5], { kind: 'wrong-type', path: ['units', 0], expected: 'object', found: 'number' }],
    [['units', null], { kind: 'wrong-type', path: ['units'], expected: 'list', found: 'null' }],
    [['info', null], { kind: 'wrong-type', path: ['info'], expected: 'object', found: 'null' }],
    [['units', 'id', 'x'], { kind: 'wrong-type', path: ['units'], expected: 'list', found: 'object' }],
    [['groups', 0, {}], { kind: 'wrong-type', path: ['groups'], expected: 'object', found: 'list' }],
    [
      ['units', 0, 'eta', 'x', 1],
      { kind: 'wrong-type', path: ['units', 0, 'eta'], expected: 'string', found: 'object' },
    ],
    [['units', -2, {}], { kind: 'wrong-type', path: ['units', -2], expected: 'list', found: 'object' }],
    [['units', 1e9, {}], { kind: 'bad-index', path: ['units', 1e9] }],
    [['units', -3, {}], { kind: 'bad-index', path: ['units', -3] }],
    [['units', 1.5, {}], { kind: 'bad-index', path: ['units', 1.5] }],
    [['units', -1, 'id', 'x'], { kind: 'bad-index', path: ['units', -1] }],
    [['groups', '__proto__', {}], { kind: 'unsafe-key', key: '__proto__' }],
    [['units', 0, 'constructor', 'prototype', 'x', 1], { kind: 'unsafe-key', key: 'constructor' }],
    [['units', true, 1], { kind: 'wrong-type', path: ['units'], expected: 'a key or an index', found: 'boolean' }],
    [[0, 'x', 1], { kind: 'wrong-type', path: [], expected: 'a path', found: 'number' }],
    [['units'], { kind: 'wrong-type', path: [], expected: 'a path', found: 'string' }],
    [[], { kind: 'wrong-type', path: [], expected: 'a path', found: 'undefined' }],
    [[...Array.from({ length: 65 }, () => 'future'), 1], { kind: 'too-deep', limit: 64 }],
  ])('that does not fit is a fault: %j', (one, found) => {
    expect(decodeClientContent(one)).toEqual([fault(found)])
  })

  it('loses the parts of its value that have a wrong type', () => {
    expect(decodeClientContent(['units', 0, { id: 'u', cpus: 'many', 'run-time': 3 }])).toEqual([
      fault({ kind: 'wrong-type', path: ['units', 0, 'cpus'], expected: 'number', found: 'string' }),
      change('units', 0, { id: 'u', run_time: 3 }),
    ])
  })

  it("has hyphens replaced in the schema's keys of its path, and nowhere else", () => {
    expect(decodeClientContent(['groups', 'my-gpu', 'config', 'on-idle', true])).toEqual([
      change('groups', 'my-gpu', 'config', 'on_idle', true),
    ])
    expect(decodeClientContent(['groups', 'on-idle', 'config', { 'keep-awake': true }])).toEqual([
      change('groups', 'on-idle', 'config', { keep_awake: true }),
    ])
    expect(decodeClientContent(['info', 'gpus', 'os-version', {}])).toEqual([change('info', 'gpus', 'os-version', {})])
  })
})

describe('Bulk data', () => {
  it.each<[Json, ClientFact]>([
    [['log', ['a', 'b']], { type: 'log.received', replace: true, lines: packLines(['a', 'b']) }],
    [['log', -2, ['c']], { type: 'log.received', replace: false, lines: packLines(['c']) }],
    [['log', -1, 'd'], { type: 'log.received', replace: false, lines: packLines(['d']) }],
    [['log', null], { type: 'log.received', replace: true, lines: packLines([]) }],
    [
      ['wus', [{ id: 'u', result: 'credited' }]],
      { type: 'history.received', replace: true, units: [{ id: 'u', result: 'credited' }] },
    ],
    [['wus', -2, [{ 'end-time': 'x' }]], { type: 'history.received', replace: false, units: [{ end_time: 'x' }] }],
    [
      ['viz', 'u', 'frames', 7, [1, 2, 3, 4, 5, 6]],
      { type: 'frame.received', unit: 'u', index: 7, positions: new Float32Array([1, 2, 3, 4, 5, 6]) },
    ],
  ])('%j', (message, fact) => {
    expect(decodeClientContent(message)).toEqual([fact])
  })

  it('drops invalid lines and rows', () => {
    expect(decodeClientContent(['log', -2, ['a', 5, null, 'b']])).toEqual([
      fault({ kind: 'wrong-type', path: ['log'], expected: 'string', found: 'number' }),
      { type: 'log.received', replace: false, lines: packLines(['a', 'b']) },
    ])
    expect(decodeClientContent(['wus', [{ id: 'a', number: 'x' }, 7]])).toEqual([
      fault({ kind: 'wrong-type', path: ['wus', 0, 'number'], expected: 'number', found: 'string' }),
      fault({ kind: 'wrong-type', path: ['wus', 1], expected: 'object', found: 'number' }),
      { type: 'history.received', replace: true, units: [{ id: 'a' }] },
    ])
  })

  it('a long history comes in two parts, the newest units first', () => {
    const rows = Array.from({ length: 250 }, (_, at) => ({ id: `u${at}`, end_time: String(2000 - at) }))
    const [newest, others] = [rows.slice(0, 100), rows.slice(100)]
    expect(decodeClientContent(['wus', rows])).toEqual([
      { type: 'history.received', replace: true, units: newest },
      { type: 'history.received', replace: false, units: others },
    ])
    expect(decodeClientContent(['wus', rows.toReversed()])).toEqual([
      { type: 'history.received', replace: true, units: newest.toReversed() },
      { type: 'history.received', replace: false, units: others.toReversed() },
    ])
  })

  it('of another form is a fault', () => {
    expect(decodeClientContent(['log', 5])).toEqual([
      fault({ kind: 'wrong-type', path: ['log'], expected: 'list', found: 'number' }),
    ])
    expect(decodeClientContent(['viz', 'u', 'frames', 0, [1, 2]])).toEqual([
      fault({ kind: 'wrong-type', path: ['viz', 'u', 'frames', 0], expected: 'three numbers an atom', found: 'list' }),
    ])
    expect(decodeClientContent(['viz', 'u', 'frames', 0, [[1, 2, 'x']]])).toEqual([
      fault({ kind: 'wrong-type', path: ['viz', 'u', 'frames', 0], expected: 'three numbers an atom', found: 'list' }),
    ])
    expect(decodeClientContent(['viz', 'u', 'frames', 1e9, [[1, 2, 3]]])).toEqual([
      fault({ kind: 'bad-index', path: ['viz', 'u', 'frames', 1e9] }),
    ])
    expect(decodeClientContent(['viz', '__proto__', 'topology', {}])).toEqual([
      fault({ kind: 'wrong-type', path: ['viz'], expected: 'id of a unit', found: 'string' }),
    ])
    expect(decodeClientContent(['viz', 'u', 'song', 1])).toEqual([fault({ kind: 'unknown-message', found: 'viz' })])
  })

  it('of a molecule tolerates atoms and bonds of any form [3.19]', () => {
    const topology = {
      atoms: [['CA'], ['ZN', 2, 1.39, 65.4, 30], 'x', ['H', null, 'r', 1, 200]],
      bonds: [
        [0, 1],
        [1, 9],
        [3, 0],
      ],
    }
    expect(decodeClientContent(['viz', 'u', 'topology', topology])).toEqual([
      fault({
        kind: 'wrong-type',
        path: ['viz', 'u', 'topology', 'atoms'],
        expected: 'a list that starts with a name',
        found: 'string',
      }),
      fault({
        kind: 'wrong-type',
        path: ['viz', 'u', 'topology', 'bonds'],
        expected: 'indexes of atoms',
        found: 'list',
      }),
      {
        type: 'topology.received',
        unit: 'u',
        topology: {
          names: ['CA', 'ZN', '', 'H'],
          elements: new Uint8Array([0, 30, 0, 0]),
          bonds: new Uint32Array([0, 1, 3, 0]),
          charges: new Float32Array([NaN, 2, NaN, NaN]),
          radii: new Float32Array([NaN, 1.39, NaN, NaN]),
          masses: new Float32Array([NaN, 65.4, NaN, 1]),
        },
      },
    ])
    expect(decodeClientContent(['viz', 'u', 'topology', { bonds: [] }])).toEqual([
      fault({ kind: 'wrong-type', path: ['viz', 'u', 'topology', 'atoms'], expected: 'list', found: 'null' }),
    ])
  })
})

describe('Any text', () => {
  it('that is a ping is one, on both ways', () => {
    expect(decodeClientMessage('"ping"')).toEqual([{ type: 'ping.received' }])
    expect(decodeClientMessage(' "ping"\n')).toEqual([{ type: 'ping.received' }])
    expect(decodeClientContent('ping')).toEqual([{ type: 'ping.received' }])
  })

  it.each(['5', 'null', 'true', '"pong"'])('like %s is a fault', text => {
    expect(decodeClientMessage(text)).toMatchObject([{ type: 'fault.found', fault: { kind: 'unknown-message' } }])
  })

  it('with an unsafe key is reported and used without it', () => {
    expect(decodeClientMessage('["units",0,{"id":"u","__proto__":{"state":"RUN"}}]')).toEqual([
      fault({ kind: 'unsafe-key', key: '__proto__' }),
      change('units', 0, { id: 'u' }),
    ])
  })

  it('give a time left in seconds, as of 8.4.0 and 8.4.1, as text', () => {
    const info = { version: '8.4.0' }
    const [snapshot] = decodeClientMessage(JSON.stringify({ info, units: [{ id: 'a', eta: 3600 }] }))
    expect(snapshot).toMatchObject({ data: { units: [{ eta: '3600s' }] } })
    expect(decodeClientMessage('["units",0,"eta",60]')).toEqual([change('units', 0, 'eta', '60s')])
    expect(decodeClientMessage('["units",1,{"id":"b","eta":60}]')).toEqual([
      change('units', 1, { id: 'b', eta: '60s' }),
    ])
    const row = { id: 'c', state: 'UPLOAD', end_time: '2026-11-20T13:46:55Z', eta: 0 }
    expect(decodeClientMessage(JSON.stringify(['wus', [row]]))).toMatchObject([
      { units: [{ eta: '0s', result: 'unreported' }] },
    ])
  })

  it('may be indented over many lines', () => {
    expect(decodeClientMessage('[\n  "units",\n  0,\n  "eta", "2m 40s"\n]\n')).toEqual([
      change('units', 0, 'eta', '2m 40s'),
    ])
  })

  it('reports at most twenty faults', () => {
    const facts = decodeClientContent({ ...empty, units: Array.from({ length: 500 }, () => ({ id: 5 })) })
    expect(facts.length).toBe(21)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        expect(decodeClientMessage(text).length).toBeGreaterThan(0)
      }),
    )
    const head = fc.constantFrom<Json>('units', 'groups', 'info', 'config', 'log', 'wus', 'viz', 0, 'x')
    const step = fc.oneof(
      fc.constantFrom<Json>(0, 1, -1, -2, 'assignment', 'config', 'frames', 'topology', null, true),
      fc.jsonValue() as fc.Arbitrary<Json>,
    )
    fc.assert(
      fc.property(head, fc.array(step, { maxLength: 5 }), (first, rest) => {
        expect(decodeClientContent([first, ...rest])).toBeInstanceOf(Array)
      }),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(
        fc.record({ info: fc.jsonValue(), config: fc.jsonValue(), groups: fc.jsonValue(), units: fc.jsonValue() }),
        whole => {
          const isSnapshot = isJsonObject(whole.info)
          expect(decodeClientContent(whole as Json).at(-1)?.type).toBe(isSnapshot ? 'snapshot.received' : 'fault.found')
        },
      ),
    )
  })
})
