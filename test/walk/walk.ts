import type { SignedIn } from '../../network/testing/page.ts'
import { isSignedIn } from '../../src/machines/account/account/account.selectors.ts'
import { isSignInBusy } from '../../src/machines/account/sign-in/sign-in.selectors.ts'
import { answerAll, deeds, logIn } from './user-actions.ts'
import { anyMishap, calm, mishaps } from './faults.ts'
import { clientsOf, LONGEST_PAUSE, pause, SHORTEST_PAUSE, startScene, untilNone, type Scene } from './scene.ts'
import { differences } from './truth.ts'

export type WalkOptions = { readonly seed: number; readonly steps: number }

export type WalkReport = {
  /** What was done and what went wrong, in order. */
  readonly steps: readonly string[]
  /** What is not as it ought to be; none when all is well. */
  readonly complaints: readonly string[]
  /** Milliseconds from the end of the faults until dashboard and network agreed. */
  readonly agreedAfter: number
  readonly fates: Readonly<Record<string, number>>
}

/**
 * Milliseconds. After the faults the dashboard agrees with the network in about two seconds; on a machine that is busy
 * with ten other walks it takes more than five. So the limit is long, and `agreedAfter` says how long it took.
 */
const AGREEMENT = 20_000
/** A command is reported as ignored after ten seconds; some wait for their turn before. */
const LAST_FATE = 16_000
const LAST_TIMER = 3_000

const SHARE_OF_MISHAPS = 0.4

const textOf = (result: unknown): string => (typeof result === 'string' ? `: ${result}` : '')

const step = async (scene: Scene): Promise<string> => {
  const { dice, timers, commands } = scene
  const isMishap = dice.roll() < SHARE_OF_MISHAPS
  const name = (isMishap ? anyMishap(dice) : dice.anyOf(Object.keys(deeds))) ?? ''
  const result: unknown = await (isMishap ? timers.outside(() => mishaps[name]?.(scene)) : deeds[name]?.(scene))
  for (const ref of clientsOf(scene)) commands.follow(ref)
  await timers.outside(() => pause(dice.between(SHORTEST_PAUSE, LONGEST_PAUSE)))
  for (const ref of clientsOf(scene)) commands.follow(ref)
  return `${name}${textOf(result)}`
}

/** Everything is as it should be outside, and whoever wanted to be logged in is on the way. */
const mendTheWorld = async (scene: Scene): Promise<void> => {
  const { network, surroundings, dice, timers, person } = scene
  await timers.outside(async () => {
    calm(scene)
    await network.relay.start()
    await network.direct.start()
    for (const client of network.clients()) client.revive()
    await network.online()
  })
  surroundings.setOnline(true)
  surroundings.setHidden(false)
  if (dice.roll() < 0.8) {
    await untilNone(() => (isSignInBusy(person.system().signIn.getSnapshot()) ? ['busy'] : []), AGREEMENT)
    logIn(scene)
    await untilNone(() => (person.system().account.getSnapshot().matches('signedOut') ? ['nobody'] : []), AGREEMENT)
  }
}

const leaveScreens = (scene: Scene): void => {
  const { person } = scene
  const { log, viewer, signIn: dialog } = person.system()
  log.send({ type: 'log.close' })
  viewer.send({ type: 'viewer.close' })
  dialog.send({ type: 'signIn.cancel' })
  for (const ref of clientsOf(scene)) ref.send({ type: 'client.closeSettings' })
  answerAll(scene, ['cancel'])
}

/** There as long as a machine is known, as somebody is signed in, or as a page of the library is wanted. */
const OWN_LIFE =
  /^\/fleet\/[^/]+(?:\/link)?$|^\/relay\/socket$|^\/account\/settings(?:\/(?:avatar|draft|teams))?$|^\/account\/passphrase$|^\/library\/[^/]+$/

const surplus = ({ actors }: Scene, root: readonly string[]): readonly string[] => {
  const expected = new Set(root)
  return actors
    .running()
    .filter(id => !expected.has(id) && !OWN_LIFE.test(id))
    .map(id => `${id} still runs`)
}

const holdings = ({ actors, timers, surroundings }: Scene): readonly string[] => [
  ...actors.running().map(id => `after leaving, ${id} runs`),
  ...timers.running().map(where => `after leaving, a timer runs: ${where}`),
  ...surroundings.listeners().map(what => `after leaving, somebody listens to ${what}`),
  ...surroundings.sockets().map(url => `after leaving, a socket is open to ${url}`),
]

/** Machines speak all the time, and what they say is on its way for a moment: each must be right once, not all at once. */
const untilAgreed = async (scene: Scene, truth: SignedIn) => {
  const { person, network, timers } = scene
  const right = new Set<string>()
  return await untilNone(async () => {
    const found = await timers.outside(async () => differences(person.system(), network, await truth.account()))
    for (const [what, all] of found) if (all.length === 0) right.add(what)
    return [...found].flatMap(([what, all]) => (right.has(what) ? [] : all))
  }, AGREEMENT)
}

const walkAndReturn = async (scene: Scene, truth: SignedIn, steps: number): Promise<WalkReport> => {
  const { person, actors, commands } = scene
  const done: string[] = []
  const root = actors.running()
  if (scene.dice.roll() < 0.8) {
    logIn(scene)
    await untilNone(() => (isSignedIn(person.system().account.getSnapshot()) ? [] : ['nobody']), AGREEMENT)
  }
  for (let count = 0; count < steps; count++) done.push(await step(scene))
  await mendTheWorld(scene)
  for (const ref of clientsOf(scene)) commands.follow(ref)
  const { left, after } = await untilAgreed(scene, truth)
  for (const ref of clientsOf(scene)) commands.follow(ref)
  const { left: open } = await untilNone(commands.open, LAST_FATE)
  const { left: unasked } = await untilNone(commands.unasked, LAST_TIMER)
  leaveScreens(scene)
  const { left: surplusActors } = await untilNone(() => surplus(scene, root), LAST_TIMER)
  const broken = actors.broken()
  person.leave()
  const { left: held } = await untilNone(() => holdings(scene), LAST_TIMER)
  return {
    steps: done,
    agreedAfter: Math.round(after),
    fates: commands.fates(),
    complaints: [
      ...left,
      ...surplusActors,
      ...held,
      ...unasked.map(what => `nothing came of ${what}`),
      ...open.map(what => `nobody knows what became of ${what}`),
      ...commands.lost().map(what => `lost without a word: ${what}`),
      ...broken.map(id => `${id} met an exception`),
    ],
  }
}

/**
 * A person before the whole product, on a network of its own: deeds and faults at random for so many steps, then no
 * faults any more. Says what is not as it ought to be from then on.
 */
export const walk = async ({ seed, steps }: WalkOptions): Promise<WalkReport> => {
  const { scene, truth } = await startScene(seed)
  try {
    return await scene.timers.within(() => walkAndReturn(scene, truth, steps))
  } finally {
    scene.person.leave()
    await scene.network.stop()
  }
}
