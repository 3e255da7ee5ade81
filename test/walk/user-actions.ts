import { selectSettings } from '../../src/machines/account/account/account.selectors.ts'
import { selectAccountDraft } from '../../src/machines/account/settings/settings.selectors.ts'
import { isSignInBusy } from '../../src/machines/account/sign-in/sign-in.selectors.ts'
import type { ClientEvent } from '../../src/machines/connection/client/client.events.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import {
  isConnected,
  selectClientSettings,
  selectUnits,
} from '../../src/machines/connection/client/client.selectors.ts'
import { selectMachineDraft } from '../../src/machines/connection/client-settings/client-settings.selectors.ts'
import { selectClientRef, selectShownIds } from '../../src/machines/connection/fleet/fleet.selectors.ts'
import { selectDialog } from '../../src/machines/shared/dialogs/dialogs.selectors.ts'
import { clientsOf, type Scene } from './scene.ts'

const askIfPossible = (ref: ClientRef | undefined, event: ClientEvent): string => {
  if (ref?.getSnapshot().can(event) !== true) return 'nothing'
  ref.send(event)
  return `${ref.id} ${event.type}`
}

const accountDraft = ({ person }: Scene) => {
  const settings = selectSettings(person.system().account.getSnapshot())
  return settings === undefined ? undefined : selectAccountDraft(settings.getSnapshot())
}

const openedSettings = (scene: Scene) => clientsOf(scene).flatMap(ref => selectClientSettings(ref.getSnapshot()) ?? [])

export const logIn = (scene: Scene): void => {
  const { signIn: dialog, account } = scene.person.system()
  if (!account.getSnapshot().matches('signedOut') || isSignInBusy(dialog.getSnapshot())) return
  const { email, passphrase } = scene.network.account
  dialog.send({ type: 'signIn.open', mode: 'login' })
  dialog.send({
    type: 'signIn.submit',
    email,
    user: '',
    team: '',
    secrets: { passphrase, passphraseAgain: passphrase, passkey: '' },
  })
}

export const answerAll = ({ person, dice }: Scene, words: readonly [string, ...string[]]): void => {
  for (let left = 20; left > 0; left--) {
    const shown = selectDialog(person.system().dialogs.getSnapshot())
    if (shown === undefined) return
    person.answer(dice.oneOf(words))
  }
}

