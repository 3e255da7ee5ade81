import type { AnyActorRef } from 'xstate'
import { unsavedChanges } from '../../../src/machines/shared/draft/draft.questions.ts'
import { HOUR, MINUTE } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import { onEachPage, type Checked, type Invariant } from './invariant.ts'

type Running = {
  readonly name: string
  readonly tags: ReadonlySet<string>
  /** The id of what a draft asks in this state. */
  readonly question: string | undefined
}
type Looked = {
  readonly tags?: ReadonlySet<string>
  readonly children?: Readonly<Record<string, AnyActorRef>>
  readonly context?: { readonly systemId?: string }
}

/** All actors of a page. */
function actorsOf(ref: AnyActorRef, name: string, found: Running[]): readonly Running[] {
  const { tags = new Set(), children = {}, context: { systemId } = {} } = ref.getSnapshot() as Looked
  found.push({ name, tags, question: systemId === undefined ? undefined : unsavedChanges(systemId, undefined).id })
  for (const [id, child] of Object.entries(children)) actorsOf(child, `${name}/${id}`, found)
  return found
}

/** Tags of states in which somebody waits for an answer. */
const WAITING = [
  ...['busy', 'saving', 'linking', 'unlinking', 'deleting', 'renewing', 'searching', 'asking'],
  ...['running', 'awaiting', 'acting'],
]
/** Milliseconds: a call of the API ends after 30 s, and the longest question needs several. */
const LONGEST_QUESTION = 5 * MINUTE
/** Milliseconds between two looks at the actors of a page. */
const LOOK = MINUTE
/** Milliseconds after which a page has all that it is going to have. */
const FIRST = 5 * MINUTE

type Health = {
  lookedAt: number
  readonly openedAt: number
  waiting: Map<string, number>
  first: { readonly actors: number; readonly held: number; readonly members: number } | undefined
}

const healthOf = new WeakMap<OpenPage, Health>()

function heldBy({ tab }: OpenPage): readonly string[] {
  return [tab.realm, ...tab.workers()].flatMap(realm => realm.held())
}

/** Timers come and go. */
const TIMER = 'timeout'
function mostTimers(members: number): number {
  return 60 + 20 * members
}

/** What it holds most of, in words. */
function mostOf(held: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const what of held) counts.set(what, (counts.get(what) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 4)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ')
}

/** Questions that have not ended. `shown`: ids of those that a person has not answered yet. */
function unanswered(
  actors: readonly Running[],
  shown: readonly string[],
  health: Health,
  now: number,
): string | undefined {
  const waiting = new Map<string, number>()
  for (const { name, tags, question = '' } of actors)
    for (const tag of WAITING)
      if (tags.has(tag) && !(tag === 'asking' && shown.includes(question)))
        waiting.set(`${name} is ${tag}`, health.waiting.get(`${name} is ${tag}`) ?? now)
  health.waiting = waiting
  const [first] = [...waiting].filter(([, since]) => now - since > LONGEST_QUESTION)
  return first && `${first[0]} for ${Math.round((now - first[1]) / MINUTE)} min`
}

/** Commands that were carried out are kept until the next one is given. */
const MOST_CARRIED_OUT = 30

function fullQueue(page: OpenPage): string | undefined {
  for (const { ref } of Object.values(page.system.fleet.getSnapshot().context.members)) {
    const { entries } = ref.getSnapshot().context.queue
    const done = entries.filter(({ status }) => status === 'confirmed').length
    if (done > MOST_CARRIED_OUT) return `the queue of ${ref.id} has ${done} commands that were carried out`
  }
  return undefined
}

function grown(page: OpenPage, actors: number, health: Health, now: number): string | undefined {
  if (now - health.openedAt < FIRST) return undefined
  const all = heldBy(page)
  const held = all.filter(what => what !== TIMER)
  const members = Object.keys(page.system.fleet.getSnapshot().context.members).length
  health.first ??= { actors, held: held.length, members }
  const more = Math.max(0, members - health.first.members)
  const most = (first: number, each: number): number => 1.5 * first + 20 + each * more
  if (actors > most(health.first.actors, 4)) return `${actors} actors, and ${health.first.actors} at first`
  const timers = all.length - held.length
  if (timers > mostTimers(members)) return `${timers} timers for ${members} machines`
  return held.length > most(health.first.held, 8)
    ? `holds ${held.length} things, and ${health.first.held} at first: ${mostOf(held)}`
    : undefined
}

function look(
  page: OpenPage,
  { world }: Checked,
): { readonly question?: string | undefined; readonly growth?: string | undefined } {
  const now = world.scheduler.now()
  const health = healthOf.get(page) ?? { lookedAt: now, openedAt: now, waiting: new Map(), first: undefined }
  healthOf.set(page, health)
  if (now - health.lookedAt < (page.tab.isHidden() ? HOUR : LOOK)) return {}
  health.lookedAt = now
  const actors = actorsOf(page.system.app, 'app', [])
  const shown = page.system.dialogs.getSnapshot().context.questions.map(({ id }) => id)
  const question = page.tab.isHidden() ? undefined : unanswered(actors, shown, health, now)
  const growth = fullQueue(page) ?? grown(page, actors.length, health, now)
  return { question, growth }
}

const looks = new WeakMap<OpenPage, { readonly at: number; readonly found: ReturnType<typeof look> }>()

/** Both invariants look at the same actors. */
function lookOnce(page: OpenPage, checked: Checked): ReturnType<typeof look> {
  const now = checked.world.scheduler.now()
  const cached = looks.get(page)
  if (cached?.at === now) return cached.found
  const found = look(page, checked)
  looks.set(page, { at: now, found })
  return found
}

function firstOf(what: 'question' | 'growth'): Invariant['check'] {
  return onEachPage((page, checked) => {
    const found = lookOnce(page, checked)[what]
    return found && `${page.device.name}: ${found}`
  })
}

export const questionsEnd: Invariant = {
  name: 'every question ends',
  reason: 'A dialog that waits for ever can only be left by loading the page again.',
  check: firstOf('question'),
}

export const memoryIsFlat: Invariant = {
  name: 'a page holds no more and no more',
  reason: 'A page stays open for months: what is added and never removed ends it.',
  check: firstOf('growth'),
}
