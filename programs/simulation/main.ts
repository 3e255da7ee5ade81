import '../../src/loading/source-locale.ts'
import { mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createCoverage } from './coverage/coverage.ts'
import { writeCoveragePage, writeReached } from './coverage/report.ts'
import { runMany } from './many.ts'
import { people } from './people/people.ts'
import { run, type Failure, type Report, type RunOptions } from './run.ts'
import { failsInProcess, shrink } from './shrink.ts'
import type { Step, Story } from './story/plan.ts'
import { saveRecordings } from './story/recordings.ts'
import { reportText } from './story/report.ts'
import { DAY, HOUR, SECOND } from './time/durations.ts'

/** A Sunday. */
const START = '2026-01-04'

/** Exit codes. */
const HELD = 0
const FAILED = 1
const NOT_RUN = 2

const USAGE = `npm run simulate -- --seed 7 --days 365 --machines 6

  --seed N           the world (1)
  --days D           how long it runs (7)
  --machines M       how many machines there are (6)
  --servers N        how many servers there are, of one database (0)
  --changes-every S  seconds between two changes of each running unit (1; with servers 60)
  --start DATE       the day on which it begins (${START}, a Sunday)
  --people A,B       who lives in it (phone): ${Object.keys(people).join(', ')}
  --no-faults        nothing goes wrong
  --crowded          half of the faults begin within a minute of what somebody does
  --plan FILE        these steps, in place of those of the seed
  --shrink           after a failure: the smallest story that still fails
  --pin NAME         shrinks it, and keeps it as simulation/pinned/NAME.json, which npm test tells
  --story FILE       such a story, in place of a seed, its days, machines and steps
  --programs FOLDER  the built programs of the world (those of this build)
  --journal          prints every line of the journal, to compare two runs
  --save FOLDER      saves what the open pages recorded, also without a failure (after one: build/recordings)
  --coverage FOLDER  writes what the run reached; after many seeds also a page about all of the folder
  --brief            prints only the digest and the failure

Many seeds, counted up from --seed, each with all people unless some are named:

  --until-failure    ends with the first failure
  --hours H          begins no run after so many hours, and prints all failures

Ends with ${HELD} when everything held, with ${FAILED} when an invariant failed, with ${NOT_RUN} when it could not run.
`

function print(text: string): void {
  return void writeSync(1, text)
}

function refuse(message: string): never {
  writeSync(2, `${message}\n\n${USAGE}`)
  process.exit(NOT_RUN)
}

function readWords() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        days: { type: 'string', default: '7' },
        machines: { type: 'string', default: '6' },
        servers: { type: 'string', default: '0' },
        'changes-every': { type: 'string' },
        start: { type: 'string', default: START },
        people: { type: 'string' },
        'no-faults': { type: 'boolean', default: false },
        crowded: { type: 'boolean', default: false },
        plan: { type: 'string' },
        programs: { type: 'string', default: import.meta.dirname },
        story: { type: 'string' },
        pin: { type: 'string' },
        shrink: { type: 'boolean', default: false },
        journal: { type: 'boolean', default: false },
        save: { type: 'string' },
        coverage: { type: 'string' },
        brief: { type: 'boolean', default: false },
        'until-failure': { type: 'boolean', default: false },
        hours: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const values = readWords()
const program = fileURLToPath(import.meta.url)

function numberOf(name: 'seed' | 'days' | 'machines' | 'servers' | 'changes-every' | 'hours', text: string): number {
  const number = Number(text)
  return Number.isFinite(number) && number >= 0 && text.trim() !== ''
    ? number
    : refuse(`--${name} needs a number, not ${text}.`)
}

function peopleOf(names: string): readonly string[] {
  const list = names.split(',')
  const unknown = list.find(name => !Object.hasOwn(people, name))
  return unknown === undefined ? list : refuse(`Nobody is called ${unknown}.`)
}