/** What a person does. Each says what came of it. */
export const deeds: Readonly<Record<string, (scene: Scene) => unknown>> = {
  'tells a machine': scene =>
    askIfPossible(scene.dice.anyOf(clientsOf(scene)), {
      type: 'client.setState',
      state: scene.dice.oneOf(['fold', 'pause', 'finish']),
    }),
  'tells a group': scene =>
    askIfPossible(scene.dice.anyOf(clientsOf(scene)), {
      type: 'client.setState',
      state: scene.dice.oneOf(['fold', 'pause', 'finish']),
      group: scene.dice.oneOf(['', 'night', 'gpu']),
    }),
  'tells all': ({ person, dice, commands }) => {
    const word = dice.oneOf(['fold', 'pause', 'finish'])
    const { fleet } = person.system()
    for (const id of selectShownIds('usual')(fleet.getSnapshot())) {
      const ref = selectClientRef(id)(fleet.getSnapshot())
      if (ref !== undefined && isConnected(ref.getSnapshot())) commands.expect(ref, word)
    }
    fleet.send({ type: 'fleet.setState', state: word })
    return word
  },
  'opens or leaves the settings of a machine': scene =>
    askIfPossible(scene.dice.anyOf(clientsOf(scene)), {
      type: scene.dice.oneOf(['client.openSettings', 'client.closeSettings']),
    }),
  'edits and saves a machine': scene => {
    const settings = scene.dice.anyOf(openedSettings(scene))
    if (settings === undefined) return 'nothing'
    const draft = selectMachineDraft(settings.getSnapshot())
    const cpus = Math.floor(scene.dice.between(0, 8))
    draft.send({ type: 'draft.edit', change: { groups: { '': { cpus, on_idle: scene.dice.roll() < 0.5 } } } })
    draft.send({ type: 'draft.save' })
    return `${cpus} cpus`
  },
  'renames a machine': scene => {
    const settings = scene.dice.anyOf(openedSettings(scene))
    const draft = settings === undefined ? undefined : selectMachineDraft(settings.getSnapshot())
    if (draft?.getSnapshot().context.draft?.linked === undefined) return 'nothing'
    const name = `box-${Math.floor(scene.dice.between(1, 99))}`
    draft.send({ type: 'draft.edit', change: { linked: { name } } })
    draft.send({ type: 'draft.save' })
    return name
  },
  'makes a group': scene => {
    const settings = scene.dice.anyOf(openedSettings(scene))
    settings?.send({ type: 'settings.addGroup', typed: scene.dice.oneOf(['night', 'day', 'my-gpu']) })
    if (settings !== undefined) selectMachineDraft(settings.getSnapshot()).send({ type: 'draft.save' })
    return settings === undefined ? 'nothing' : 'it'
  },
  'deletes a group': scene => {
    const settings = scene.dice.anyOf(openedSettings(scene))
    settings?.send({ type: 'settings.deleteGroup', name: scene.dice.oneOf(['night', 'day', 'my-gpu']) })
    if (settings !== undefined) selectMachineDraft(settings.getSnapshot()).send({ type: 'draft.save' })
    return settings === undefined ? 'nothing' : 'it'
  },
  'links or unlinks': scene =>
    scene.dice
      .anyOf(openedSettings(scene))
      ?.send({ type: scene.dice.oneOf(['settings.link', 'settings.link', 'settings.unlink']) }),
  'dumps a unit': scene => {
    const ref = scene.dice.anyOf(clientsOf(scene))
    const unit = ref === undefined ? undefined : scene.dice.anyOf(selectUnits(ref.getSnapshot()))
    return unit?.id === undefined ? 'nothing' : askIfPossible(ref, { type: 'client.dump', unit: unit.id })
  },
  'opens a log': scene => {
    const client = scene.dice.anyOf(clientsOf(scene))
    if (client !== undefined)
      scene.person.system().log.send({ type: 'log.open', client, text: scene.dice.oneOf(['', 'WU']) })
    return client?.id
  },
  'closes the log': ({ person }) => person.system().log.send({ type: 'log.close' }),
  'looks at a molecule': scene => {
    const ref = scene.dice.anyOf(clientsOf(scene))
    const unit = ref === undefined ? undefined : scene.dice.anyOf(selectUnits(ref.getSnapshot()))
    if (ref !== undefined && unit?.id !== undefined)
      scene.person.system().viewer.send({ type: 'viewer.open', client: ref.id, unit: unit.id })
    return ref?.id
  },
  'leaves the molecule': ({ person }) => person.system().viewer.send({ type: 'viewer.close' }),
  'looks at a machine': scene =>
    scene.dice.anyOf(clientsOf(scene))?.send({ type: scene.dice.oneOf(['client.watch', 'client.unwatch']) }),
  'opens the history': ({ person }) => person.system().history.send({ type: 'history.open' }),
  'edits and saves the account': scene => {
    const draft = accountDraft(scene)
    const user = scene.dice.oneOf(['Ada', 'Grace Hopper', 'Lise'])
    draft?.send({ type: 'draft.edit', change: { user, team: scene.dice.oneOf(['', '42']) } })
    draft?.send({ type: 'draft.save' })
    return draft === undefined ? 'nothing' : user
  },
  'renews the token': ({ person }) => person.system().account.send({ type: 'account.renewToken' }),
  'asks for the account': ({ person }) => person.system().account.send({ type: 'account.refresh' }),
  'logs in': logIn,
  'calls logging in off': ({ person }) => person.system().signIn.send({ type: 'signIn.cancel' }),
  'logs out': ({ person, dice }) => {
    if (dice.roll() > 0.4) return 'not'
    person.system().account.send({ type: 'account.signOut' })
    return 'really'
  },
  'adds an address': ({ person, network, dice }) =>
    person.system().fleet.send({ type: 'fleet.connect', address: dice.oneOf([network.directAddress, '127.0.0.1:9']) }),
  'forgets an address': ({ person, network, dice }) =>
    person.system().fleet.send({ type: 'fleet.forget', id: `@${dice.oneOf([network.directAddress, '127.0.0.1:9'])}` }),
  answers: scene => answerAll(scene, ['ok', 'cancel', 'yes', 'no', 'save', 'discard']),
  'hides the page': ({ surroundings }) => surroundings.setHidden(true),
  'shows the page': ({ surroundings }) => surroundings.setHidden(false),
  'loads the page anew': ({ person, dice, commands }) => {
    if (dice.roll() > 0.3) return 'not'
    commands.leave()
    person.reload()
    return 'really'
  },
}
