import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, configure, render, type RenderResult } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import {
  createActor,
  createMachine,
  enqueueActions,
  fromCallback,
  fromPromise,
  SimulatedClock,
  type AnyEventObject,
  type NonReducibleUnknown,
} from 'xstate'
import { accountMachine } from '../../src/machines/account/account/account.machine.ts'
import { passphraseMachine } from '../../src/machines/account/passphrase/passphrase.machine.ts'
import { resetMachine } from '../../src/machines/account/reset/reset.machine.ts'
import { signInMachine } from '../../src/machines/account/sign-in/sign-in.machine.ts'
import { verifyMachine } from '../../src/machines/account/verify/verify.machine.ts'
import { clockMachine } from '../../src/machines/app/clock/clock.machine.ts'
import { defaultPreferences } from '../../src/machines/app/preferences/preferences.machine.ts'
import {
  actorInput,
  appActors,
  lateActorNames,
  sharedActorNames,
  type AppInput,
} from '../../src/machines/app/app.actors.ts'
import { partNames } from '../../src/machines/app/app.parts.ts'
import type { AppEvent } from '../../src/machines/app/app.events.ts'
import type { AppRef } from '../../src/machines/app/app.machine.ts'
import { updatesMachine } from '../../src/machines/app/updates/updates.machine.ts'
import { systemOf } from '../../src/machines/app/system.ts'
import type { ClientLinkCommand, LinkTarget } from '../../src/machines/connection/client/client.events.ts'
import { clientMachine } from '../../src/machines/connection/client/client.machine.ts'
import {
  clientSettingsMachine,
  machineDraftMachine,
} from '../../src/machines/connection/client-settings/client-settings.machine.ts'
import { connectionCheckMachine } from '../../src/machines/connection/check/connection-check.machine.ts'
import { fleetMachine } from '../../src/machines/connection/fleet/fleet.machine.ts'
import { tagsMachine } from '../../src/machines/fleet/tags/tags.machine.ts'
import { viewsMachine } from '../../src/machines/fleet/views/views.machine.ts'
import { queryCacheMachine } from '../../src/machines/resource/query-cache/query-cache.machine.ts'
import { seriesMachine } from '../../src/machines/resource/series/series.machine.ts'
import { resourceMachine } from '../../src/machines/resource/resource/resource.machine.ts'
import { logMachine } from '../../src/machines/screens/log/log.machine.ts'
import { incidentsMachine } from '../../src/machines/incidents/incidents/incidents.machine.ts'
import { creditsMachine } from '../../src/machines/units/credits/credits.machine.ts'
import { importUnits } from '../../src/actors/storage/unit-files.ts'
import type { FileReading } from '../../src/folding/unit/unit-file.ts'
import type { ImportTask } from '../../src/machines/units/history/history.events.ts'
import { historyMachine } from '../../src/machines/units/history/history.machine.ts'
import { recordsMachine } from '../../src/machines/units/records/records.machine.ts'
import { moleculesMachine } from '../../src/machines/screens/molecules/molecules.machine.ts'
import { viewerMachine } from '../../src/machines/screens/viewer/viewer.machine.ts'
import type { DraftSaving } from '../../src/machines/shared/draft/draft.reducer.ts'
import type { ClientForm } from '../../src/folding/client/client-form.ts'
import type { ApiResult } from '../../src/protocol/api/api-fault.ts'
import type { ClientData } from '../../src/protocol/client/client-data.ts'
import type { Change } from '../../src/protocol/client/changes.ts'
import type { Command } from '../../src/protocol/client/commands.ts'
import { idleTimesMachine } from '../../src/machines/fleet/idle-times/idle-times.machine.ts'
import { processorsMachine } from '../../src/machines/fleet/processors/processors.machine.ts'
import { powerMachine } from '../../src/machines/fleet/power/power.machine.ts'
import { answeringHost } from '../machines/answering-host.ts'
import { lateMachines } from '../../src/machines/app/late-machines.ts'
import { SystemContext } from '../../src/ui/hooks/system-context.ts'

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

function inertActor<Commands extends AnyEventObject, Input extends NonReducibleUnknown>() {
  return fromCallback<Commands, Input>(() => undefined)
}
function pendingTask<Output, Input extends NonReducibleUnknown>() {
  return fromPromise<Output, Input>(() => new Promise(() => undefined))
}