/** Seconds of the processor so far. */
function secondsUsed(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** A story without a change every second, unless it has servers. `requested`: seconds. */
function changesEvery(servers: number, requested: number | undefined): number | undefined {
  const every = requested ?? (servers > 0 ? 60 : 1)
  return every === 1 ? undefined : every * SECOND
}

function startOf(date: string): number {
  return Number.isNaN(Date.parse(date)) ? refuse(`${date} is no date such as 2026-03-28.`) : Date.parse(date)
}

/** What a person or this program has written. */
function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** The world that the options describe, without its steps. */
function givenWorld(): Omit<Story, 'steps'> {
  const { seed, days, machines, servers, start, 'changes-every': every } = values
  return {
    seed: numberOf('seed', seed),
    days: numberOf('days', days),
    machines: numberOf('machines', machines),
    ...(numberOf('servers', servers) === 0 ? {} : { servers: Number(servers) }),
    ...(start === START ? {} : { start }),
    ...(every === undefined ? {} : { changesEvery: numberOf('changes-every', every) }),
  }
}

/** The world, and the steps that are given for it. */
function storyOf(): Omit<Story, 'steps'> & { readonly steps?: readonly Step[] } {
  if (values.story !== undefined) return readJson(values.story) as Story
  return {
    ...givenWorld(),
    ...(values.plan === undefined ? {} : { steps: readJson(values.plan) as readonly Step[] }),
  }
}

function optionsOf({ seed, days, machines, ...story }: ReturnType<typeof storyOf>): RunOptions {
  return {
    ...{ seed, days, machines },
    ...(story.steps === undefined ? {} : { plan: story.steps }),
    servers: story.servers ?? 0,
    start: startOf(story.start ?? START),
    changesEvery: changesEvery(story.servers ?? 0, story.changesEvery),
    people: peopleOf(values.people ?? 'phone'),
    hasFaults: !values['no-faults'],
    isCrowded: values.crowded,
    programs: values.programs,
    ...(values.journal ? { write: print } : {}),
  }
}

/** What makes a world, but for its seed. */
function worldWords(names: string): readonly string[] {
  return [
    ...['--days', values.days, '--machines', values.machines, '--people', names],
    ...['--servers', values.servers, '--start', values.start],
    ...(values['changes-every'] === undefined ? [] : ['--changes-every', values['changes-every']]),
    ...(values['no-faults'] ? ['--no-faults'] : []),
    ...(values.crowded ? ['--crowded'] : []),
    ...['--programs', values.programs],
  ]
}

const PINNED = join(import.meta.dirname, '../../programs/simulation/pinned')

/** Prints the smallest story of a failed run that still fails, and keeps it when it is to be pinned. */
function tellSmallest({ plan }: Report, { invariant, at }: Failure, story: Omit<Story, 'steps'>): void {
  const steps = plan.filter(step => step.at <= at)
  const words = ['--programs', values.programs]
  const smallest = shrink({ ...story, steps }, failsInProcess(program, words, invariant))
  const text = `${JSON.stringify({ invariant, ...smallest }, undefined, 2)}\n`
  print(
    `\nOf ${steps.length} steps of ${new Set(steps.map(({ who }) => who)).size} people and faults, these are enough:\n${text}`,
  )
  if (values.pin === undefined) return
  mkdirSync(PINNED, { recursive: true })
  writeFileSync(join(PINNED, `${values.pin}.json`), text)
}

const RECORDINGS = join(import.meta.dirname, '../recordings')

/** What `npm start` opens, by the name of the invariant. */
async function saveAll(world: Report['world'], folder: string, failure: Report['failure']): Promise<void> {
  const { invariant, at } = failure ?? { invariant: 'everything held', at: Number(values.days) * DAY }
  const moment = new Date(at).toISOString().slice(11, 19).replaceAll(':', '-')
  const name = `seed-${values.seed}-${invariant.replaceAll(' ', '-')}-day-${Math.floor(at / DAY) + 1}-${moment}`
  const paths = await saveRecordings(world, { folder, name, mark: failure?.invariant })
  print(
    paths.length === 0
      ? 'No page was open: there is no recording.\n'
      : paths.map(path => `Recording, for "Open a recording" of npm start: ${path}\n`).join(''),
  )
}

async function runOne(): Promise<number> {
  const story = storyOf()
  const options = optionsOf(story)
  const coverage = values.coverage === undefined ? undefined : createCoverage()
  const report = run(coverage === undefined ? options : { ...options, coverage })
  if (coverage !== undefined && values.coverage !== undefined)
    writeReached(values.coverage, options.seed, coverage.reached())
  const { digest, failure, tasks } = report
  if (values.brief) print(`${JSON.stringify({ digest, failure })}\n`)
  else print(`${reportText(report, values)}\n${tasks} tasks, ${secondsUsed().toFixed(1)} s of processor time\n`)
  const folder = values.save ?? (failure === undefined || values.brief ? undefined : RECORDINGS)
  if (folder !== undefined) await saveAll(report.world, folder, failure)
  if (failure === undefined) return HELD
  if (values.shrink || values.pin !== undefined) tellSmallest(report, failure, story)
  return FAILED
}

async function runSeeds(): Promise<number> {
  const { hours, seed, days } = values
  const names = peopleOf(values.people ?? Object.keys(people).join(','))
  const { runs, failed, broken } = await runMany({
    program,
    words: [
      ...worldWords(names.join(',')),
      ...(values.shrink ? ['--shrink'] : []),
      ...(values.save === undefined ? [] : ['--save', values.save]),
      ...(values.coverage === undefined ? [] : ['--coverage', values.coverage]),
    ],
    firstSeed: numberOf('seed', seed),
    until: hours === undefined ? Infinity : Date.now() + numberOf('hours', hours) * HOUR,
    endsWithFailure: values['until-failure'],
    print,
  })
  if (values.coverage !== undefined) writeCoveragePage(values.coverage)
  print(`${runs} seeds from ${seed}, ${days} days each: ${failed} failed, ${broken} could not run.\n`)
  return broken > 0 ? NOT_RUN : failed > 0 ? FAILED : HELD
}

function main(): number | Promise<number> {
  if (!values.help) return values['until-failure'] || values.hours !== undefined ? runSeeds() : runOne()
  print(USAGE)
  return HELD
}

async function end(): Promise<never> {
  try {
    return process.exit(await main())
  } catch (error) {
    // The world takes errors that nothing catches for its own.
    writeSync(2, `${error instanceof Error ? error.stack : String(error)}\n`)
    return process.exit(NOT_RUN)
  }
}

// Modules are evaluated in a microtask, in which others cannot be run.
setImmediate(() => void end())
