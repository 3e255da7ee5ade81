import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import { chance, chanceBetween, pick } from '../random.ts'
import { isoTime } from '../time-text.ts'
import type { ProjectSpec } from '../types.ts'

function integerBetween(low: number, high: number, seed: number, ...keys: readonly (string | number)[]): number {
  return Math.floor(chanceBetween(low, high + 1, seed, ...keys))
}

function digest(text: string, form: 'hex' | 'base64'): string {
  return createHash('sha256').update(text).digest(form)
}

const coreBuilds: Readonly<Record<string, string>> = { '0xa9': 'a9-0.0.12', '0x26': '26-0.1.4' }

/** A random project that matches the unit: a GPU project for a unit with a GPU. */
export function chooseProject(
  projects: readonly ProjectSpec[],
  hasGpu: boolean,
  seed: number,
  number: number,
): ProjectSpec {
  const suitable = projects.filter(project => project.gpu === hasGpu)
  return pick(suitable.length > 0 ? suitable : projects, seed, number, 'project')
}

/** The `assignment` of a unit, with the keys of recorded traffic in their order. */
export function makeAssignment(
  project: ProjectSpec,
  unit: {
    readonly seed: number
    readonly number: number
    readonly cpus: number
    readonly gpus: readonly string[]
    readonly at: number
  },
): JsonObject {
  const build = coreBuilds[project.core] ?? project.core.slice(2)
  return {
    core: {
      sha256: digest(`core ${build}`, 'hex'),
      type: project.core,
      url: `https://cores.example.org/linux-amd64/fahcore-${build}.tar.bz2`,
    },
    cpus: unit.cpus,
    credit: project.credit,
    deadline: project.deadline,
    max_cpus: project.gpu ? 1 : 64,
    min_cpus: 1,
    port: 443,
    project: project.project,
    time: isoTime(unit.at),
    timeout: project.timeout,
    ws: `ws${integerBetween(1, 4, unit.seed, unit.number, 'ws')}.example.org`,
    ...(unit.gpus.length > 0 ? { gpus: [...unit.gpus] } : {}),
  }
}

/** The `wu` of a unit: run, clone and generation of the project. */
export function makeWorkUnit(seed: number, number: number, at: number): JsonObject {
  return {
    clone: integerBetween(0, 199, seed, number, 'clone'),
    compression: 'none',
    cs: [`10.0.${integerBetween(0, 9, seed, number, 'cs')}.1`],
    gen: integerBetween(0, 320, seed, number, 'gen'),
    run: integerBetween(0, 49, seed, number, 'run'),
    server: integerBetween(300_000_000, 400_000_000, seed, number, 'server'),
    sha256: digest(`wu ${seed} ${number}`, 'base64'),
    time: isoTime(at),
  }
}

/** The credit with a bonus for a quick return, for each of the days that the work takes. */
export function pointsPerDay({ credit, deadline }: ProjectSpec, days: number): number {
  return (credit * Math.max(1, Math.sqrt((0.75 * deadline) / (days * 86_400)))) / days
}

/** Random factor for the duration of a unit, 0.8 to 1.3. */
export function paceFactor(seed: number, number: number): number {
  return 0.8 + 0.5 * chance(seed, number, 'pace')
}
