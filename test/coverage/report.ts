import '../locale.ts'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { simpleJourneysOf } from '../journey.ts'
import { machines, models, type Statechart } from '../statecharts.ts'
import { chartKey, statesOf, stepOf, transitionsOf } from './chart.ts'
import { exceptions, type Exception } from './exceptions.ts'
import { readNotes, type Note } from './notes.ts'

type Share = { readonly of: number; readonly missed: readonly string[] }
type Row = { readonly name: string; readonly source: string; readonly shares: Readonly<Record<string, Share>> }

const PARTS = ['states', 'transitions'] as const
type Reached = Readonly<Record<(typeof PARTS)[number], ReadonlySet<string>>>

const TESTS = ['programs', 'test']

export type Report = { readonly text: string; readonly errors: readonly string[] }

/**
 * What tests have reached of every machine, and what the paths of every model reach. Reports each transition that was not reached
 * and is no named exception, exceptions that are none, and models that no test walks.
 *
 * @param from the folder of the notes; @param to the file that the report is written to
 */
export function reportCoverage(from: string, to: string): Report {
  const notes = readNotes(from)
  const rows = {
    machines: machines.map(rowOf(notedOf(notes))),
    models: models.map(rowOf(pathsOf)),
  }
  const missed = [...rows.machines, ...rows.models].flatMap(({ shares }) =>
    Object.entries(shares).flatMap(([title, share]) => share.missed.map(name => ({ title, name }))),
  )
  const excused = new Set(exceptions.map(({ transition }) => transition))
  const errors = [
    ...missed.filter(({ name }) => !excused.has(name)).map(({ title, name }) => `Not reached (${title}): ${name}`),
    ...exceptions
      .filter(({ transition }) => !missed.some(({ name }) => name === transition))
      .map(({ transition }) => `No exception any more, it is reached or gone: ${transition}`),
    ...unwalked().map(source => `No test walks ${source}`),
  ]
  const text = [
    '# States and transitions reached by tests',
    '',
    table('machine', rows.machines),
    '',
    table('model', rows.models),
    '',
    ...(exceptions.length === 0 ? [] : ['Exceptions:', '', ...exceptions.map(lineOf), '']),
    ...errors.map(error => `- ${error}`),
  ].join('\n')
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, `${text.trimEnd()}\n`)
  return { text, errors }
}

/** What running machines noted. */
function notedOf(notes: readonly Note[]) {
  return (machine: AnyStateMachine): Reached => {
    const key = chartKey(machine)
    const ofChart = notes.filter(({ chart }) => chart === key)
    return {
      states: new Set(ofChart.flatMap(({ states }) => states)),
      transitions: new Set(ofChart.flatMap(({ transitions }) => transitions)),
    }
  }
}

/** What the simple paths of a model lead through: its driver walks all of them. */
function pathsOf(model: AnyStateMachine): Reached {
  const journeys = simpleJourneysOf(model)
  const places = journeys.flatMap(({ start, steps }) => [start, ...steps.map(({ state }) => state)])
  return {
    states: new Set([model.id, ...places.map(place => `${model.id}.${place}`)]),
    transitions: new Set(
      journeys.flatMap(({ start, steps }) =>
        steps.map(({ event }, index) => stepOf(model, steps[index - 1]?.state ?? start, event)),
      ),
    ),
  }
}

function unwalked(): readonly string[] {
  const tests = TESTS.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => /\.(?:spec|test)\.ts$/.test(path))
      .map(path => readFileSync(join(folder, path), 'utf8')),
  )
  return models.map(({ source }) => source).filter(source => !tests.some(text => text.includes(`/${source}'`)))
}

function rowOf(reachedOf: (machine: AnyStateMachine) => Reached) {
  return ({ name, source, machine }: Statechart): Row => {
    const all = { states: statesOf(machine), transitions: [...transitionsOf(machine).values()] }
    const reached = reachedOf(machine)
    const shareOf = (part: (typeof PARTS)[number]): Share => ({
      of: all[part].length,
      missed: all[part].filter(one => !reached[part].has(one)),
    })
    return { name, source, shares: { states: shareOf('states'), transitions: shareOf('transitions') } }
  }
}

function table(title: string, rows: readonly Row[]): string {
  const shown = (share: Share | undefined): string =>
    share === undefined ? '' : `${share.of - share.missed.length} of ${share.of}`
  const lines = [[title, ...PARTS], ...rows.map(({ name, shares }) => [name, ...PARTS.map(one => shown(shares[one]))])]
  const widths = [title, ...PARTS].map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  const print = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = lines
  return [print(head), print(widths.map(width => '-'.repeat(width))), ...body.map(print)].join('\n')
}

function lineOf({ transition, because }: Exception): string {
  return `- ${transition}: ${because}`
}
