import type { SignedIn } from '../network/page.ts'
import { isSignedIn } from '../../src/machines/account/account/account.selectors.ts'
import { isSignInBusy } from '../../src/machines/account/sign-in/sign-in.selectors.ts'
import { shardedEntries } from '../../src/folding/shared/sharded-map.ts'
import { isRunning, selectRun } from '../../src/machines/fleet/bulk/bulk.selectors.ts'
import { answerAll, userActions, logIn } from './user-actions.ts'
import { anyFaultAction, calm, faultActions } from './faults.ts'
import { clientsOf, LONGEST_PAUSE, pause, SHORTEST_PAUSE, startWalk, untilNone, type WalkSetup } from './setup.ts'
import { differences } from './expected-state.ts'

export type WalkOptions = {
  readonly seed: number
  readonly steps: number
  /** What the user does, by name; everything without it. */
  readonly actions?: typeof userActions
}

export type WalkReport = {
  /** User actions and faults, in order. */
  readonly steps: readonly string[]
  /** Differences from the expected state. */
  readonly problems: readonly string[]
  /** Milliseconds from the end of the faults until dashboard and network agreed. */
  readonly agreedAfter: number
  readonly outcomes: Readonly<Record<string, number>>
}

/**
 * Milliseconds. After the faults the dashboard agrees with the network in about two seconds; on a client that is busy
 * with ten other walks it takes more than five. So the limit is long, and `agreedAfter` reports how long it took.
 */
const AGREEMENT = 20_000
/** A command is reported as ignored after ten seconds; some wait for their turn before. */
const OUTCOME_LIMIT = 16_000
const LAST_TIMER = 3_000

const SHARE_OF_FAULTS = 0.4

const textOf = (result: unknown): string => (typeof result === 'string' ? `: ${result}` : '')

const step = async (setup: WalkSetup, actions: typeof userActions): Promise<string> => {
  const { random, timers, commands } = setup
  const isFault = random.roll() < SHARE_OF_FAULTS
  const name = (isFault ? anyFaultAction(random) : random.anyOf(Object.keys(actions))) ?? ''
  const result: unknown = await (isFault ? timers.outside(() => faultActions[name]?.(setup)) : actions[name]?.(setup))
  for (const ref of clientsOf(setup)) commands.follow(ref)
  await timers.outside(() => pause(random.between(SHORTEST_PAUSE, LONGEST_PAUSE)))
  for (const ref of clientsOf(setup)) commands.follow(ref)
  return `${name}${textOf(result)}`
}

/** Ends all faults, and signs in again in most walks. */
const endFaults = async (setup: WalkSetup): Promise<void> => {
  const { network, browser, random, timers, app } = setup
  await timers.outside(async () => {
    calm(setup)
    await network.relay.start()
    await network.direct.start()
    for (const client of network.clients()) client.revive()
    await network.online()
  })
  browser.setOnline(true)
  browser.setHidden(false)
  if (random.roll() < 0.8) {
    await untilNone(() => (isSignInBusy(app.system().signIn.getSnapshot()) ? ['busy'] : []), AGREEMENT)
    logIn(setup)
    await untilNone(() => (app.system().account.getSnapshot().matches('signedOut') ? ['no user'] : []), AGREEMENT)
  }
}

const leaveScreens = (setup: WalkSetup): void => {
  const { app } = setup
  const { bulk, history, log, viewer, signIn: dialog } = app.system()
  for (const type of ['bulk.cancel', 'bulk.stop', 'bulk.dismiss'] as const) bulk.send({ type })
  history.send({ type: 'history.want', reader: 'units', machines: [] })
  log.send({ type: 'log.close' })
  viewer.send({ type: 'viewer.close' })
  dialog.send({ type: 'signIn.cancel' })
  for (const ref of clientsOf(setup)) ref.send({ type: 'client.closeSettings' })
  answerAll(setup, ['cancel'])
}

