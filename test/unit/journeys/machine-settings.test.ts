import { expect } from 'vitest'
import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { machineSettingsModel } from '../../../models/machine-settings.model.ts'
import { selectClientSettings } from '../../../src/machines/connection/client/client.selectors.ts'
import type { ClientRef } from '../../../src/machines/connection/client/client.machine.ts'
import { selectClientRef } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import {
  selectChangesElsewhere,
  selectGroupForm,
  selectGroupNames,
  selectClientDraft,
  selectShownGroup,
} from '../../../src/machines/connection/client-settings/client-settings.selectors.ts'
import {
  isModified,
  selectConflicts,
  wasSaved,
  whyNotSaved,
} from '../../../src/machines/shared/draft/draft.selectors.ts'
import type { Network } from '../../../programs/network/index.ts'
import type { HeadlessApp } from '../../headless-app.ts'
import type { Driver } from '../../journey.ts'
import { otherController } from '../../other-controller.ts'
import { walkBesideClient } from './journeys.ts'

const CPUS = ['groups', '', 'cpus']
const UNDECIDED = 'The same setting was changed elsewhere. Choose which value to keep first.'
const AWAY = 'The machine is not connected. Your changes stay here until it is back.'

async function openSettings(app: HeadlessApp) {
  const client = selectClientRef('__direct__')(app.system().fleet.getSnapshot()) as ClientRef
  await app.until(client, snapshot => snapshot.hasTag('connected'))
  await app.until(app.system().app, isPartThere('clientSettings'))
  client.send({ type: 'client.openSettings' })
  const settings = selectClientSettings(client.getSnapshot())
  if (settings === undefined) throw new Error('The settings of a machine can be opened at any time.')
  return { client, settings, draft: selectClientDraft(settings.getSnapshot()) }
}

