import { describe, expect, it } from 'vitest'
import { createTestClient, NOON, part } from '../../../test/network/test-client.ts'
import { rtx3060 } from './profiles/hardware.ts'
import type { ClientProfile } from './types.ts'
import { textOf } from './wire-value.ts'

const GPU = 'gpu:01:00:00'
const HOUR = 3_600_000

const running: Partial<ClientProfile> = {
  gpus: { [GPU]: rtx3060(0) },
  groups: { '': { paused: false, cpus: 1, gpus: { [GPU]: { enabled: true } } } },
  units: [{ state: 'RUN', cpus: 1, gpus: [GPU], progress: 0.2, project: 18_630 }],
}

function startRunning() {
  const test = createTestClient(running)
  const unit = () => test.units()[0]
  const share = (): number => Number(unit()?.['wu_progress'])
  /** How much of the work is done within an hour. */
  const hourly = (): number => {
    const before = share()
    test.clock.advance(HOUR)
    return share() - before
  }
  return { ...test, unit, share, hourly, faults: test.client.faults }
}

describe('a fault of a client', () => {
  it('takes a GPU away, so that its unit waits, and gives it back', () => {
    const { faults, document, unit, clock } = startRunning()
    clock.advance(1000)
    faults.setGpuPresent(GPU, false)
    clock.advance(5000)
    expect(part(document(), 'info', 'gpus')).toEqual({})
    expect(unit()?.['pause_reason']).toBe('Resources not available')
    faults.setGpuPresent(GPU, true)
    clock.advance(5000)
    expect(Object.keys(part(document(), 'info', 'gpus') as object)).toEqual([GPU])
    expect(unit()?.['pause_reason']).toBeUndefined()
  })

  it('stalls a core, which runs without progress until it goes on', () => {
    const { faults, unit, hourly, clock } = startRunning()
    clock.advance(1000)
    faults.setStalled(true)
    expect(hourly()).toBe(0)
    expect(unit()?.['state']).toBe('RUN')
    expect(unit()?.['start_time'] === undefined).toBe(false)
    faults.setStalled(false)
    expect(hourly()).toBeGreaterThan(0)
  })

  it('gives an estimate of work that starts while cores are stalled', () => {
    const { client, units, clock } = createTestClient({ ...running, units: [] }, { speed: 600 })
    client.faults.setStalled(true)
    clock.advance(600_000)
    expect(units()[0]?.['state']).toBe('RUN')
    expect(part(units()[0], 'wu', 'estimate')).toBeGreaterThan(0)
  })

  it('slows a card down', () => {
    const { faults, hourly, clock } = startRunning()
    clock.advance(1000)
    const usual = hourly()
    faults.setSlowness(2)
    expect(hourly() / usual).toBeCloseTo(0.5, 1)
  })

  it('sets the clock ahead for what it reports', () => {
    const test = createTestClient({ ...running, units: [] }, { speed: 600 })
    test.client.faults.setClockAhead(HOUR)
    test.clock.advance(60_000)
    const started = test.units().map(unit => Date.parse(textOf(unit['start_time'])))
    expect(started.some(at => at >= NOON + HOUR)).toBe(true)
  })
})
