import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { transitionsOf } from '../../../test/coverage/chart.ts'
import { machines } from '../../../test/statecharts.ts'
import { faults } from '../faults/faults.ts'
import { circumstances } from './circumstances.ts'
import { guardOutcome, guardsOf, type Reached } from './coverage.ts'

type Kind = keyof Reached

const KINDS = {
  transitions: 'transitions',
  pairs: 'pairs of transitions of one actor',
  guards: 'outcomes of guards',
  faults: 'faults × circumstances',
} as const

/** The page of a folder, `coverage.txt` in it. */
export function writeCoveragePage(folder: string): void {
  return writeFileSync(join(folder, 'coverage.txt'), coveragePage(folder))
}

/** Writes what one run reached. @param folder is made when it is missing */
export function writeReached(folder: string, seed: number, reached: Reached): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `seed-${seed}.json`), JSON.stringify(reached))
}

function readReached(folder: string): readonly Reached[] {
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Reached)
}

function guardOutcomes(machine: AnyStateMachine): readonly string[] {
  return guardsOf(machine).flatMap(guard => [
    guardOutcome(machine.id, guard, true),
    guardOutcome(machine.id, guard, false),
  ])
}

const faultPoints: readonly string[] = faults.flatMap(({ name, lasts }) =>
  (lasts[1] > 1 ? ['begins', 'ends'] : ['begins']).flatMap(phase =>
    circumstances.map(circumstance => `${name} · ${phase} · ${circumstance}`),
  ),
)

/** How many seeds reached each. */
function seedsOf(all: readonly Reached[], kind: Kind): ReadonlyMap<string, number> {
  const seeds = new Map<string, number>()
  for (const reached of all) for (const name of Object.keys(reached[kind])) seeds.set(name, (seeds.get(name) ?? 0) + 1)
  return seeds
}

function missedOf(names: readonly string[], seeds: ReadonlyMap<string, number>): readonly string[] {
  return names.filter(name => !seeds.has(name))
}

function share(names: readonly string[], seeds: ReadonlyMap<string, number>): string {
  return `${names.length - missedOf(names, seeds).length} of ${names.length}`
}

/** Points that one fault was not met at, in a line. */
function faultLines(missed: readonly string[]): readonly string[] {
  return faults.flatMap(({ name }) => {
    const points = missed.filter(point => point.startsWith(`${name} · `)).map(point => point.slice(name.length + 3))
    return points.length === 0 ? [] : [`- ${name}: ${points.join('; ')}`]
  })
}

/**
 * A page about all runs of a folder: what they reached, and what none did. Pairs have no known total: the share of the
 * seeds that still find a new one says how much is missing.
 */
function coveragePage(folder: string): string {
  const all = readReached(folder)
  const seeds = { transitions: seedsOf(all, 'transitions'), guards: seedsOf(all, 'guards') }
  const [begun, pairs, points] = [seedsOf(all, 'machines'), seedsOf(all, 'pairs'), seedsOf(all, 'faults')]
  const rows = machines.map(({ name, machine }) => {
    const machinePoints = { transitions: [...transitionsOf(machine).values()], guards: guardOutcomes(machine) }
    return { name, machinePoints, runs: begun.has(machine.id) }
  })
  const running = rows.filter(({ runs }) => runs)
  const whole = (kind: 'transitions' | 'guards', of: typeof rows) =>
    of.flatMap(({ machinePoints }) => machinePoints[kind])
  const once = (map: ReadonlyMap<string, number>): number => [...map.values()].filter(count => count === 1).length
  const missedFaults = missedOf(faultPoints, points)
  return [
    `# What ${all.length} seeds reached`,
    '',
    '| of machines that ran | reached | by one seed only |',
    '| --- | --- | --- |',
    ...(['transitions', 'guards'] as const).map(
      kind => `| ${KINDS[kind]} | ${share(whole(kind, running), seeds[kind])} | ${once(seeds[kind])} |`,
    ),
    `| ${KINDS.pairs} | ${pairs.size} | ${once(pairs)} |`,
    `| ${KINDS.faults} | ${share(faultPoints, points)} | ${once(points)} |`,
    '',
    '| machine | transitions | outcomes of guards |',
    '| --- | --- | --- |',
    ...running.map(
      ({ name, machinePoints }) =>
        `| ${name} | ${share(machinePoints.transitions, seeds.transitions)} | ${share(machinePoints.guards, seeds.guards)} |`,
    ),
    '',
    `No seed started: ${rows.flatMap(({ name, runs }) => (runs ? [] : [name])).join(', ')}`,
    '',
    '## Transitions that no seed took',
    '',
    ...missedOf(whole('transitions', running), seeds.transitions).map(name => `- ${name}`),
    '',
    '## Outcomes that no guard had',
    '',
    ...missedOf(whole('guards', running), seeds.guards).map(name => `- ${name}`),
    '',
    '## Where no fault was met',
    '',
    ...faultLines(missedFaults),
    '',
  ].join('\n')
}