/** An action on many clients ends by itself, and accounts for each of its clients. */
const bulkProblems = ({ app }: WalkSetup): readonly string[] => {
  const snapshot = app.system().bulk.getSnapshot()
  const run = selectRun(snapshot)
  if (run === undefined) return []
  const entries = [...shardedEntries(run.entries)]
  const { waiting, asked, confirmed, ignored, failed } = run.counts
  return [
    ...(isRunning(snapshot) ? ['an action on many machines still runs'] : []),
    ...(waiting + asked > 0 ? [`${waiting + asked} machines of an action have no result`] : []),
    ...(waiting + asked + confirmed + ignored + failed === entries.length ? [] : ['an action has lost machines']),
    ...run.skipped
      .filter(({ id }) => entries.some(([one]) => one === id))
      .map(({ id }) => `${id} is skipped and changed`),
  ]
}

/** Actors that live as long as a client is known, a user is signed in, or a library entry is used. */
const OWN_LIFE =
  /^\/fleet\/[^/]+(?:\/link)?$|^\/relay\/socket$|^\/account\/settings(?:\/(?:avatar|draft|teams))?$|^\/account\/passphrase$|^\/library\/[^/]+$/

const surplus = ({ actors }: WalkSetup, root: readonly string[]): readonly string[] => {
  const expected = new Set(root)
  return actors
    .running()
    .filter(id => !expected.has(id) && !OWN_LIFE.test(id))
    .map(id => `${id} still runs`)
}

const holdings = ({ actors, timers, browser }: WalkSetup): readonly string[] => [
  ...actors.running().map(id => `after leaving, ${id} runs`),
  ...timers.running().map(where => `after leaving, a timer runs: ${where}`),
  ...browser.listeners().map(what => `after leaving, a listener is left on ${what}`),
  ...browser.sockets().map(url => `after leaving, a socket is open to ${url}`),
]

/** Clients report continuously, and reports take time to arrive: each client must agree once, not all at the same time. */
const untilAgreed = async (setup: WalkSetup, apiSession: SignedIn) => {
  const { app, network, timers } = setup
  const right = new Set<string>()
  return await untilNone(async () => {
    const found = await timers.outside(async () => differences(app.system(), network, await apiSession.account()))
    for (const [what, all] of found) if (all.length === 0) right.add(what)
    return [...found].flatMap(([what, all]) => (right.has(what) ? [] : all))
  }, AGREEMENT)
}

const walkAndReturn = async (
  setup: WalkSetup,
  apiSession: SignedIn,
  { steps, actions = userActions }: WalkOptions,
): Promise<WalkReport> => {
  const { app, actors, commands } = setup
  const done: string[] = []
  const root = actors.running()
  if (setup.random.roll() < 0.8) {
    logIn(setup)
    await untilNone(() => (isSignedIn(app.system().account.getSnapshot()) ? [] : ['no user']), AGREEMENT)
  }
  for (let count = 0; count < steps; count++) done.push(await step(setup, actions))
  await endFaults(setup)
  for (const ref of clientsOf(setup)) commands.follow(ref)
  const { left, after } = await untilAgreed(setup, apiSession)
  for (const ref of clientsOf(setup)) commands.follow(ref)
  const { left: open } = await untilNone(commands.open, OUTCOME_LIMIT)
  const { left: unasked } = await untilNone(commands.unasked, LAST_TIMER)
  const { left: bulkActions } = await untilNone(() => bulkProblems(setup), OUTCOME_LIMIT)
  leaveScreens(setup)
  const { left: surplusActors } = await untilNone(() => surplus(setup, root), LAST_TIMER)
  const broken = actors.broken()
  app.leave()
  const { left: held } = await untilNone(() => holdings(setup), LAST_TIMER)
  return {
    steps: done,
    agreedAfter: Math.round(after),
    outcomes: commands.outcomes(),
    problems: [
      ...left,
      ...bulkActions,
      ...surplusActors,
      ...held,
      ...unasked.map(what => `nothing came of ${what}`),
      ...open.map(what => `no result for ${what}`),
      ...commands.lost().map(what => `lost without a word: ${what}`),
      ...broken.map(id => `${id} met an exception`),
    ],
  }
}

/**
 * A user of the whole product, on a network of its own: user actions and faults at random for so many steps, then no
 * faults any more. Says what is not as it ought to be from then on.
 */
export const walk = async (options: WalkOptions): Promise<WalkReport> => {
  const { setup, apiSession } = await startWalk(options.seed)
  try {
    return await setup.timers.within(() => walkAndReturn(setup, apiSession, options))
  } finally {
    setup.app.leave()
    await setup.network.stop()
  }
}
