import { createFaults, startNetwork, type Faults, type Network } from '../../network/index.ts'
import { signIn, type SignedIn } from '../network/page.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import { QUICK_NETWORK, startHeadlessApp, type HeadlessApp } from '../headless-app.ts'
import { watchActors, type ActorWatch } from './actors.ts'
import { watchCommands, type CommandWatch } from './commands.ts'
import { createRandom, type RandomSource } from './random.ts'
import { createTimerWatch, type TimerWatch } from './leaks.ts'
import { watchBrowser, type WatchedBrowser } from './browser.ts'

/** Milliseconds between two steps. */
export const SHORTEST_PAUSE = 10
export const LONGEST_PAUSE = 250
const POLL_EVERY = 25

export type WalkSetup = {
  readonly random: RandomSource
  readonly network: Network
  readonly faults: Faults
  readonly app: HeadlessApp
  readonly browser: WatchedBrowser
  readonly actors: ActorWatch
  readonly commands: CommandWatch
  readonly timers: TimerWatch
}

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Polls until there is no problem left, or until the time is over. */
export const untilNone = async (
  problems: () => readonly string[] | Promise<readonly string[]>,
  longest: number,
): Promise<{ readonly left: readonly string[]; readonly after: number }> => {
  const began = performance.now()
  for (;;) {
    const left = await problems()
    const after = performance.now() - began
    if (left.length === 0 || after > longest) return { left, after }
    await pause(POLL_EVERY)
  }
}

export const clientsOf = ({ app }: WalkSetup): readonly ClientRef[] =>
  Object.values(app.system().fleet.getSnapshot().context.members).map(({ ref }) => ref)

export const startWalk = async (
  seed: number,
): Promise<{ readonly setup: WalkSetup; readonly apiSession: SignedIn }> => {
  const faults = createFaults(seed)
  const network = await startNetwork({ ...QUICK_NETWORK, faults })
  await network.online()
  const apiSession = await signIn(network.apiUrl, network.account)
  const timers = createTimerWatch()
  const actors = watchActors()
  const browser = watchBrowser(new URL(network.dashboardUrl).origin)
  const app = timers.within(() =>
    startHeadlessApp(network, { recorder: actors.recorder, directAddress: network.directAddress, browser }),
  )
  return {
    setup: { random: createRandom(seed), network, faults, app, browser, actors, commands: watchCommands(), timers },
    apiSession,
  }
}
