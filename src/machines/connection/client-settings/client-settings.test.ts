import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromPromise, SimulatedClock, type AnyActorRef } from 'xstate'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { clientForm, type ClientForm } from '../../../folding/client/client-form.ts'
import type { ApiResult } from '../../../protocol/api/api-fault.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import type { DraftSaving } from '../../shared/draft/draft.reducer.ts'
import { isModified, selectDraft, wasSaved, whyNotSaved } from '../../shared/draft/draft.selectors.ts'
import { settingsSystemId, type SettingsReport } from './client-settings.events.ts'
import {
  clientSettingsMachine,
  machineDraftMachine,
  linkBlocker,
  type ClientSettingsRef,
} from './client-settings.machine.ts'
import {
  selectChangesElsewhere,
  selectGroupForm,
  selectGroupNames,
  selectClientDraft,
  selectShownGroup,
} from './client-settings.selectors.ts'

const good: ApiResult<unknown> = { ok: true, value: {} }
const down: ApiResult<unknown> = { ok: false, fault: { kind: 'unreachable', message: 'no answer in time' } }
const over: ApiResult<unknown> = { ok: false, fault: { kind: 'refused', status: 401, message: 'Not logged in' } }

function dataWith(groups: readonly string[] = [''], cpus = 4): ClientData {
  return {
    info: { version: '8.5.7', cpus: 8 },
    config: { user: 'Ada', team: 7 },
    groups: Object.fromEntries(groups.map(name => [name, { config: { cpus } }])),
    units: [],
  }
}

const signedOut: SettingsReport = {
  form: clientForm({ data: dataWith(), linked: undefined, isSignedIn: false }),
  isConnected: true,
  isDirect: true,
  isSignedIn: false,
  isLinked: false,
  isOverBorder: false,
  machine: 'm',
  name: 'attic',
}
function ours(name = 'attic', data: ClientData | undefined = dataWith()): SettingsReport {
  return {
    ...signedOut,
    form: clientForm({ data, linked: { machine: 'm', name }, isSignedIn: true }),
    isDirect: false,
    isSignedIn: true,
    isLinked: true,
    name,
  }
}
const unowned: SettingsReport = {
  ...signedOut,
  form: clientForm({ data: dataWith(), linked: undefined, isSignedIn: true }),
  isSignedIn: true,
  name: 'attic of mine',
}

function startSettings(
  report: SettingsReport = signedOut,
  { renaming = good, unlinking = good }: { renaming?: ApiResult<unknown>; unlinking?: ApiResult<unknown> | Error } = {},
) {
  const received: ({ readonly type: string } & Record<string, unknown>)[] = []
  const calls: unknown[] = []
  const clock = new SimulatedClock()
  const listener = createMachine({ on: { '*': { actions: ({ event }) => received.push(event) } } })
  const settings = clientSettingsMachine.provide({
    actors: {
      machineDraft: machineDraftMachine.provide({
        actors: {
          saveDraft: fromPromise<ApiResult<unknown>, DraftSaving<ClientForm>>(({ input: { before, value } }) => {
            if (before.linked?.name !== value.linked?.name) calls.push(value.linked)
            return Promise.resolve(before.linked?.name === value.linked?.name ? good : renaming)
          }),
        },
      }),
      unlinkMachine: fromPromise<ApiResult<unknown>, { readonly machine: string }>(({ input }) => {
        calls.push(input)
        return unlinking instanceof Error ? Promise.reject(unlinking) : Promise.resolve(unlinking)
      }),
    },
  })
  const parent = createActor(
    createMachine({
      invoke: [
        { src: listener, systemId: 'account' },
        { src: listener, systemId: 'dialogs' },
        { src: settings, id: 'settings', systemId: settingsSystemId('m'), input: { id: 'm', report } },
      ],
      on: { '*': { actions: ({ event }) => received.push(event) } },
    }),
    { clock },
  ).start()
  const actor = parent.getSnapshot().children['settings'] as AnyActorRef as ClientSettingsRef
  const draft = selectClientDraft(actor.getSnapshot())
  return {
    actor,
    draft,
    clock,
    received,
    calls,
    snapshot: () => actor.getSnapshot(),
    drafted: () => draft.getSnapshot(),
    edit: (cpus: number, group = '') => draft.send({ type: 'draft.edit', change: { groups: { [group]: { cpus } } } }),
    report: (now: SettingsReport) => actor.send({ type: 'settings.reported', report: now }),
    sentToClient: () => received.filter(({ type }) => type.startsWith('client.')),
  }
}

