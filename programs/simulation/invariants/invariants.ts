import { DIRECT_ID } from '../../../src/folding/client/client.ts'
import { MINUTE } from '../time/durations.ts'
import type { OpenPage } from '../world.ts'
import { machinesOf } from '../people/tools.ts'
import { isPartOf, type Books } from './books.ts'
import { nothingTwice, sameAccount, sameNamesAndLogs } from './contents.ts'
import { callsAreKnown } from './calls.ts'
import { timeIsRight } from './clocks.ts'
import { rightDiagnoses } from './diagnoses.ts'
import { historyComplete } from './history.ts'
import { incidentsInTime } from './incidents.ts'
import { createLasting } from './lasting.ts'
import { memoryIsFlat, questionsEnd } from './page-health.ts'
import { outcomesAreTrue } from './outcomes.ts'
import { allAccountedFor, noneBroken } from './parts.ts'
import { reconnectsInTime } from './reconnections.ts'
import { valuesAreFresh } from './remote-values.ts'
import { screenIsCurrent } from './screen.ts'
import { sessionsEnd } from './sessions.ts'
import { storingFailsAloud } from './storing.ts'
import { pointsAddUp } from './sums.ts'
import { noSurplus } from './surplus.ts'
import { undoGivesBack } from './undo.ts'
import type { Checked, Invariant } from './invariant.ts'

/** The last commands to a client, given and received, in words. */
function historyOf(books: Books, client: string): string {
  return [
    ...books
      .commands()
      .filter(one => one.client === client)
      .map(({ at, state }) => ({ at, text: `asked to ${state}` })),
    ...books
      .received()
      .filter(one => one.client === client)
      .map(({ at, command }) => ({ at, text: `received ${JSON.stringify(command)}` })),
  ]
    .sort((one, other) => one.at - other.at)
    .slice(-8)
    .map(({ at, text }) => `\n  ${new Date(at).toISOString()} ${text}`)
    .join('')
}

const noErrors: Invariant = {
  name: 'nothing throws',
  reason: 'An error that nothing catches is a mistake of the program, whatever its surroundings do.',
  check: ({ world }) => world.errors[0],
}

const timePasses: Invariant = {
  name: 'time passes',
  reason: 'Messages that answer each other without end keep a processor busy for as long as the page is open.',
  check: ({ world }) => world.scheduler.endlessIn(),
}

const nothingLeft: Invariant = {
  name: 'nothing left of a page',
  reason: 'A timer or listener that outlives its owner runs for ever in a page that stays open for months.',
  check: ({ world }) => world.leaks[0],
}

const noneTwice: Invariant = {
  name: 'no command twice',
  reason: 'What is done twice may undo what was done in between.',
  check: ({ books }) => {
    const twice = books.commands().find(({ orders }) => new Set(orders).size < orders.length)
    return twice === undefined
      ? undefined
      : `${twice.client} received twice: ${twice.orders.join(', ')}${historyOf(books, twice.client)}`
  },
}

const noneToOthers: Invariant = {
  name: 'no command to another machine',
  reason: 'A click concerns the machine that it was for.',
  check: ({ books }) => {
    const wrong = books.received().find(({ asked }) => asked === undefined)
    return wrong === undefined
      ? undefined
      : `${wrong.client} received ${JSON.stringify(wrong.command)}, which nobody asked for${historyOf(books, wrong.client)}`
  },
}

const savesOnly: Invariant = {
  name: 'a save changes only what was asked for',
  reason:
    'A client replaces all its groups by those of a command: what is left out is deleted, and what is old is undone.',
  check: ({ books }) => books.unasked()[0],
}

const noSecrets: Invariant = {
  name: 'no secret where it does not belong',
  reason:
    'A passphrase decrypts the keys of an account, and a session, passkey or key acts in its name: where they are not needed, they are only lost.',
  check: ({ world }) => world.leakedSecrets[0],
}

/** Milliseconds until the outcome of a command is said to be unknown, and in which it waits for its turn. */
const OUTCOME = 2.5 * MINUTE

