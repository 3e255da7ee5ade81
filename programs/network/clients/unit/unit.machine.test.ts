import { getShortestPaths } from '@xstate/graph'
import { describe, expect, it } from 'vitest'
import { initialTransition, transition } from 'xstate'
import type { SnapshotFrom } from 'xstate'
import { unitMachine } from './unit.machine.ts'
import type { UnitEvent } from './unit.events.ts'

type Snapshot = SnapshotFrom<typeof unitMachine>

const events: readonly UnitEvent[] = [
  { type: 'assignment.received', at: 0 },
  { type: 'download.completed', at: 0 },
  { type: 'core.ready', at: 0 },
  { type: 'core.stopped', at: 0 },
  { type: 'work.completed', at: 0 },
  { type: 'work.failed', at: 0 },
  { type: 'files.lost', at: 0 },
  { type: 'results.credited', at: 0 },
  { type: 'results.rejected', at: 0 },
  { type: 'dump.reported', at: 0 },
  { type: 'try.failed', at: 0, error: '' },
  { type: 'retry.due', at: 0 },
  { type: 'deadline.passed', at: 0 },
  { type: 'unit.pause', at: 0, reason: 'Paused' },
  { type: 'unit.fold', at: 0 },
  { type: 'unit.resize', at: 0 },
  { type: 'unit.dump', at: 0 },
]

/** More attempts than any state except UPLOAD allows. */
function serializeState({ value, context }: Snapshot): string {
  return JSON.stringify([value, context.result, Math.min(12, context.retries)])
}

const paths = getShortestPaths(unitMachine, { events: [...events], serializeState, limit: 100_000 })

function start(): Snapshot {
  return initialTransition(unitMachine, undefined)[0]
}

/** The effects of a path, by name. */
function live(steps: readonly UnitEvent[]) {
  let snapshot = start()
  const effects: string[] = []
  for (const event of steps) {
    const [next, actions] = transition(unitMachine, snapshot, event)
    snapshot = next
    effects.push(...actions.map(({ type }) => type))
  }
  return { snapshot, effects }
}

function alongOf(steps: readonly { readonly event: { readonly type: string } }[]): readonly UnitEvent[] {
  return steps.flatMap(({ event }) => events.find(({ type }) => type === event.type) ?? [])
}

describe('every path through the lifecycle of a unit', () => {
  it('reaches every state', () => {
    const reached = new Set(paths.map(({ state }) => JSON.stringify(state.value)))
    expect([...reached].sort()).toEqual(
      [
        '"DONE"',
        ...['ASSIGN', 'CORE', 'DOWNLOAD', 'DUMP', 'RUN', 'UPLOAD'].flatMap(state => {
          const inside = {
            ASSIGN: ['active', 'waiting'],
            DUMP: ['active', 'stopping', 'waiting'],
            RUN: ['paused', 'ready', 'restarting', 'running', 'stopping'],
          }
          const parts = state in inside ? inside[state as keyof typeof inside] : ['active', 'paused', 'waiting']
          return parts.map(part => JSON.stringify({ [state]: part }))
        }),
      ].sort(),
    )
  })

  it('ends once, with a result, in every end state', () => {
    const ends = paths.filter(({ state }) => state.status === 'done')
    const results = ends.map(({ steps }) => {
      const { effects, snapshot } = live(alongOf(steps))
      expect(effects.filter(type => type === 'endUnit')).toHaveLength(1)
      return snapshot.context.result
    })
    expect(new Set(results)).toEqual(
      new Set(['credited', 'dumped', 'expired', 'failed', 'retries', 'rejected', 'missing', 'aborted']),
    )
  })

  it('stops each core that it starts before anything else begins', () => {
    for (const { steps, state } of paths) {
      const { effects } = live(alongOf(steps))
      let running = 0
      for (const type of effects) {
        if (type === 'startCore') running++
        if (type === 'stopCore') running--
        expect(running).toBeGreaterThanOrEqual(0)
        expect(running).toBeLessThanOrEqual(1)
      }
      const mayRun =
        state.matches({ RUN: 'running' }) ||
        state.matches({ RUN: 'stopping' }) ||
        state.matches({ RUN: 'restarting' }) ||
        state.matches({ DUMP: 'stopping' })
      expect(running).toBe(mayRun ? 1 : 0)
    }
  })

  it('shows a pause reason exactly where it is paused', () => {
    for (const { steps, state } of paths) {
      const { effects } = live(alongOf(steps))
      const last = effects.findLast(type => type === 'showPause' || type === 'hidePause')
      const isPaused =
        ['DOWNLOAD', 'CORE', 'RUN', 'UPLOAD'].some(
          name => JSON.stringify(state.value) === JSON.stringify({ [name]: 'paused' }),
        ) || state.matches({ RUN: 'stopping' })
      if (isPaused) expect(last).toBe('showPause')
      else if (state.matches({ RUN: 'running' }) || state.matches({ UPLOAD: 'active' }))
        expect(last).not.toBe('showPause')
    }
  })
})

describe('retries', () => {
  const failing = (count: number) =>
    Array.from(
      { length: count },
      () =>
        [
          { type: 'try.failed', at: 1000, error: '' },
          { type: 'retry.due', at: 2000 },
        ] satisfies UnitEvent[],
    ).flat()

  it('double their delay up to 512 seconds and never end while asking for work', () => {
    const delays: unknown[] = []
    let snapshot = start()
    for (const event of failing(11)) {
      const [next, actions] = transition(unitMachine, snapshot, event)
      snapshot = next
      for (const { type, params } of actions) if (type === 'showRetry') delays.push(params)
    }
    expect(delays.map(params => JSON.stringify(params))).toEqual(
      [2, 4, 8, 16, 32, 64, 128, 256, 512, 512, 512].map((delay, index) =>
        JSON.stringify({ at: 1000, delay, retries: index + 1, error: '' }),
      ),
    )
    expect(snapshot.value).toEqual({ ASSIGN: 'active' })
  })

  it('end a download after ten failures', () => {
    const { snapshot } = live([{ type: 'assignment.received', at: 0 }, ...failing(10)])
    expect(snapshot.value).toEqual({ DOWNLOAD: 'active' })
    const [ended] = transition(unitMachine, snapshot, { type: 'try.failed', at: 0, error: '' })
    expect({ endedValue: ended.value, result: ended.context.result }).toEqual({ endedValue: 'DONE', result: 'retries' })
  })

  it('restart their count in each state', () => {
    const { snapshot } = live([...failing(3), { type: 'assignment.received', at: 0 }])
    expect(snapshot.context).toEqual({ retries: 0, waitUntil: 0, result: undefined })
  })
})
