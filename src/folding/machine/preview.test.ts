import { describe, expect, it } from 'vitest'
import { decodeClientData } from '../../protocol/decode-client-data.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { machinePreview } from './preview.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')

const unit = (changes: object = {}) => ({
  number: 1,
  group: '',
  state: 'RUN',
  cpus: 4,
  gpus: [],
  wu_progress: 0.255,
  eta: '3h 5m',
  ppd: 123_456,
  run_time: 600,
  assignment: { project: 18_201, deadline: 864_000, timeout: 864_000, time: '2026-11-23T11:00:00Z' },
  ...changes,
})

const gpus = { 'gpu:01:00:00': { type: 'nvidia', description: 'AD102 [GeForce RTX 4090]', supported: true } }
const enabled = { 'gpu:01:00:00': { enabled: true } }
const group = (changes: object = {}) => ({
  config: { cpus: 8, gpus: enabled, paused: false, finish: false },
  ...changes,
})

const preview = (
  parts: { readonly units?: readonly object[]; readonly groups?: object; readonly info?: object } = {},
  width = 1280,
) => {
  const { units = [unit()], groups = { '': group() }, info = {} } = parts
  const whole = { info: { version: '8.5.7', cpus: 8, mach_name: 'attic', gpus, ...info }, groups, units, config: {} }
  const data = decodeClientData(whole as unknown as JsonObject, fault => expect.unreachable(JSON.stringify(fault)))
  if (data === undefined) throw new Error('The data cannot be decoded.')
  return machinePreview(data, { address: '127.0.0.1:7396', width, now: NOW })
}

describe('The preview of a machine', () => {
  it('has the texts of its panel and of the summary', () => {
    const found = preview({ units: [unit(), unit({ number: 2, gpus: ['gpu:01:00:00'], ppd: 2_000_000 })] })
    expect(found?.slots).toEqual({
      clients: '1',
      cpus: '8',
      gpus: '1',
      total: '2,123,456',
      name: 'attic',
      resources: '8 CPUs, AD102 [GeForce RTX 4090]',
      version: 'v8.5.7',
      title: 'Direct client at 127.0.0.1:7396',
      ppd: '2,123,456',
    })
    expect(found?.states).toEqual([{ text: '2 running', tone: 'running' }])
    expect(found?.units.map(({ slots }) => slots['gpu'])).toEqual([undefined, 'GeForce RTX 4090'])
    expect(found?.units[0]).toEqual({
      slots: {
        project: '18201',
        type: 'CPU',
        status: 'Running',
        progress: '25.5%',
        percent: '25.5%',
        ppd: '123,456',
        eta: 'ETA 3h 5m',
        tpf: 'TPF 24s',
        gpu: undefined,
      },
      stale: [],
      tone: 'running',
      isMoving: true,
      share: 0.255,
    })
  })

  it('has the columns that fit the window', () => {
    expect(preview({}, 1280)?.columns).toEqual(['project', 'type', 'status', 'progress', 'ppd', 'actions'])
    expect(preview({}, 700)?.columns).toEqual(['project', 'type', 'status', 'progress', 'ppd', 'actions', 'more'])
    expect(preview({}, 360)?.columns).toEqual(['project', 'status', 'progress', 'actions', 'more'])
  })

  it('has no estimates of a unit whose core does not run', () => {
    const [first] = preview({ units: [unit({ state: 'DOWNLOAD', progress: 0.4 })] })?.units ?? []
    expect(first).toMatchObject({ slots: { status: 'Downloading', eta: '', tpf: '' }, isMoving: false, share: 0.4 })
  })

  it('marks values that are outdated', () => {
    const [first] = preview({ units: [unit({ pause_reason: 'Paused' })] })?.units ?? []
    expect(first).toMatchObject({ slots: { status: 'Paused', ppd: '123,456' }, stale: ['ppd'] })
  })

  it.each([
    ['units', { units: [] }],
    ['only the default group', { groups: { '': group(), more: group() } }],
    ['a default group', { groups: { more: group() }, units: [unit({ group: 'more' })] }],
    ['groups whose units all run', { groups: { '': group({ failed_wus: 3 }) } }],
    ['units without notices', { units: [unit(), unit({ number: 2, pause_reason: 'Pausing on battery' })] }],
    ['a version that can be controlled', { info: { version: '8.1.1' } }],
  ])('is only made of a machine with %s', (_, parts) => {
    expect(preview(parts)).toBeUndefined()
  })
})