/** The app's machines without effects: one client, whose link the test controls. */
export function startTestSystem() {
  const timers = new SimulatedClock()
  const commands: Command[] = []
  const received: string[] = []
  const now = (): number => START + timers.now()
  const nothingToSave = fromPromise<ApiResult<unknown>, DraftSaving<ClientForm>>(() =>
    Promise.resolve({ ok: true, value: {} }),
  )
  const machineDraft = machineDraftMachine.provide({ actors: { saveDraft: nothingToSave } })
  const client = clientMachine.provide({
    actors: {
      clientLink: fromCallback<ClientLinkCommand, LinkTarget>(({ receive }) => {
        receive(command => {
          if (command.type === 'link.send') commands.push(command.command)
        })
      }),
      pingHost: answeringHost,
      readClock: fromPromise(() => Promise.resolve(now())),
      settings: clientSettingsMachine.provide({ actors: { machineDraft } }),
    },
  })
  const resource = resourceMachine.provide({ actors: { loadResource: pendingTask(), fetchResource: pendingTask() } })
  const actors = {
    ...appActors,
    ...lateMachines,
    power: powerMachine.provide({ actors: { powerStore: inertActor() } }),
    processors: processorsMachine.provide({
      actors: { processorStore: inertActor(), readClock: fromPromise(() => Promise.resolve(START)) },
    }),
    idleTimes: idleTimesMachine.provide({
      actors: { idleTimeStore: inertActor(), readClock: fromPromise(() => Promise.resolve(START)) },
    }),
    clock: clockMachine.provide({ actors: { ticker: inertActor() } }),
    log: logMachine.provide({ actors: { logSearch: inertActor() } }),
    signIn: signInMachine.provide({ actors: { signInTasks: inertActor() } }),
    account: accountMachine.provide({
      actors: {
        restoreSession: pendingTask(),
        passphrase: passphraseMachine.provide({ actors: { passphraseTasks: inertActor() } }),
      },
    }),
    verify: verifyMachine.provide({ actors: { verifyEmail: pendingTask() } }),
    reset: resetMachine.provide({ actors: { resetTasks: inertActor() } }),
    series: seriesMachine.provide({ actors: { seriesSocket: inertActor(), seriesCache: inertActor() } }),
    queryCache: queryCacheMachine.provide({ actors: { resource } }),
    tags: tagsMachine.provide({ actors: { tagStore: inertActor() } }),
    views: viewsMachine.provide({ actors: { viewStore: inertActor() } }),
    history: historyMachine.provide({
      actors: {
        historyStore: inertActor(),
        importUnits: fromPromise<FileReading, ImportTask>(({ input }) => importUnits(input)),
      },
    }),
    credits: creditsMachine.provide({ actors: { askCredit: pendingTask(), readClock: pendingTask() } }),
    incidents: incidentsMachine.provide({
      actors: {
        incidentStore: inertActor(),
        incidentWatch: inertActor(),
        notifier: inertActor(),
        askPermission: pendingTask(),
      },
    }),
    viewer: viewerMachine.provide({
      actors: { moleculeStore: inertActor(), framePacer: inertActor(), saveFile: pendingTask() },
    }),
    records: recordsMachine.provide({ actors: { recordStore: inertActor(), recordWatch: inertActor() } }),
    molecules: moleculesMachine.provide({ actors: { moleculeStore: inertActor() } }),
    connectionCheck: connectionCheckMachine.provide({ actors: { connectionProbes: inertActor() } }),
    fleet: fleetMachine.provide({ actors: { client } }),
    updates: updatesMachine.provide({ actors: { versionWatch: inertActor(), findUnsaved: pendingTask() } }),
  }
  const app = createActor(
    createMachine({
      context: {
        isOnline: true,
        isStorageUnavailable: false,
        wireFault: undefined,
        partFaults: {},
        arrived: [...partNames],
        waiting: {},
        input: appInput,
      },
      invoke: [...sharedActorNames, ...lateActorNames].map(name => ({
        src: actors[name],
        id: name,
        systemId: name,
        input: actorInput(name, appInput, undefined),
      })),
      on: {
        'app.want': {
          actions: enqueueActions(({ enqueue, event }) => {
            const { first } = event as Extract<AppEvent, { type: 'app.want' }>
            if (first !== undefined) enqueue.sendTo(first.to, first.event)
          }),
        },
        '*': { actions: ({ event }) => received.push(event.type) },
      },
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
    commands,
    /** Types of the events that the machines sent to the app. */
    received,
    client: link,
    receiveSnapshot: (data: ClientData) =>
      link().send({ type: 'link.reported', at: now(), facts: [{ type: 'snapshot.received', data }] }),
    receiveChanges: (...changes: readonly Change[]) =>
      link().send({ type: 'link.reported', at: now(), facts: [{ type: 'changes.received', changes }] }),
    disconnect: () => link().send({ type: 'link.closed', at: now(), trouble: 'closed' }),
    advance: (milliseconds: number) => {
      timers.increment(milliseconds)
      system.clock.send({ type: 'clock.ticked', at: now() })
    },
  }
}

export type TestSystem = ReturnType<typeof startTestSystem>

class InertObserver {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
}

const polyfills = {
  CSS: { escape: (name: string) => name.replaceAll(/[^\w-]/g, '\\$&') },
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
  ResizeObserver: InertObserver,
  IntersectionObserver: InertObserver,
}

/** Defines the browser APIs that jsdom lacks. */
export function polyfillJsdom(): void {
  // Dialogs are loaded when first shown, and compiled then.
  configure({ asyncUtilTimeout: 20_000 })
  for (const [name, polyfill] of Object.entries(polyfills)) {
    if (Reflect.get(globalThis, name) === undefined) Reflect.set(globalThis, name, polyfill)
  }
}

export function renderScreen(testSystem: TestSystem, screen: ReactNode, path = '/machines'): RenderResult {
  polyfillJsdom()
  return render(
    <I18nProvider i18n={i18n}>
      <SystemContext value={testSystem.system}>
        <RouterProvider router={createMemoryRouter([{ path: '*', element: screen }], { initialEntries: [path] })} />
      </SystemContext>
    </I18nProvider>,
  )
}

/** Waits until promises have settled: a client machine reads the time before it sends. */
export function flushPromises(): Promise<void> {
  return act(async () => {
    await new Promise(resolve => setTimeout(resolve, 0))
  })
}
