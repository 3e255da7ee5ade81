import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { BUILT, buildMutated } from '../build.ts'
import type { Mutation, MutationWorld } from './mutation.ts'
import { mutations } from './mutations.ts'

const root = join(import.meta.dirname, '../../..')

/** A page is in sight for most of the day, so that faults meet it. */
const USUAL: Required<MutationWorld> = {
  days: 0.6,
  machines: 3,
  servers: 0,
  start: '2026-01-04',
  changesEvery: 60,
  people: 'desk,twoTabs,clicker,forgetful',
  hasFaults: true,
  isCrowded: true,
}

function wordsOf(world: Required<MutationWorld>): readonly string[] {
  return [
    ...['--days', String(world.days), '--machines', String(world.machines), '--people', world.people],
    ...['--servers', String(world.servers), '--start', world.start, '--changes-every', String(world.changesEvery)],
    ...(world.hasFaults ? [] : ['--no-faults']),
    ...(world.isCrowded ? ['--crowded'] : []),
  ]
}

type Found = { readonly invariant: string; readonly at: number; readonly what: string }
type Outcome =
  | { readonly seed: number; readonly found: Found }
  | { readonly seed: number; readonly broken: string }
  | { readonly seeds: number }
  | 'outside'

/** Milliseconds after which a run counts as one that does not end. */
const LONGEST_RUN = 300_000

async function runSeed(seed: number, words: readonly string[]): Promise<Found | string | undefined> {
  const all = [join(BUILT, 'simulate.js'), '--seed', String(seed), ...words, '--brief']
  const child = spawn(process.execPath, all, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_RUN,
    env: { TZ: 'UTC', LC_ALL: 'en_US.UTF-8' },
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const [page, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const code = await ended
  if (code === 0) return undefined
  if (code === null) return 'it did not end'
  if (code !== 1) return errors.split('\n')[0] ?? ''
  const { failure } = JSON.parse(page) as { readonly failure: Found }
  return failure
}

/** The right program is looked at too, as undefined: what fails in it is found whatever the mutation. */
async function look(
  mutation: Mutation | undefined,
  words: readonly string[],
  first: number,
  most: number,
): Promise<Outcome> {
  const folder =
    mutation === undefined ? BUILT : join(root, 'build', 'mutations', mutation.name.replaceAll(/[^a-z]+/gi, '-'))
  if (mutation !== undefined && !(await buildMutated(folder, mutation))) return 'outside'
  for (let seed = first; seed < first + most; seed++) {
    const found = await runSeed(seed, [...words, '--programs', folder])
    if (typeof found === 'string') return { seed, broken: found }
    if (found !== undefined) return { seed, found }
  }
  return { seeds: most }
}

function inWords(outcome: Outcome): string {
  if (outcome === 'outside') return 'no program of the world has this file'
  if ('seeds' in outcome) return `not found in ${outcome.seeds} seeds`
  if ('broken' in outcome) return `seed ${outcome.seed}: ${outcome.broken}`
  const { seed, found } = outcome
  return `seed ${seed}, after ${(found.at / 86_400_000).toFixed(2)} days: ${found.invariant}\n  ${found.what.split('\n')[0]}`
}

/**
 * Puts each mutation in, one at a time, and counts the seeds until an invariant fails. `words`: the options, of which
 * `--only` is a pattern of the mutations' names. Returns the exit code.
 */
export async function runMutations(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      mutations: { type: 'boolean' },
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '20' },
      days: { type: 'string' },
      machines: { type: 'string' },
      people: { type: 'string' },
      servers: { type: 'string' },
    },
  })
  const overrides: MutationWorld = {
    ...(values.days === undefined ? {} : { days: Number(values.days) }),
    ...(values.machines === undefined ? {} : { machines: Number(values.machines) }),
    ...(values.people === undefined ? {} : { people: values.people }),
    ...(values.servers === undefined ? {} : { servers: Number(values.servers) }),
  }
  const waiting = [
    ...('none'.match(values.only) === null ? [] : [undefined]),
    ...mutations.filter(({ name }) => new RegExp(values.only).test(name)),
  ]
  let missed = 0
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const mutation = waiting.shift()
      const words = wordsOf({ ...USUAL, ...mutation?.world, ...overrides })
      const outcome = await look(mutation, words, Number(values.seed), Number(values.seeds))
      process.stdout.write(`${mutation?.name ?? 'none'}\n  ${inWords(outcome)}\n`)
      if (mutation !== undefined && 'invariant' in mutation.found && (outcome === 'outside' || !('found' in outcome)))
        missed++
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return missed === 0 ? 0 : 1
}
