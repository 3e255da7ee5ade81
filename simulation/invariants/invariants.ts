import { DIRECT_ID } from '../../src/folding/client/client.ts'
import type { ClientSnapshot } from '../../src/machines/connection/client/client.machine.ts'
import { isConnected } from '../../src/machines/connection/client/client.selectors.ts'
import type { ClientData } from '../../src/protocol/client-data.ts'
import { MINUTE } from '../time/durations.ts'
import type { OpenPage, World } from '../world.ts'
import { machinesOf } from '../people/tools.ts'
import { isPartOf, type Books } from './books.ts'
import { sameAccount, sameContents } from './contents.ts'
import { historyComplete } from './history.ts'
import { incidentsInTime } from './incidents.ts'
import { memoryIsFlat, questionsEnd } from './page-health.ts'
import { allAccountedFor, noneBroken } from './parts.ts'
import { screenIsCurrent } from './screen.ts'
import { pointsAddUp } from './sums.ts'

export type Checked = {
  readonly world: World
  readonly books: Books
  /** When the last fault ended; undefined while there is one. */
  readonly calmSince: number | undefined
}

/** What must hold whenever it is looked at. `check` returns what is wrong, in words. */
export type Invariant = {
  readonly name: string
  readonly reason: string
  readonly check: (checked: Checked) => string | undefined
}

/** The last commands to a client, given and received, in words. */
const historyOf = (books: Books, client: string): string =>
  [
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
  check: ({ world }) => world.betrayals[0],
}

const noneRecorded: Invariant = {
  name: 'no secret in a recording',
  reason: 'People attach recordings to reports of mistakes, which everybody can read.',
  check: ({ world, books }) => {
    const texts = world.recorded.splice(0)
    if (texts.length === 0) return undefined
    const passkeys = books.clients().flatMap(client => books.stateOf(client)?.config.passkey ?? [])
    const secrets = [world.network.account.passphrase, ...passkeys].filter(secret => secret !== '')
    const found = texts.flatMap(text => secrets.flatMap(secret => text.split(secret)[1] ?? []))[0]
    return found === undefined ? undefined : `before ${found.slice(0, 200)}`
  },
}

/** Milliseconds until a command counts as ignored, a minute where messages come late, and in which it waits for its turn. */
const OUTCOME = 1.5 * MINUTE

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
      const own = wanted.filter(one => one.ref === ref && one.at >= at)
      return !own.some(
        ({ command, outcome }) =>
          outcome !== 'open' && command.cmd === 'state' && isPartOf({ state, group, isSure }, command),
      )
    })
    return lost === undefined
      ? undefined
      : `${lost.state} to ${lost.client} (${lost.ref.id}) neither arrived nor is said to be ignored${historyOf(books, lost.client)}`
  },
}

/** Milliseconds from the end of the faults, and from the opening of a page, until it must be right. */
const AGREEMENT = MINUTE

const factsOf = (data: ClientData | undefined): string =>
  data?.units.map(({ id, state }) => `${id ?? ''} ${state ?? ''}`).join() ?? ''

const seenSince = new WeakMap<OpenPage, number>()
const wrongSince = new WeakMap<OpenPage, Map<string, number>>()

/** Data of a client whose messages are late are shown with their age. Milliseconds. */
const OLDEST = 5 * MINUTE

export const isMarked = ({ context: { asOf } }: ClientSnapshot, now: number): boolean =>
  asOf !== undefined && now - asOf < OLDEST

const agreement: Invariant = {
  name: 'agreement after the faults',
  reason: 'Nothing that went wrong may leave a page wrong once everything works.',
  check: ({ world, books, calmSince }) => {
    const now = world.scheduler.now()
    for (const page of world.pages()) {
      const since = seenSince.get(page) ?? now
      seenSince.set(page, since)
      const wrong = wrongSince.get(page) ?? new Map<string, number>()
      wrongSince.set(page, wrong)
      const isSettled = calmSince !== undefined && now - calmSince > AGREEMENT && now - since > AGREEMENT
      const { members } = page.system.fleet.getSnapshot().context
      for (const client of books.clients()) {
        const isLocal = client === world.network.local
        const ref = members[isLocal ? DIRECT_ID : client.id]?.ref
        const snapshot = ref?.getSnapshot()
        const isThere = isLocal ? world.network.direct.isListening() : client.isOnline()
        if (!isSettled || page.tab.isHidden() || snapshot === undefined) {
          wrong.delete(client.id)
          continue
        }
        const difference =
          isConnected(snapshot) !== isThere
            ? `${client.client.name()} is shown as ${isConnected(snapshot) ? 'connected' : 'not connected'}`
            : isThere && !isMarked(snapshot, now) && differs(snapshot.context.record.data, books.stateOf(client))
              ? `${client.client.name()} is shown with the units ${factsOf(snapshot.context.record.data)} instead of ${factsOf(books.stateOf(client))}`
              : undefined
        if (difference === undefined) wrong.delete(client.id)
        else {
          const from = wrong.get(client.id) ?? now
          wrong.set(client.id, from)
          if (now - from > AGREEMENT) return `${page.device.name}: ${difference}`
        }
      }
    }
    return undefined
  },
}

const differs = (seen: ClientData | undefined, real: ClientData | undefined): boolean => factsOf(seen) !== factsOf(real)

/** Everything that must hold, each with its reason. */
export const invariants: readonly Invariant[] = [
  noErrors,
  timePasses,
  nothingLeft,
  noneTwice,
  noneToOthers,
  noneLost,
  savesOnly,
  noSecrets,
  noneRecorded,
  historyComplete,
  noneBroken,
  allAccountedFor,
  sameContents,
  sameAccount,
  screenIsCurrent,
  incidentsInTime,
  pointsAddUp,
  questionsEnd,
  memoryIsFlat,
  agreement,
]
