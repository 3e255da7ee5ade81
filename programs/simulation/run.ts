import { circumstancesOf } from './coverage/circumstances.ts'
import type { Coverage } from './coverage/coverage.ts'
import { faults } from './faults/faults.ts'
import { serverFaults } from './faults/server-faults.ts'
import { serverInvariants } from './invariants/server-invariants.ts'
import { createBooks } from './invariants/books.ts'
import { invariants } from './invariants/invariants.ts'
import { actions } from './people/actions.ts'
import { people } from './people/people.ts'
import { nameOf, planOf, type Step } from './story/plan.ts'
import type { Person, Scene } from './story/scene.ts'
import { createChances } from './time/chance.ts'
import { DAY, SECOND } from './time/durations.ts'
import { createJournal } from './time/journal.ts'
import { createWorld, type World } from './world.ts'

export type RunOptions = {
  readonly seed: number
  readonly days: number
  readonly machines: number
  readonly servers: number
  /** Epoch milliseconds at which it begins. */
  readonly start: number
  readonly changesEvery: number | undefined
  /** Names of `people/`. */
  readonly people: readonly string[]
  readonly hasFaults: boolean
  /** Whether half of the faults begin when somebody does something. */
  readonly isCrowded?: boolean
  /** Where the built programs are. */
  readonly programs: string
  /** Counts what is reached. */
  readonly coverage?: Coverage
  /** In place of the plan of the seed. */
  readonly plan?: readonly Step[]
  /** Receives all lines of the journal. */
  readonly write?: (lines: string) => void
}

export type Failure = {
  readonly invariant: string
  readonly reason: string
  readonly at: number
  readonly what: string
}

export type Report = {
  /** SHA-256 of everything that happened. */
  readonly digest: string
  readonly tasks: number
  readonly plan: readonly Step[]
  /** Steps in words, with their milliseconds since the beginning. */
  readonly story: readonly { readonly at: number; readonly text: string }[]
  readonly failure: Failure | undefined
  /** The last lines of the journal. */
  readonly last: readonly string[]
  /** As the run left it. */
  readonly world: World
}

/** Milliseconds between two looks at the invariants while a page is open. */
const LOOK = 5 * SECOND
/** Milliseconds. */
const SETTLING = 2 * 60 * SECOND
/** The same while there are servers, and no page. */
const LOOK_AT_SERVERS = 30 * SECOND
/** Milliseconds at the end of the run without faults, in which everything must become right. */
const QUIET_END = 3 * 60 * SECOND
/** The same with servers, which tell of what lasts. */
const QUIET_END_OF_SERVERS = 30 * 60 * SECOND

/** The names of those who live in the world: a second person of a kind has a number. */
function inhabitants(names: readonly string[]) {
  return names.flatMap(name => people[name] ?? [])
}

export function planFor({
  seed,
  days,
  people: names,
  hasFaults,
  servers,
  isCrowded = false,
}: RunOptions): readonly Step[] {
  return planOf({
    chances: createChances(seed),
    days,
    people: inhabitants(names),
    isCrowded,
    faults: hasFaults ? faults.filter(fault => servers > 0 || !serverFaults.includes(fault)) : [],
  })
}

/** Runs a plan, step by step. */
function createDirector(world: World, start: number, coverage: Coverage | undefined) {
  const { scheduler, chances } = world
  const books = createBooks(world)
  const persons = new Map<string, Person>()
  const story: { at: number; text: string }[] = []
  const active = new Map<string, () => void>()
  let calmSince: number | undefined = scheduler.now()

  const addToStory = (text: string): void => void story.push({ at: scheduler.now() - start, text })

  const personOf = (name: string): Person => {
    const person = persons.get(name) ?? { name, device: world.device(name), pages: [] }
    persons.set(name, person)
    return person
  }

  const endFault = (step: Step): void => {
    const end = active.get(nameOf(step))
    if (end === undefined) return
    active.delete(nameOf(step))
    coverage?.fault(step.does, 'ends', circumstancesOf(world))
    end()
    addToStory(`${step.does} ends`)
    if (active.size === 0) calmSince = scheduler.now()
  }

  const beginFault = (step: Step, scene: Scene): void => {
    const fault = faults.find(({ name }) => name === step.does)
    const before = coverage === undefined ? [] : circumstancesOf(world)
    const end = fault?.begin(scene)
    if (fault === undefined || end === undefined) return
    addToStory(`${step.does}: ${fault.what}`)
    active.set(nameOf(step), end)
    coverage?.fault(step.does, 'begins', before)
    calmSince = undefined
    scheduler.after(step.lasts ?? 0, 'world', `${step.does} ends`, () => endFault(step))
  }

  const perform = (step: Step): void => {
    const scene: Scene = { world, books, chance: chances('step', nameOf(step)) }
    if (step.kind === 'fault') beginFault(step, scene)
    else {
      const person = personOf(step.who)
      // What is used goes on.
      person.pages[0]?.tab.setAside(false)
      const act = Object.entries(actions).find(([name]) => name === step.does)?.[1]
      const text = act?.({ ...scene, person })
      if (text !== undefined) addToStory(`${step.who} ${text}`)
    }
  }

  /** Nobody sees a page that is put aside. After that it may take as long to become right as after faults. */
  const seenWorld: World = {
    ...world,
    pages: () => world.pages().filter(({ tab }) => scheduler.now() - (tab.runsSince() ?? Infinity) > SETTLING),
  }

  const check = (): Failure | undefined => {
    for (const { name, reason, check: look } of [...invariants, ...serverInvariants]) {
      const what = look({ world: seenWorld, books, calmSince })
      if (what !== undefined) return { invariant: name, reason, at: scheduler.now() - start, what }
    }
    return undefined
  }

  return {
    perform,
    check,
    story,
    endFaults: () => {
      for (const end of active.values()) end()
      active.clear()
      calmSince = scheduler.now()
    },
  }
}

export function run(options: RunOptions): Report {
  const journal = createJournal(options.write)
  const world = createWorld({ ...options, journal, inspectActors: options.coverage?.inspect })
  const { scheduler } = world
  const start = scheduler.now()
  const director = createDirector(world, start, options.coverage)
  const plan = options.plan ?? planFor(options)
  let failure: Failure | undefined

  /** Lets time pass, and looks at the invariants every few seconds while somebody might see something. */
  const passUntil = (until: number): void => {
    while (failure === undefined && scheduler.now() < until) {
      const looks = world.pages().length > 0 ? LOOK : world.servers === undefined ? Infinity : LOOK_AT_SERVERS
      const next = Math.min(until, scheduler.now() + looks)
      scheduler.runUntil(next)
      failure = director.check()
    }
  }

  for (const step of plan) {
    passUntil(start + step.at)
    if (failure !== undefined) break
    journal.note(scheduler.now(), 'world', nameOf(step))
    director.perform(step)
  }
  passUntil(start + options.days * DAY)
  if (failure === undefined) {
    director.endFaults()
    passUntil(scheduler.now() + (world.servers === undefined ? QUIET_END : QUIET_END_OF_SERVERS))
  }
  return {
    digest: journal.digest(),
    tasks: scheduler.count(),
    plan,
    story: director.story,
    failure,
    last: journal.last(),
    world,
  }
}
