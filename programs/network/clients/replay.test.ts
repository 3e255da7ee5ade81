import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { isJsonList, isJsonObject, parseMessage } from '../../../src/protocol/json.ts'
import type { Json } from '../../../src/protocol/json.ts'
import { createTestClient } from '../../../test/network/test-client.ts'
import type { ClientProfile, ProjectSpec } from './types.ts'

const captures = join(import.meta.dirname, '../../../../shared/captures')

const line = v.object({ ms: v.number(), dir: v.string(), type: v.string(), raw: v.string() })
type Line = v.InferOutput<typeof line>

function readCapture(name: string): readonly Line[] {
  return readFileSync(join(captures, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map(text => v.parse(line, JSON.parse(text)))
}

function contentOf({ raw }: Line): Json {
  const read = parseMessage(raw)
  if (!read.ok) throw new Error(`A capture holds what is not JSON: ${raw}`)
  return read.value
}

function messagesOf(lines: readonly Line[], dir: 'in' | 'out') {
  return lines.filter(each => each.type === 'text' && each.dir === dir)
}

/** The start of the recording: the first command's time minus its offset. */
function startOf(lines: readonly Line[]): number {
  for (const each of messagesOf(lines, 'out')) {
    const command = contentOf(each)
    if (isJsonObject(command) && typeof command['time'] === 'string') return Date.parse(command['time']) - each.ms
  }
  throw new Error('A capture without a timed command')
}

/** Delay of a real client's reaction in ms. */
const REACTION_MS = 300

type Replayed = { readonly theirs: readonly (readonly Json[])[]; readonly ours: readonly (readonly Json[])[] }

/** Replays the recorded commands to a simulated client and collects its answers and the recorded ones. */
function replay(
  name: string,
  profile: Partial<ClientProfile>,
  projects?: readonly ProjectSpec[],
  until = Number.POSITIVE_INFINITY,
): Replayed {
  const lines = readCapture(name).filter(({ ms }) => ms < until)
  const start = startOf(lines)
  const context = createTestClient(profile, projects === undefined ? {} : { projects }, start)
  const reader = context.read()
  for (const each of messagesOf(lines, 'out')) {
    context.clock.advance(start + each.ms + REACTION_MS - context.clock.now())
    reader.connection.receive(contentOf(each))
  }
  context.clock.advance((lines.at(-1)?.ms ?? 0) + start - context.clock.now())
  return { theirs: messagesOf(lines, 'in').map(contentOf).filter(isJsonList), ours: reader.take().filter(isJsonList) }
}

/** Keys of a unit that depend on servers, random failures or speed. */
const notCompared: ReadonlySet<Json> = new Set([
  'id',
  'delay',
  'wait',
  'retries',
  'eta',
  'ppd',
  'wu_progress',
  'progress',
  'frames',
  'run_time',
  'start_time',
  'pid',
  'end_time',
  'error',
])

/** Changes as text; of units only the deterministic ones. */
function decided(changes: readonly (readonly Json[])[]): readonly string[] {
  return (
    changes
      .filter(change => !(change[0] === 'units' && notCompared.has(change[2] ?? null)))
      // A group's wait is the second of the reaction, which may differ by one.
      .map(change =>
        JSON.stringify(change[0] === 'groups' && change[2] === 'wait' ? [...change.slice(0, -1), 'now'] : change),
      )
  )
}

describe.skipIf(!existsSync(captures))(
  'a simulated client beside a real one (skipped where ../shared/captures is absent)',
  () => {
    it('sends the recorded changes of config', () => {
      const { theirs, ours } = replay('direct-config', {
        config: { user: 'Anonymous', team: 0, passkey: '', cause: 'any' },
      })
      expect(ours).toEqual(theirs)
    })

    it('folds, pauses and finishes with the recorded time rules', () => {
      const { theirs, ours } = replay('direct-state', { noWork: true })
      expect(decided(ours)).toEqual(decided(theirs))
    })

    it('replays and continues the log at the recorded times', () => {
      const shapes = (changes: readonly (readonly Json[])[]) =>
        changes.filter(([key]) => key === 'log').map(change => (change.length === 2 ? 'all' : JSON.stringify(change)))
      const { theirs, ours } = replay('direct-log', {})
      expect(shapes(ours)).toEqual(shapes(theirs))
    })

    const short: ProjectSpec = {
      project: 18_440,
      core: '0xaa',
      gpu: false,
      credit: 14_500,
      timeout: 129_600,
      deadline: 259_200,
      hours: 16 / 3600,
      molecule: 'crambin',
      atoms: 600,
    }

    it('finishes a unit, then pauses by itself', () => {
      const gpu = { vendor: 4318, device: 9860, type: 'nvidia', supported: false, description: 'stand-in' }
      const { theirs, ours } = replay(
        'direct-finish',
        {
          noWork: true,
          gpus: { 'gpu:01:00:00': gpu },
          groups: { '': { cpus: 2, paused: false, finish: true, gpus: { 'gpu:01:00:00': { enabled: true } } } },
          units: [{ state: 'RUN', cpus: 2, progress: 0.583, project: 18_440 }],
          history: ['credited'],
        },
        [short],
      )
      expect(decided(ours)).toEqual(decided(theirs))
    })

    it('shares CPUs and GPUs among groups, and moves a unit whose group is deleted', () => {
      const gpu = (supported: boolean) => ({
        vendor: 4318,
        device: 9860,
        type: 'nvidia',
        supported,
        description: 'stand-in',
      })
      const minute: ProjectSpec = { ...short, hours: 60 / 3600 }
      const { theirs, ours } = replay(
        'direct-gpus-groups',
        {
          noWork: true,
          gpus: { 'gpu:01:00:00': gpu(true), 'gpu:02:00:00': gpu(false), 'gpu:03:00:00': gpu(false) },
          groups: { '': { cpus: 1 }, work: {} },
          units: [
            { state: 'CORE', cpus: 1, gpus: ['gpu:01:00:00'], project: 18_440 },
            { state: 'CORE', cpus: 1, group: 'work', project: 18_440 },
          ],
        },
        [minute, { ...minute, gpu: true }],
      )
      // The order of groups and units within one moment is not specified.
      const inAnyOrder = (changes: readonly (readonly Json[])[]) =>
        decided(changes)
          .map(text => text.replace(/"(assignment|wu)",.*/, '$1').replace(/"number":\d+/, 'number'))
          .sort()
      expect(inAnyOrder(ours)).toEqual(inAnyOrder(theirs))
    })
  },
)
