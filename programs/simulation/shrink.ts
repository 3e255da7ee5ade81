import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Step, Story } from './story/plan.ts'
import { DAY, MINUTE, SECOND } from './time/durations.ts'

/** When a story fails as the first one did, in milliseconds since its beginning; undefined when it does not. */
export type FailsAt = (story: Story) => number | undefined

/** The story without what comes after its failure: until then it is the same run. */
function endedAt(story: Story, at: number): Story {
  return {
    ...story,
    days: Math.min(story.days, (at + MINUTE) / DAY),
    steps: story.steps.filter(step => step.at <= at),
  }
}

/** Machines, from one on, that are tried in place of as many as there are. */
const FEW_MACHINES = [1, 2, 3, 6]
/** The same of servers. */
const FEW_SERVERS = [1, 2]
const SHORT: readonly number[] = [SECOND, MINUTE]
/** Milliseconds before the first step, and in place of longer waits. */
const BEGIN = MINUTE
const WAIT = 2 * MINUTE

/** Steps from one of them on, all `by` earlier. */
function earlier(steps: readonly Step[], from: number, by: number): readonly Step[] {
  return steps.map((step, index) => (index < from ? step : { ...step, at: step.at - by }))
}

/**
 * The smallest story that can be found that still fails: without what comes after the failure, without whole persons and
 * kinds of faults, with fewer machines, without ever smaller parts of its steps, with shorter waits and shorter faults.
 * The chance of a step follows from its name, so that those that stay at their time do what they did before.
 */
export function shrink(story: Story, failsAt: FailsAt): Story {
  let smallest = story

  const accept = (smaller: Story): boolean => {
    const at = failsAt(smaller)
    if (at !== undefined) smallest = endedAt(smaller, at)
    return at !== undefined
  }
  const acceptSteps = (steps: readonly Step[]): boolean =>
    steps.length < smallest.steps.length && accept({ ...smallest, steps })

  const dropKinds = (kindOf: (step: Step) => string): void => {
    for (const kind of new Set(smallest.steps.map(kindOf)))
      acceptSteps(smallest.steps.filter(step => kindOf(step) !== kind))
  }

  const dropSteps = (): void => {
    for (let size = Math.ceil(smallest.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let end = smallest.steps.length; end > 0; end = Math.min(end, smallest.steps.length + size) - size)
        acceptSteps([...smallest.steps.slice(0, Math.max(0, end - size)), ...smallest.steps.slice(end)])
    }
  }

  const dropWaits = (): void => {
    for (let index = 0; index < smallest.steps.length; index++) {
      const wait = (smallest.steps[index]?.at ?? 0) - (smallest.steps[index - 1]?.at ?? 0)
      const allowed = index === 0 ? BEGIN : WAIT
      if (wait > allowed) accept({ ...smallest, steps: earlier(smallest.steps, index, wait - allowed) })
    }
  }

  const shortenFaults = (): void => {
    for (let index = 0; index < smallest.steps.length; index++)
      for (const lasts of SHORT) {
        const isShorter = (smallest.steps[index]?.lasts ?? 0) > lasts
        const steps = smallest.steps.map((step, at) => (at === index ? { ...step, lasts } : step))
        if (isShorter && accept({ ...smallest, steps })) break
      }
  }

  if (!accept(story)) return story
  dropKinds(({ kind, who, does }) => (kind === 'person' ? who : does))
  FEW_MACHINES.find(machines => machines < story.machines && accept({ ...smallest, machines }))
  FEW_SERVERS.find(servers => servers < (story.servers ?? 0) && accept({ ...smallest, servers }))
  dropSteps()
  dropWaits()
  shortenFaults()
  return smallest
}

/** Runs stories in processes of their own, since a run replaces what is global. `words`: further options of the run. */
export function failsInProcess(program: string, words: readonly string[], invariant: string): FailsAt {
  return story => {
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-simulation-'))
    const file = join(folder, 'story.json')
    writeFileSync(file, JSON.stringify(story))
    const all = [program, ...words, '--story', file, '--brief']
    const { stdout } = spawnSync(process.execPath, all, { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    const failure = failureOf(stdout)
    return failure?.invariant === invariant ? failure.at : undefined
  }
}

type Told = { readonly failure?: { readonly invariant: string; readonly at: number; readonly what: string } }

/** The failure that a run with `--brief` printed. */
export function failureOf(page: string): Told['failure'] {
  return page.startsWith('{') ? (JSON.parse(page) as Told).failure : undefined
}
