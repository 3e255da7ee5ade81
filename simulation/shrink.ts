import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Step } from './story/plan.ts'

/** Whether a plan still fails as the whole one does. */
export type StillFails = (plan: readonly Step[]) => boolean

/**
 * The shortest plan that can be found that still fails: leaves out ever smaller parts, from the end, until no single step can
 * be left out. The chance of a step follows from its name, so that those that stay do what they did before.
 */
export const shrink = (plan: readonly Step[], stillFails: StillFails): readonly Step[] => {
  let shortest = plan
  for (let size = Math.ceil(shortest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = shortest.length; end > 0; end -= size) {
      const fewer = [...shortest.slice(0, Math.max(0, end - size)), ...shortest.slice(end)]
      if (fewer.length < shortest.length && stillFails(fewer)) shortest = fewer
    }
  }
  return shortest
}

/** Runs plans in processes of their own, since a run replaces what is global. `words`: the options of the run. */
export const failsInProcess =
  (program: string, words: readonly string[], invariant: string): StillFails =>
  plan => {
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-simulation-'))
    const file = join(folder, 'plan.json')
    writeFileSync(file, JSON.stringify(plan))
    const { stdout } = spawnSync(process.execPath, [program, ...words, '--plan', file, '--brief'], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    return stdout.includes(`"invariant":${JSON.stringify(invariant)}`)
  }
