import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, configure, render, type RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import {
  createActor,
  createMachine,
  fromCallback,
  fromPromise,
  SimulatedClock,
  type AnyEventObject,
  type NonReducibleUnknown,
} from 'xstate'
import { accountMachine } from '../../machines/account/account/account.machine.ts'
import { resetMachine } from '../../machines/account/reset/reset.machine.ts'
import { signInMachine } from '../../machines/account/sign-in/sign-in.machine.ts'
import { verifyMachine } from '../../machines/account/verify/verify.machine.ts'
import { clockMachine } from '../../machines/app/clock/clock.machine.ts'
import { defaultPreferences } from '../../machines/app/preferences/preferences.machine.ts'
import { actorInput, appActors, sharedActorNames, type AppInput } from '../../machines/app/app/app.actors.ts'
import type { AppRef } from '../../machines/app/app/app.machine.ts'
import { systemOf } from '../../machines/app/system.ts'
import type { LinkCommand, LinkTarget } from '../../machines/connection/client/client.events.ts'
import { clientMachine } from '../../machines/connection/client/client.machine.ts'
import { connectionCheckMachine } from '../../machines/connection/check/connection-check.machine.ts'
import { fleetMachine } from '../../machines/connection/fleet/fleet.machine.ts'
import { libraryMachine } from '../../machines/resource/query-cache/query-cache.machine.ts'
import { seriesMachine } from '../../machines/resource/series/series.machine.ts'
import { resourceMachine } from '../../machines/resource/resource/resource.machine.ts'
import { logMachine } from '../../machines/screens/log/log.machine.ts'
import { historyMachine } from '../../machines/units/history/history.machine.ts'
import { viewerMachine } from '../../machines/screens/viewer/viewer.machine.ts'
import type { ClientData } from '../../protocol/client-data.ts'
import type { Change } from '../../protocol/changes.ts'
import type { Command } from '../../protocol/commands.ts'
import { SystemContext } from '../hooks/system-context.ts'

export const START = Date.parse('2026-11-20T12:00:00Z')

const appInput: AppInput = {
  at: START,
  preferences: defaultPreferences,
  fleet: { defaultAddress: '127.0.0.1:7396', addresses: [] },
  nodeScheme: 'wss',
  isSecure: true,
  awardsUrl: 'https://awards.test/',
  providers: [],
}

const silent = <Commands extends AnyEventObject, Input extends NonReducibleUnknown>() =>
  fromCallback<Commands, Input>(() => undefined)
const endless = <Output, Input extends NonReducibleUnknown>() =>
  fromPromise<Output, Input>(() => new Promise(() => undefined))

/** The app's machines without effects: one client, whose link the test controls. */
export const startStage = () => {
  const timers = new SimulatedClock()
  const asked: Command[] = []
  const heard: string[] = []
  const now = (): number => START + timers.now()
  const client = clientMachine.provide({
    actors: {
      clientLink: fromCallback<LinkCommand, LinkTarget>(({ receive }) => {
        receive(said => {
          if (said.type === 'link.send') asked.push(said.command)
        })
      }),
      readClock: fromPromise(() => Promise.resolve(now())),
    },
  })
  const resource = resourceMachine.provide({ actors: { recallResource: endless(), fetchResource: endless() } })
  const actors = {
    ...appActors,
    clock: clockMachine.provide({ actors: { ticker: silent() } }),
    log: logMachine.provide({ actors: { logSearch: silent() } }),
    signIn: signInMachine.provide({ actors: { signInDesk: silent() } }),
    account: accountMachine.provide({ actors: { restoreSession: endless() } }),
    verify: verifyMachine.provide({ actors: { verifyEmail: endless() } }),
    reset: resetMachine.provide({ actors: { resetDesk: silent() } }),
    series: seriesMachine.provide({ actors: { seriesSocket: silent(), seriesShelf: silent() } }),
    library: libraryMachine.provide({ actors: { resource } }),
    history: historyMachine.provide({ actors: { keeper: silent() } }),
    viewer: viewerMachine.provide({
      actors: { moleculeKeeper: silent(), framePacer: silent(), saveFile: endless() },
    }),
    connectionCheck: connectionCheckMachine.provide({ actors: { connectionProbes: silent() } }),
    fleet: fleetMachine.provide({ actors: { client } }),
  }
  const app = createActor(
    createMachine({
      context: { isOnline: true, isForgetful: false, wireFault: undefined, input: appInput },
      invoke: sharedActorNames.map(name => ({
        src: actors[name],
        id: name,
        systemId: name,
        input: actorInput(name, appInput, undefined),
      })),
      on: { '*': { actions: ({ event }) => heard.push(event.type) } },
    }),
    { clock: timers },
  ).start()
  const system = systemOf(app as unknown as AppRef)
  const link = () => {
    const [member] = Object.values(system.fleet.getSnapshot().context.members)
    if (member === undefined) throw new Error('The fleet is empty.')
    return member.ref
  }
  return {
    system,
    /** Commands that reached the client. */
    asked,
    /** Types of the events that the machines sent to the app. */
    heard,
    client: link,
    say: (data: ClientData) =>
      link().send({ type: 'link.reported', at: now(), facts: [{ type: 'snapshot.received', data }] }),
    change: (...changes: readonly Change[]) =>
      link().send({ type: 'link.reported', at: now(), facts: [{ type: 'changes.received', changes }] }),
    lose: () => link().send({ type: 'link.closed', at: now(), trouble: 'closed' }),
    pass: (milliseconds: number) => {
      timers.increment(milliseconds)
      system.clock.send({ type: 'clock.ticked', at: now() })
    },
  }
}

export type Stage = ReturnType<typeof startStage>

class Blind {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
}

const lacking = {
  CSS: { escape: (name: string) => name.replaceAll(/[^\w-]/g, '\\$&') },
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
  ResizeObserver: Blind,
  IntersectionObserver: Blind,
}

/** What a browser has and jsdom lacks. */
export const fillIn = (): void => {
  // A dialog is fetched when it is first shown, and compiled when it is fetched.
  configure({ asyncUtilTimeout: 10_000 })
  for (const [name, stand] of Object.entries(lacking)) {
    if (Reflect.get(globalThis, name) === undefined) Reflect.set(globalThis, name, stand)
  }
}

export const show = (stage: Stage, screen: ReactNode, path = '/machines'): RenderResult => {
  fillIn()
  return render(
    <I18nProvider i18n={i18n}>
      <SystemContext value={stage.system}>
        <MemoryRouter initialEntries={[path]}>{screen}</MemoryRouter>
      </SystemContext>
    </I18nProvider>,
  )
}

/** Lets promises settle: a client reads the time before it sends. */
export const turn = (): Promise<void> =>
  act(async () => {
    await new Promise(resolve => setTimeout(resolve, 0))
  })
