import { describe, expect, it } from 'vitest'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { groupHoldup, groupHoldupText } from './group-holdup.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 0, 0)
const GPU = 'gpu:01:00:00'

function client(units: readonly Unit[], config: Readonly<Record<string, unknown>> = {}): ClientData {
  return {
    info: { cpus: 128, gpus: { [GPU]: { supported: true, description: 'RTX 2060' } } },
    config: {},
    groups: { '': { config: { paused: false, cpus: 3, gpus: { [GPU]: { enabled: true } }, ...config } } },
    units,
  }
}
const asking: Unit = { state: 'ASSIGN', cpus: 3, gpus: [], retries: 23, error: 'No appropriate assignment' }
const unsent: Unit = { state: 'UPLOAD', wu_progress: 1, cpus: 1, gpus: [GPU] }
function kindOf(data: ClientData) {
  return groupHoldup('', data, NOW)?.kind
}

describe('a group whose unit asks in vain', () => {
  it('leaves its GPU idle, and says what helps', () => {
    expect(groupHoldup('', client([asking]), NOW)).toEqual({ kind: 'starved', idle: 'RTX 2060', unit: asking })
    expect(groupHoldupText('', client([asking]), NOW)).toMatch(/^Idle: RTX 2060\..*into groups of their own/)
  })

  it('leaves its CPUs idle when it asks for its GPU', () => {
    const forGpu = { ...asking, cpus: 1, gpus: [GPU] }
    expect(groupHoldup('', client([forGpu]), NOW)).toMatchObject({ kind: 'starved', idle: '2 CPUs' })
  })

  it('leaves nothing idle when the GPU folds, when it is its first attempt, or when the group is paused', () => {
    expect(kindOf(client([asking, { state: 'RUN', pid: 1, cpus: 0, gpus: [GPU] }]))).toBeUndefined()
    expect(kindOf(client([{ state: 'ASSIGN', cpus: 3, gpus: [] }]))).toBeUndefined()
    expect(kindOf(client([asking], { paused: true }))).toBeUndefined()
    expect(kindOf(client([{ ...asking, group: 'other' }]))).toBeUndefined()
  })
})

describe('a group with results that are not sent', () => {
  const many = (count: number) => Array.from({ length: count }, () => unsent)

  it('is full with its GPUs, a 64th of its CPUs and three more', () => {
    expect(kindOf(client(many(3)))).toBeUndefined()
    expect(kindOf(client(many(4)))).toBe('full')
    expect(kindOf(client(many(5), { cpus: 128 }))).toBeUndefined()
    expect(kindOf(client(many(6), { cpus: 128 }))).toBe('full')
    expect(groupHoldupText('', client(many(4)), NOW)).toMatch(/^No new work until results are sent: .* 4 work units/)
  })

  it('is not full of units that run', () => {
    expect(kindOf(client(Array.from({ length: 5 }, () => ({ state: 'RUN', pid: 1, gpus: [GPU] }))))).toBeUndefined()
  })
})