function reporting(data: ClientData): SettingsReport {
  return {
    ...signedOut,
    form: clientForm({ data, linked: undefined, isSignedIn: false }),
  }
}

describe('the settings of a client', () => {
  it('send the client what differs, and are saved when it reports that', async () => {
    const { draft, edit, sentToClient, report, snapshot, drafted } = startSettings()
    edit(6)
    draft.send({ type: 'draft.save' })
    await settled()
    expect(sentToClient()).toEqual([{ type: 'client.configure', config: { groups: { '': { cpus: 6 } } } }])
    expect(drafted().hasTag('busy')).toBe(true)
    expect(wasSaved(drafted())).toBe(false)
    report(reporting(dataWith([''], 6)))
    expect(drafted().hasTag('busy')).toBe(false)
    expect(isModified(drafted())).toBe(false)
    expect(wasSaved(drafted())).toBe(true)
    expect(selectChangesElsewhere(snapshot())).toEqual([])
    edit(5)
    expect(wasSaved(drafted())).toBe(false)
  })

  it('name what the client did not take over, and why', async () => {
    const { actor, draft, edit, drafted } = startSettings()
    edit(6)
    draft.send({ type: 'draft.save' })
    await settled()
    actor.send({ type: 'settings.ignored', because: 'Its clock is wrong.' })
    expect(drafted().context.refusal).toEqual({ because: 'Its clock is wrong.', missing: [['groups', '', 'cpus']] })
    expect(isModified(drafted())).toBe(true)
  })

  it('keep what was typed while the client is away, and let it be saved when it is back', () => {
    const { edit, report, drafted } = startSettings()
    edit(6)
    report({ ...signedOut, isConnected: false })
    expect(whyNotSaved(drafted())).toBe('The machine is not connected. Your changes stay here until it is back.')
    expect(selectGroupForm('')(drafted())?.cpus).toBe(6)
    edit(7)
    report(signedOut)
    expect(whyNotSaved(drafted())).toBeUndefined()
    expect(selectGroupForm('')(drafted())?.cpus).toBe(7)
  })

  it('show groups that came to be elsewhere, report it until it was read, and do not delete them [12.8]', async () => {
    const { actor, draft, edit, report, snapshot, drafted, sentToClient } = startSettings()
    edit(6)
    report(reporting(dataWith(['', 'my-gpu'])))
    expect(selectGroupNames(drafted())).toEqual(['', 'my-gpu'])
    expect(selectChangesElsewhere(snapshot())).toEqual([['groups', 'my-gpu']])
    draft.send({ type: 'draft.save' })
    await settled()
    expect(sentToClient()).toEqual([{ type: 'client.configure', config: { groups: { '': { cpus: 6 } } } }])
    actor.send({ type: 'settings.dismiss' })
    expect(selectChangesElsewhere(snapshot())).toEqual([])
  })

  it('do not show what the client reports for the first time as changed elsewhere', () => {
    const { report, snapshot } = startSettings({ ...ours('attic', undefined), isConnected: false })
    report(ours())
    expect(selectChangesElsewhere(snapshot())).toEqual([])
    report(signedOut)
    expect(selectChangesElsewhere(snapshot())).toEqual([])
    report(reporting(dataWith([''], 5)))
    expect(selectChangesElsewhere(snapshot())).toEqual([['groups', '', 'cpus']])
  })

  it('add, show and delete groups by the names that people gave', () => {
    const { actor, snapshot, drafted } = startSettings(reporting(dataWith(['', ' '])))
    actor.send({ type: 'settings.addGroup', typed: '  <b>my-gpu</b> ' })
    expect(selectGroupNames(drafted())).toEqual(['', ' ', '<b>my-gpu</b>'])
    expect(selectShownGroup(snapshot())).toBe('<b>my-gpu</b>')
    for (const typed of ['   ', '__proto__', 'a\nb']) actor.send({ type: 'settings.addGroup', typed })
    expect(selectGroupNames(drafted())).toEqual(['', ' ', '<b>my-gpu</b>'])
    expect(selectShownGroup(snapshot())).toBe('')
    actor.send({ type: 'settings.showGroup', name: ' ' })
    actor.send({ type: 'settings.deleteGroup', name: ' ' })
    expect(selectGroupNames(drafted())).toEqual(['', '<b>my-gpu</b>'])
    expect(selectShownGroup(snapshot())).toBe('')
  })

  it('bring a group back as it was when it is added again before it was saved', () => {
    const { actor, drafted } = startSettings(reporting(dataWith(['', 'night'], 3)))
    actor.send({ type: 'settings.deleteGroup', name: 'night' })
    actor.send({ type: 'settings.addGroup', typed: 'night' })
    expect(selectGroupForm('night')(drafted())?.cpus).toBe(3)
    expect(isModified(drafted())).toBe(false)
  })

  it('do not add a group that is there already, and only show it [2.57]', () => {
    const { actor, snapshot, drafted } = startSettings(reporting(dataWith(['', 'night'], 3)))
    actor.send({ type: 'settings.addGroup', typed: ' night ' })
    expect(isModified(drafted())).toBe(false)
    expect(selectShownGroup(snapshot())).toBe('night')
  })
})

