import '../locale.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { machines, models, type Statechart } from '../statecharts.ts'
import { chartKey, statesOf, transitionsOf } from './chart.ts'
import { exceptions, type Exception } from './exceptions.ts'
import { readNotes, type Note, type CoverageSource } from './notes.ts'

type Share = { readonly of: number; readonly missed: readonly string[] }
type Row = { readonly name: string; readonly source: string; readonly shares: Readonly<Record<string, Share>> }
type Demand = { readonly title: string; readonly by: CoverageSource; readonly part: 'states' | 'transitions' }

const ofMachines: readonly Demand[] = [
  { title: 'states', by: 'machine', part: 'states' },
  { title: 'transitions', by: 'machine', part: 'transitions' },
]
const ofModels: readonly Demand[] = [
  { title: 'states', by: 'journey', part: 'states' },
  { title: 'transitions', by: 'journey', part: 'transitions' },
]

export type Report = { readonly text: string; readonly errors: readonly string[] }

/**
 * What tests have reached of every machine and every model. Reports each transition that was not reached and is no
 * named exception, and of exceptions that are none.
 *
 * @param from the folder of the notes; @param to the file that the report is written to
 */
export function reportCoverage(from: string, to: string): Report {
  const notes = readNotes(from)
  const rows = {
    machines: machines.map(rowOf(notes, ofMachines)),
    models: models.map(rowOf(notes, ofModels)),
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
  ]
  const text = [
    '# States and transitions reached by tests',
    '',
    table('machine', rows.machines, ofMachines),
    '',
    table('model', rows.models, ofModels),
    '',
    ...(exceptions.length === 0 ? [] : ['Exceptions:', '', ...exceptions.map(lineOf), '']),
    ...errors.map(error => `- ${error}`),
  ].join('\n')
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(to, `${text.trimEnd()}\n`)
  return { text, errors }
}

function rowOf(notes: readonly Note[], demands: readonly Demand[]) {
  return ({ name, source, machine }: Statechart): Row => {
    const key = chartKey(machine)
    const all = { states: statesOf(machine), transitions: [...transitionsOf(machine).values()] }
    const shareOf = ({ by, part }: Demand): Share => {
      const reached = new Set(notes.filter(note => note.chart === key && note.by === by).flatMap(note => note[part]))
      return { of: all[part].length, missed: all[part].filter(one => !reached.has(one)) }
    }
    return { name, source, shares: Object.fromEntries(demands.map(demand => [demand.title, shareOf(demand)])) }
  }
}

function table(title: string, rows: readonly Row[], demands: readonly Demand[]): string {
  const titles = demands.map(demand => demand.title)
  const shown = (share: Share | undefined): string =>
    share === undefined ? '' : `${share.of - share.missed.length} of ${share.of}`
  const lines = [
    [title, ...titles],
    ...rows.map(({ name, shares }) => [name, ...titles.map(one => shown(shares[one]))]),
  ]
  const widths = [title, ...titles].map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0)))
  const print = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = lines
  return [print(head), print(widths.map(width => '-'.repeat(width))), ...body.map(print)].join('\n')
}

function lineOf({ transition, because }: Exception): string {
  return `- ${transition}: ${because}`
}
