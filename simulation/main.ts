import '../src/app/source-locale.ts'
import { readFileSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { run, type Report, type RunOptions } from './run.ts'
import { failsInProcess, shrink } from './shrink.ts'
import type { Step } from './story/plan.ts'
import { reportText } from './story/report.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string', default: '7' },
    machines: { type: 'string', default: '6' },
    people: { type: 'string', default: 'phone' },
    'no-faults': { type: 'boolean', default: false },
    /** A file with the steps to carry out, in place of those of the seed. */
    plan: { type: 'string' },
    /** Leaves out what a failure does not need, and prints the plan that is left. */
    shrink: { type: 'boolean', default: false },
    /** Prints every line of the journal, to compare two runs. */
    journal: { type: 'boolean', default: false },
    /** Prints only the digest and the failure, if there is one. */
    brief: { type: 'boolean', default: false },
  },
})

const print = (text: string): void => void writeSync(1, text)

/** Seconds of the processor so far. */
const secondsUsed = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const optionsOf = (): RunOptions => ({
  seed: Number(values.seed),
  days: Number(values.days),
  machines: Number(values.machines),
  people: values.people.split(','),
  hasFaults: !values['no-faults'],
  programs: import.meta.dirname,
  ...(values.plan === undefined ? {} : { plan: JSON.parse(readFileSync(values.plan, 'utf8')) as readonly Step[] }),
  ...(values.journal ? { write: print } : {}),
})

/** The steps of a failed run that its failure needs. */
const shortestOf = ({ plan, story, failure }: Report & { readonly failure: NonNullable<Report['failure']> }) => {
  const { seed, days, machines, people } = values
  const words = ['--seed', seed, '--days', days, '--machines', machines, '--people', people]
  const before = plan.filter(({ at }) => at <= failure.at)
  print(`\nOf ${before.length} steps, with ${story.length} effects, these are enough:\n`)
  return shrink(before, failsInProcess(fileURLToPath(import.meta.url), words, failure.invariant))
}

// Modules are evaluated in a microtask, in which others cannot be run.
setImmediate(() => {
  const report = run(optionsOf())
  const { digest, failure, tasks } = report
  if (values.brief) print(`${JSON.stringify({ digest, failure })}\n`)
  else print(`${reportText(report, values)}\n${tasks} tasks, ${secondsUsed().toFixed(1)} s of processor time\n`)
  if (values.shrink && failure !== undefined)
    print(`${JSON.stringify(shortestOf({ ...report, failure }), undefined, 2)}\n`)
  process.exit(failure === undefined ? 0 : 1)
})