describe('the name of a client', () => {
  it('is saved in the account, then the client reconnects to get it [7.22, 7.37]', async () => {
    const { draft, calls, received, report, drafted } = startSettings(ours())
    draft.send({ type: 'draft.edit', change: { linked: { name: 'cellar' } } })
    draft.send({ type: 'draft.save' })
    await settled()
    expect(calls).toEqual([{ machine: 'm', name: 'cellar' }])
    expect(received).toEqual([{ type: 'client.restart' }, { type: 'account.refresh' }])
    expect(drafted().hasTag('busy')).toBe(true)
    report(ours('cellar'))
    expect(drafted().hasTag('busy')).toBe(false)
    expect(isModified(drafted())).toBe(false)
  })

  it('can be changed while the client is disconnected, which restarts when it is back', async () => {
    const { draft, calls, sentToClient } = startSettings({ ...ours('attic', undefined), isConnected: false })
    draft.send({ type: 'draft.edit', change: { linked: { name: 'cellar' } } })
    draft.send({ type: 'draft.save' })
    await settled()
    expect(calls).toEqual([{ machine: 'm', name: 'cellar' }])
    expect(sentToClient()).toEqual([{ type: 'client.restart' }])
  })

  it.each([
    [
      down,
      [
        {
          type: 'dialogs.showMessage',
          message: { level: 'error', title: 'Renaming the machine failed', text: 'API error: no answer in time' },
        },
        { type: 'account.refresh' },
      ],
    ],
    [over, [{ type: 'account.sessionEnded' }]],
  ])('stays typed when the account does not take it: %j', async (renaming, said) => {
    const { draft, received, drafted } = startSettings(ours(), { renaming })
    draft.send({ type: 'draft.edit', change: { linked: { name: 'cellar' } } })
    draft.send({ type: 'draft.save' })
    await settled()
    expect(received.slice(-said.length)).toEqual(said)
    expect(selectDraft(drafted())?.linked?.name).toBe('cellar')
  })
})

describe('linking', () => {
  it('asks the account, and is done when the client reports the account', () => {
    const { actor, received, report, snapshot } = startSettings(unowned)
    actor.send({ type: 'settings.link' })
    expect(received).toEqual([{ type: 'account.linkClient', id: 'm', name: 'attic-of-mine', isAsked: true }])
    expect(snapshot().hasTag('linking')).toBe(true)
    report(ours())
    expect(snapshot().hasTag('linking')).toBe(false)
    expect(received.at(-1)).toEqual({ type: 'account.refresh' })
  })

  it('reports that it failed when nothing came of it', () => {
    const { actor, clock, received, snapshot } = startSettings(unowned)
    actor.send({ type: 'settings.link' })
    clock.increment(20_000)
    expect(snapshot().hasTag('linking')).toBe(false)
    expect(received.at(-1)).toMatchObject({
      type: 'dialogs.showMessage',
      message: { title: 'Linking the machine failed' },
    })
  })

  it.each([
    [unowned, 'a b', 'Machine name can contain only letters, digits, underscores, dashes and dots'],
    [{ ...unowned, isConnected: false }, 'attic', 'The machine is not connected.'],
    [ours(), 'attic', 'This machine is already linked.'],
    [signedOut, 'attic', 'You are not logged in.'],
    [
      { ...unowned, isOverBorder: true },
      'attic',
      'Simulated and real do not mix: this machine cannot belong to this account.',
    ],
  ])('is not possible as things are (%#)', (report, name, reason) => {
    const { actor, received, snapshot } = startSettings(report)
    actor.send({ type: 'settings.nameLink', name })
    actor.send({ type: 'settings.link' })
    expect({ linkBlocker: linkBlocker(snapshot().context), received }).toEqual({ linkBlocker: reason, received: [] })
  })
})

