import ELK from 'elkjs/lib/elk.bundled.js'
import { createActor, createMachine, fromPromise } from 'xstate'
import { describe, expect, it } from 'vitest'
import { drawChart } from './chart-drawing.ts'
import { layoutChart } from './chart-layout.ts'
import { chartOf, transitionId } from './chart-model.ts'

const machine = createMachine(
  {
    id: 'door',
    description: 'A door that locks itself.',
    initial: 'shut',
    on: { knock: { actions: 'bark' } },
    states: {
      shut: {
        tags: 'safe',
        entry: 'creak',
        on: {
          open: [
            { guard: 'hasKey', target: 'open', actions: 'greet' },
            { target: 'open', guard: 'isBroken' },
          ],
        },
      },
      open: {
        description: 'Every visitor can come in.',
        initial: 'wide',
        after: { timeout: 'shut' },
        states: {
          wide: { always: { guard: 'isWindy', target: 'ajar' } },
          ajar: { invoke: { src: 'wind', id: 'wind', onDone: '#door.gone' } },
        },
      },
      gone: { type: 'final' },
    },
  },
  {
    actors: { wind: fromPromise(() => new Promise(() => undefined)) },
    actions: { bark: () => undefined, creak: () => undefined, greet: () => undefined },
    guards: { hasKey: () => true, isBroken: () => false, isWindy: () => false },
    delays: { timeout: 1000 },
  },
)

describe('a chart', () => {
  const chart = chartOf(machine)

  it('has every state with its kind, tags and actions', () => {
    expect(chart.root).toMatchObject({
      id: 'door',
      description: 'A door that locks itself.',
      initial: 'door.shut',
      lines: [{ text: 'knock / bark' }],
    })
    expect(chart.root.states.map(({ id, kind, lines }) => [id, kind, lines.map(({ text }) => text)])).toEqual([
      ['door.shut', 'atomic', ['# safe', 'entry / creak']],
      ['door.open', 'compound', []],
      ['door.gone', 'final', []],
    ])
  })

  it('has one arrow for all transitions from one state to another', () => {
    expect(chart.arrows.map(({ from, to, lines }) => [from, to, lines.map(({ text }) => text)])).toEqual([
      ['door.shut', 'door.open', ['open [hasKey] / greet', 'open [isBroken]']],
      ['door.open', 'door.shut', ['after timeout']],
      ['door.open.wide', 'door.open.ajar', ['always [isWindy]']],
      ['door.open.ajar', 'door.gone', ['wind is done']],
    ])
  })

  it('identifies transitions that a running machine took', () => {
    const transitionIds: string[] = []
    const actor = createActor(machine, {
      inspect: event => {
        if (event.type === '@xstate.microstep') transitionIds.push(...event._transitions.map(transitionId))
      },
    }).start()
    actor.send({ type: 'open' })
    actor.send({ type: 'knock' })
    const chartLines = [...chart.arrows.flatMap(({ lines }) => lines), ...chart.root.lines]
    expect(
      transitionIds
        .map(id => chartLines.find(({ transition }) => transition === id)?.text)
        .filter(text => text !== undefined),
    ).toEqual(['open [hasKey] / greet', 'knock / bark'])
  })
})

describe('a chart layout', () => {
  it('has child states inside their parents, and highlights active states', async () => {
    const placed = await layoutChart(chartOf(machine), new ELK())
    const place = (id: string) =>
      placed.states.find(({ state }) => state.id === id) ?? { x: -1, y: -1, width: 0, height: 0 }
    const [outer, inner] = [place('door.open'), place('door.open.ajar')]
    expect(
      inner.x > outer.x &&
        inner.y > outer.y &&
        inner.x + inner.width < outer.x + outer.width &&
        inner.y + inner.height < outer.y + outer.height,
    ).toBe(true)
    expect({ arrows: placed.arrows.length, dots: placed.dots.length }).toEqual({ arrows: 6, dots: 2 })
    const pieces = drawChart(placed, { active: new Set(['door.open', 'door.open.ajar']), transitions: new Set() })
    expect(
      pieces
        .filter(({ attributes }) => 'data-lit' in attributes)
        .map(({ key, attributes }) => [key, attributes['data-lit']]),
    ).toEqual([
      ['door.open', 'outer'],
      ['door.open.ajar', 'true'],
    ])
  })
})