async function drive(app: HeadlessApp, network: Network): Promise<Driver<typeof machineSettingsModel>> {
  const { client, settings, draft } = await openSettings(app)
  const elsewhere = otherController(network.local)
  const said: string[] = []
  for (const type of ['draft.left', 'draft.stayed'] as const) draft.on(type, () => said.push(type))
  const shown = () => selectGroupForm('')(draft.getSnapshot())?.cpus
  const names = () => selectGroupNames(draft.getSnapshot())
  const obstacle = () => whyNotSaved(draft.getSnapshot())
  const typeCpus = (cpus: number): void => draft.send({ type: 'draft.edit', change: { groups: { '': { cpus } } } })
  const before = Number(elsewhere.groups()['']?.['cpus'])
  const machineCpus = () => elsewhere.groups()['']?.['cpus']
  const untilSaved = (): Promise<void> => app.until(draft, snapshot => !snapshot.hasTag('busy'))
  const expectQuestion = async (blockedBecause: string | undefined): Promise<void> => {
    const question = await app.shownDialog()
    const save = question.kind === 'confirm' ? question.buttons.find(({ name }) => name === 'Save') : undefined
    expect([question.id, save?.blockedBecause]).toEqual(['client:__direct__:settings:draft:unsaved', blockedBecause])
  }
  const expectNothingToSave = () =>
    expect([isModified(draft.getSnapshot()), obstacle()]).toEqual([false, 'No changes to save.'])
  return {
    does: {
      'change the CPUs': () => typeCpus(3),
      'change them back': () => typeCpus(before),
      'add a group': () => settings.send({ type: 'settings.addGroup', typed: ' my-gpu ' }),
      'delete it': () => settings.send({ type: 'settings.deleteGroup', name: 'my-gpu' }),
      save: async () => {
        if (app.system().dialogs.getSnapshot().context.questions.length === 0) draft.send({ type: 'draft.save' })
        else app.answer('save')
        await untilSaved()
      },
      'the CPUs change elsewhere': async () => {
        elsewhere.configure({ groups: { '': { cpus: 5 } } })
        await app.until(draft, snapshot => selectConflicts(snapshot).length > 0)
      },
      'a group is made elsewhere': async () => {
        elsewhere.configure({ groups: { '': {}, '<b>theirs</b>': { cpus: 1 } } })
        await app.until(draft, snapshot => selectGroupForm('<b>theirs</b>')(snapshot)?.cpus === 1)
      },
      'keep mine': () => draft.send({ type: 'draft.resolveConflict', path: CPUS, side: 'mine' }),
      'take the machine’s': () => draft.send({ type: 'draft.resolveConflict', path: CPUS, side: 'theirs' }),
      'the machine goes away': async () => {
        await network.direct.stop()
        await app.until(client, snapshot => !snapshot.hasTag('connected'))
      },
      'it comes back': async () => {
        await network.direct.start()
        await app.until(client, snapshot => snapshot.hasTag('connected'))
      },
      leave: () => draft.send({ type: 'draft.leave' }),
      cancel: () => app.answer('cancel'),
      discard: () => app.answer('discard'),
    },
    sees: {
      unchanged: expectNothingToSave,
      changed: () => expect([shown(), obstacle()]).toEqual([3, undefined]),
      restored: expectNothingToSave,
      added: () =>
        expect([names(), selectShownGroup(settings.getSnapshot()), obstacle()]).toEqual([
          ['', 'my-gpu'],
          'my-gpu',
          undefined,
        ]),
      made: () => expect(elsewhere.groups()['my-gpu']).toMatchObject({ paused: true, cpus: 0 }),
      doomed: () => expect([names(), obstacle()]).toEqual([[''], undefined]),
      unmade: () => expect(Object.keys(elsewhere.groups())).toEqual(['']),
      informed: () => {
        expectNothingToSave()
        expect([names(), selectChangesElsewhere(settings.getSnapshot())]).toEqual([
          ['', '<b>theirs</b>'],
          [['groups', '<b>theirs</b>']],
        ])
      },
      joined: () => expect([names(), shown(), obstacle()]).toEqual([['', '<b>theirs</b>'], 3, undefined]),
      savedBoth: () => expect(elsewhere.groups()).toMatchObject({ '': { cpus: 3 }, '<b>theirs</b>': { cpus: 1 } }),
      conflicting: () =>
        expect([selectConflicts(draft.getSnapshot()), shown(), obstacle()]).toEqual([[CPUS], 3, UNDECIDED]),
      decidedMine: () => expect([shown(), obstacle()]).toEqual([3, undefined]),
      decidedTheirs: () => {
        expectNothingToSave()
        expect(shown()).toBe(5)
      },
      askedTorn: () => expectQuestion(UNDECIDED),
      tornStill: () =>
        expect([said, selectConflicts(draft.getSnapshot()), shown()]).toEqual([['draft.stayed'], [CPUS], 3]),
      goneTorn: () => expect([said, machineCpus()]).toEqual([['draft.left'], 5]),
      cutOff: () => expect([shown(), obstacle()]).toEqual([3, AWAY]),
      reconnected: () => expect([shown(), obstacle()]).toEqual([3, undefined]),
      askedCutOff: () => expectQuestion(AWAY),
      goneCutOff: () => expect(said).toEqual(['draft.left']),
      asked: () => expectQuestion(undefined),
      stayed: () => expect([said, shown()]).toEqual([['draft.stayed'], 3]),
      saved: () => {
        expectNothingToSave()
        expect([machineCpus(), wasSaved(draft.getSnapshot())]).toEqual([3, true])
      },
      gone: () => expect(said).toEqual(['draft.left']),
      goneUnchanged: () => expect([said, machineCpus()]).toEqual([['draft.left'], before]),
      goneSaved: () => expect([said, machineCpus()]).toEqual([['draft.left'], 3]),
    },
  }
}

// In a browser it is one of 8.5.7.
walkBesideClient('machine settings of a client of 8.4.9', machineSettingsModel, drive, { clientVersion: '8.4.9' })