describe('unlinking', () => {
  it('removes the client from the account, restarts it, and leaves the page without the draft [7.23]', async () => {
    const { actor, calls, received, edit, drafted, snapshot } = startSettings(ours())
    const emitted: string[] = []
    actor.on('settings.unlinked', ({ type }) => emitted.push(type))
    edit(1)
    actor.send({ type: 'settings.unlink' })
    expect(snapshot().hasTag('unlinking')).toBe(true)
    await settled()
    expect(calls).toEqual([{ machine: 'm' }])
    expect(received).toEqual([{ type: 'client.restart' }, { type: 'account.refresh' }])
    expect(emitted).toEqual(['settings.unlinked'])
    expect(isModified(drafted())).toBe(false)
  })

  it('of a disconnected client shows that it does not know yet, and restarts it later', async () => {
    const { actor, received } = startSettings({ ...ours(), isConnected: false })
    actor.send({ type: 'settings.unlink' })
    await settled()
    expect(received).toMatchObject([
      { type: 'client.restart' },
      { type: 'dialogs.showMessage', message: { title: 'The machine does not know yet' } },
      { type: 'account.refresh' },
    ])
  })

  it('leaves one that is reached directly where it is', async () => {
    const direct = { ...ours(), isDirect: true }
    const { actor, report, snapshot } = startSettings(direct)
    const emitted: string[] = []
    actor.on('settings.unlinked', ({ type }) => emitted.push(type))
    actor.send({ type: 'settings.unlink' })
    await settled()
    expect({ emitted, unlinking: snapshot().hasTag('unlinking') }).toEqual({ emitted: [], unlinking: true })
    report(unowned)
    expect(snapshot().hasTag('unlinking')).toBe(false)
  })

  it('reports why it failed, and asks for the account, since it may have been done all the same', async () => {
    const { actor, received, snapshot } = startSettings(ours(), { unlinking: down })
    actor.send({ type: 'settings.unlink' })
    await settled()
    expect([snapshot().hasTag('unlinking'), ...received.slice(-3)]).toMatchObject([
      false,
      { message: { title: 'Unlinking the machine failed', text: 'API error: no answer in time' } },
      { type: 'account.refresh' },
      { type: 'client.restart' },
    ])
  })

  it('can be tried again after it crashed', async () => {
    const { actor, calls, snapshot } = startSettings(ours(), { unlinking: new Error('crash') })
    for (let attempt = 0; attempt < 2; attempt++) {
      actor.send({ type: 'settings.unlink' })
      await settled()
    }
    expect(calls).toEqual([{ machine: 'm' }, { machine: 'm' }])
    expect(snapshot().hasTag('unlinking')).toBe(false)
  })
})

describe('the paths of the settings', () => {
  it('lead through all their states, and nothing is linked or unlinked that is so already', () => {
    const { ends, unreached } = walkShortestPaths(clientSettingsMachine, {
      input: { id: 'm', report: unowned },
      events: [
        ...[unowned, ours(), { ...unowned, isConnected: false }].map(report => ({
          type: 'settings.reported' as const,
          report,
        })),
        { type: 'settings.link' },
        { type: 'settings.unlink' },
        { type: 'settings.nameLink', name: '' },
        ...[good, down].map(output => ({
          type: 'xstate.done.actor.0.clientSettings.unlinking',
          actorId: '0.clientSettings.unlinking',
          output,
        })),
      ],
      silence: [
        'loadDraft',
        'updateSaveBlocker',
        'discardDraft',
        'restartClient',
        'toAccount',
        'linkClient',
        'showLinkFailure',
        'showFailure',
        'emitUnlinked',
        'restartIfUncertain',
        'showStillLinkedMessage',
      ],
      context: ({ report, linkName }) => [report.isConnected, report.isLinked, linkName],
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends)
      if (snapshot.hasTag('linking')) expect(snapshot.context.report.isLinked, path).toBe(false)
  })
})
