import { describe, expect, it } from 'vitest'
import { createTestClient } from '../../../../test/network/test-client.ts'
import { rtx3060, unsupportedGpu } from '../profiles/hardware.ts'
import type { ClientProfile, GroupConfig, InitialUnit } from '../types.ts'

const [first, second] = ['gpu:01:00:00', 'gpu:02:00:00']
const enabled = { enabled: true }

function folding(
  config: Partial<GroupConfig>,
  units: readonly InitialUnit[] = [],
  more: Partial<ClientProfile> = {},
  groups: ClientProfile['groups'] = {},
) {
  const context = createTestClient({
    cpus: 8,
    gpus: { [first]: rtx3060(0), [second]: rtx3060(1), 'gpu:03:00:00': unsupportedGpu },
    groups: { '': { paused: false, ...config }, ...groups },
    units,
    ...more,
  })
  const shown = () =>
    context
      .units()
      .map(({ state, cpus, gpus, pause_reason }) =>
        [state, cpus, gpus, pause_reason].filter(value => value !== undefined),
      )
  return { ...context, shown }
}

const held = 'Resources not available'

describe('a new unit', () => {
  it('asks for all that is left, and keeps one GPU and one CPU, or else CPUs; then the next one asks', () => {
    const { shown, clock } = folding({ cpus: 8, gpus: { [first]: enabled, [second]: enabled } })
    expect(shown()).toEqual([['ASSIGN', 8, [first, second]]])
    clock.advance(120_000)
    expect(shown().map(unit => unit.slice(1))).toEqual([
      [1, [first]],
      [6, []],
      [1, [second]],
    ])
  })

  it.each<[string, Partial<GroupConfig>, readonly unknown[]]>([
    ['no CPU if there is only a GPU', { cpus: 0, gpus: { [first]: enabled } }, [['ASSIGN', 0, [first]]]],
    ['no more CPUs than the client has', { cpus: 9999 }, [['ASSIGN', 8, []]]],
    [
      'no GPU that is not enabled, not supported or not there',
      { cpus: 0, gpus: { 'gpu:03:00:00': enabled, g9: enabled } },
      [],
    ],
    ['nothing in a group that finishes', { cpus: 8, finish: true }, []],
    ['nothing with a negative number of CPUs', { cpus: -1 }, []],
  ])('gets %s', (_, config, units) => {
    expect(folding(config).shown()).toEqual(units)
  })

  it('is not added beyond GPUs, CPUs by 64, and three', () => {
    const sent = { state: 'UPLOAD', cpus: 1, retries: 9 } as const
    expect(folding({ cpus: 1 }, [sent, sent, sent], {}).shown()).toHaveLength(3)
    expect(folding({ cpus: 1 }, [sent, sent], {}).shown()).toHaveLength(3)
  })
})

describe('units that are there', () => {
  const gpuUnit = { state: 'RUN', cpus: 1, gpus: [first], progress: 0.5 } as const
  const cpuUnit = { state: 'RUN', cpus: 4, progress: 0.5 } as const

  it('are held when their GPU is disabled, while another one gets its CPUs', () => {
    const { shown, client, clock } = folding({ cpus: 5, gpus: { [first]: enabled } }, [gpuUnit, cpuUnit])
    expect(shown()).toEqual([
      ['RUN', 1, [first]],
      ['RUN', 4, []],
    ])
    const config = { groups: { '': { gpus: { [first]: { enabled: false } } } } }
    client.attach(() => {}).receive({ cmd: 'config', config })
    clock.advance(30_000)
    expect(shown().slice(0, 2)).toEqual([
      ['RUN', 1, [first], held],
      ['RUN', 5, []],
    ])
  })

  it('stay held while a unit of their group asks for work, although their resources are back', () => {
    const { shown, client, clock } = folding({ cpus: 2, gpus: {} }, [gpuUnit], { noWork: true })
    const config = { groups: { '': { gpus: { [first]: enabled } } } }
    client.attach(() => {}).receive({ cmd: 'config', config })
    clock.advance(60_000)
    expect(shown()).toEqual([
      ['CORE', 1, [first], held],
      ['ASSIGN', 2, []],
    ])
  })

  it('need nothing to send results', () => {
    expect(folding({ cpus: 0 }, [{ state: 'UPLOAD', cpus: 4 }]).shown()).toEqual([['UPLOAD', 4, []]])
  })

  it('of two groups can have the same GPU', () => {
    const groups = { other: { paused: false, cpus: 1, gpus: { [first]: enabled } } }
    const two = folding({ cpus: 1, gpus: { [first]: enabled } }, [gpuUnit, { ...gpuUnit, group: 'other' }], {}, groups)
    expect(two.shown()).toEqual([
      ['RUN', 1, [first]],
      ['RUN', 1, [first]],
    ])
  })
})
