import { expect } from 'vitest'
import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { linkingModel } from '../../../models/linking.model.ts'
import { selectAccount } from '../../../src/machines/account/account/account.selectors.ts'
import { unlinkQuestion } from '../../../src/machines/connection/client-settings/client-settings.questions.ts'
import {
  selectClientDraft,
  selectSettingsReport,
  selectLinkBlocker,
} from '../../../src/machines/connection/client-settings/client-settings.selectors.ts'
import { selectClientSettings } from '../../../src/machines/connection/client/client.selectors.ts'
import { idOfAddress } from '../../../src/machines/connection/fleet/fleet.context.ts'
import { selectClientRef } from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import { isModified } from '../../../src/machines/shared/draft/draft.selectors.ts'
import { dialogOf } from './dialog-of.ts'
import { walkWithMachines } from './journeys.ts'

const NAMELESS = 'Machine name can contain only letters, digits, underscores, dashes and dots'

walkWithMachines('linking [2.50, 6.2]', linkingModel, 0, async (app, network) => {
  const { account, fleet, dialogs } = app.system()
  const id = idOfAddress(network.directAddress)
  await dialogOf(app).logIn(network.account)
  fleet.send({ type: 'fleet.connect', address: network.directAddress })
  const client = selectClientRef(id)(fleet.getSnapshot())
  if (client === undefined) throw new Error('A client is there as soon as it is connected to.')
  await app.until(client, snapshot => snapshot.hasTag('connected'))
  await app.until(app.system().app, isPartThere('clientSettings'))
  client.send({ type: 'client.openSettings' })
  const settings = selectClientSettings(client.getSnapshot())
  if (settings === undefined) throw new Error('The settings of a machine can be opened at any time.')
  const draft = selectClientDraft(settings.getSnapshot())
  const isLinked = () => selectSettingsReport(settings.getSnapshot()).isLinked
  const whyNot = () => selectLinkBlocker(settings.getSnapshot())
  const untilListed = (...names: readonly string[]): Promise<void> =>
    app.until(
      account,
      snapshot => JSON.stringify(selectAccount(snapshot)?.machines?.map(({ name }) => name)) === JSON.stringify(names),
    )
  const expectUnowned = async (): Promise<void> => {
    await app.until(settings, snapshot => !snapshot.hasTag('unlinking') && !selectSettingsReport(snapshot).isLinked)
    await untilListed()
    expect([whyNot(), network.local.isOnline()]).toEqual([undefined, false])
  }
  const expectLinked = async (name: string): Promise<void> => {
    await app.until(settings, snapshot => selectSettingsReport(snapshot).isLinked)
    await untilListed(name)
    await app.until(draft, snapshot => !isModified(snapshot) && !snapshot.hasTag('busy'))
    expect(network.local.client.name()).toBe(name)
  }
  return {
    does: {
      'type a name that is none': () => settings.send({ type: 'settings.nameLink', name: 'not a name' }),
      'link it': () => {
        settings.send({ type: 'settings.nameLink', name: 'attic' })
        settings.send({ type: 'settings.link' })
      },
      'rename it': () => {
        draft.send({ type: 'draft.edit', change: { linked: { name: 'cellar' } } })
        draft.send({ type: 'draft.save' })
      },
      'unlink it': () => dialogs.send({ type: 'dialogs.ask', dialog: unlinkQuestion(`client:${id}:settings`) }),
      no: () => app.answer('no'),
      yes: () => app.answer('yes'),
    },
    sees: {
      unowned: expectUnowned,
      badName: () => expect([whyNot(), isLinked()]).toEqual([NAMELESS, false]),
      linked: () => expectLinked('attic'),
      renamed: () => expectLinked('cellar'),
      asked: async () => expect(await app.shownDialog()).toMatchObject({ title: 'Unlink machine?' }),
      kept: () => expectLinked('attic'),
      unlinked: expectUnowned,
    },
  }
})