const noneLost: Invariant = {
  name: 'no command lost without a word',
  reason: 'What did not happen must be said, or nobody tries again.',
  check: ({ world, books, calmSince }) => {
    const now = world.scheduler.now()
    const pages = new Set(world.pages())
    const refs = new Set([...pages].flatMap(machinesOf))
    for (const ref of refs) books.watch.follow(ref)
    const wanted = books.watch.wanted()
    const dropped = wanted.find(({ outcome }) => outcome === 'lost')
    if (dropped !== undefined) return `${JSON.stringify(dropped.command)} to ${dropped.ref.id} was dropped`
    const isCalm = calmSince !== undefined && now - calmSince > 2 * OUTCOME
    const open = wanted.find(({ ref, at, outcome }) => outcome === 'open' && now - at > 2 * OUTCOME && refs.has(ref))
    if (isCalm && open !== undefined) return `nothing is said of ${JSON.stringify(open.command)} to ${open.ref.id}`
    const lost = books.commands().find(({ at, page, ref, state, group, orders, isSure }) => {
      if (!isSure || orders.length > 0 || !pages.has(page) || now - at < OUTCOME || now - at > 2 * OUTCOME) return false
      if (ref.getSnapshot().status !== 'active') return false
      const matching = wanted.filter(one => one.ref === ref && one.at >= at)
      return !matching.some(
        ({ command, outcome }) =>
          outcome !== 'open' && command.cmd === 'state' && isPartOf({ state, group, isSure }, command),
      )
    })
    return lost === undefined
      ? undefined
      : `${lost.state} to ${lost.client} (${lost.ref.id}) neither arrived nor is said to be ignored${historyOf(books, lost.client)}`
  },
}

/** Data of a client whose messages are late are shown with their age, for so long. Milliseconds. */
const OLDEST = 5 * MINUTE

function wronglyConnected({ system }: OpenPage, { world, books }: Checked): ReadonlyMap<string, string> {
  const { members } = system.fleet.getSnapshot().context
  const now = world.scheduler.now()
  const wrong = new Map<string, string>()
  for (const client of books.clients()) {
    const isLocal = client === world.network.local
    const snapshot = members[isLocal ? DIRECT_ID : client.id]?.ref.getSnapshot()
    if (snapshot === undefined) continue
    const isThere = isLocal ? world.network.direct.isListening() : client.isOnline()
    const name = client.client.name()
    if (snapshot.hasTag('connected') !== isThere)
      wrong.set(client.id, `${name} is shown as ${isThere ? 'not connected' : 'connected'}`)
    else if (isThere && now - (snapshot.context.asOf ?? now) > OLDEST)
      wrong.set(`age ${client.id}`, `what is shown of ${name} is older than five minutes`)
  }
  const current = new Set(world.household.all().map(home => home.disk().id))
  for (const id of world.household.ids()) {
    const snapshot = members[id]?.ref.getSnapshot()
    if (!current.has(id) && snapshot !== undefined && snapshot.hasTag('connected'))
      wrong.set(`gone ${id}`, `${id}, which no computer has any more, is shown as connected`)
  }
  return wrong
}

const agreement: Invariant = {
  name: 'agreement after the faults',
  reason: 'Nothing that went wrong may leave a page wrong once everything works.',
  check: createLasting(wronglyConnected),
}

/** Everything that must hold, each with its reason. */
export const invariants: readonly Invariant[] = [
  noErrors,
  timePasses,
  nothingLeft,
  noneTwice,
  noneToOthers,
  noneLost,
  outcomesAreTrue,
  savesOnly,
  noSecrets,
  historyComplete,
  noneBroken,
  allAccountedFor,
  undoGivesBack,
  sameNamesAndLogs,
  nothingTwice,
  sameAccount,
  sessionsEnd,
  screenIsCurrent,
  incidentsInTime,
  pointsAddUp,
  questionsEnd,
  rightDiagnoses,
  memoryIsFlat,
  noSurplus,
  reconnectsInTime,
  timeIsRight,
  valuesAreFresh,
  storingFailsAloud,
  callsAreKnown,
  agreement,
]
