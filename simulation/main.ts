import '../src/app/source-locale.ts'
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { run } from './run.ts'
import { reportText } from './story/report.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string', default: '7' },
    machines: { type: 'string', default: '6' },
    people: { type: 'string', default: 'phone' },
    'no-faults': { type: 'boolean', default: false },
    /** Prints every line of the journal, to compare two runs. */
    journal: { type: 'boolean', default: false },
    /** Prints only the digest and the failure, if there is one. */
    brief: { type: 'boolean', default: false },
  },
})

/** Seconds of the processor so far. */
const secondsUsed = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

// Modules are evaluated in a microtask, in which others cannot be run.
setImmediate(() => {
  const report = run({
    seed: Number(values.seed),
    days: Number(values.days),
    machines: Number(values.machines),
    people: values.people.split(','),
    hasFaults: !values['no-faults'],
    programs: import.meta.dirname,
    ...(values.journal ? { write: (lines: string) => void writeSync(1, lines) } : {}),
  })
  const text = values.brief
    ? JSON.stringify({ digest: report.digest, failure: report.failure })
    : reportText(report, values)
  writeSync(1, `${text}\n`)
  if (!values.brief) writeSync(1, `${report.tasks} tasks, ${secondsUsed().toFixed(1)} s of processor time\n`)
  process.exit(report.failure === undefined ? 0 : 1)
})
