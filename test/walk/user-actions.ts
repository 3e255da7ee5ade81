import { selectSettings } from '../../src/machines/account/account/account.selectors.ts'
import { selectAccountDraft } from '../../src/machines/account/settings/settings.selectors.ts'
import { isPartThere } from '../../src/machines/app/app/app.selectors.ts'
import type { System } from '../../src/machines/app/system.ts'
import { isSignInBusy } from '../../src/machines/account/sign-in/sign-in.selectors.ts'
import type { ClientEvent } from '../../src/machines/connection/client/client.events.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import {
  isConnected,
  selectClientSettings,
  selectUnits,
} from '../../src/machines/connection/client/client.selectors.ts'
import { selectClientDraft } from '../../src/machines/connection/client-settings/client-settings.selectors.ts'
import { selectClientRef, selectShownIds } from '../../src/machines/connection/fleet/fleet.selectors.ts'
import { selectDialog } from '../../src/machines/shared/dialogs/dialogs.selectors.ts'
import { clientsOf, type WalkSetup } from './setup.ts'

const hasPart = ({ app }: System, part: 'log' | 'viewer'): boolean => isPartThere(part)(app.getSnapshot())

const askIfPossible = (ref: ClientRef | undefined, event: ClientEvent): string => {
  if (ref?.getSnapshot().can(event) !== true) return 'nothing'
  ref.send(event)
  return `${ref.id} ${event.type}`
}

const accountDraft = ({ app }: WalkSetup) => {
  const settings = selectSettings(app.system().account.getSnapshot())
  return settings === undefined ? undefined : selectAccountDraft(settings.getSnapshot())
}

const openedSettings = (setup: WalkSetup) =>
  clientsOf(setup).flatMap(ref => selectClientSettings(ref.getSnapshot()) ?? [])

export const logIn = (setup: WalkSetup): void => {
  const { signIn: dialog, account } = setup.app.system()
  if (!account.getSnapshot().matches('signedOut') || isSignInBusy(dialog.getSnapshot())) return
  const { email, passphrase } = setup.network.account
  dialog.send({ type: 'signIn.open', mode: 'login' })
  dialog.send({
    type: 'signIn.submit',
    email,
    user: '',
    team: '',
    secrets: { passphrase, passphraseAgain: passphrase, passkey: '' },
  })
}

export const answerAll = ({ app, random }: WalkSetup, words: readonly [string, ...string[]]): void => {
  for (let left = 20; left > 0; left--) {
    const shown = selectDialog(app.system().dialogs.getSnapshot())
    if (shown === undefined) return
    app.answer(random.oneOf(words))
  }
}

/** User actions by name. Each returns a text for the list of steps. */
export const userActions: Readonly<Record<string, (setup: WalkSetup) => unknown>> = {
  'tells a machine': setup =>
    askIfPossible(setup.random.anyOf(clientsOf(setup)), {
      type: 'client.setState',
      state: setup.random.oneOf(['fold', 'pause', 'finish']),
    }),
  'tells a group': setup =>
    askIfPossible(setup.random.anyOf(clientsOf(setup)), {
      type: 'client.setState',
      state: setup.random.oneOf(['fold', 'pause', 'finish']),
      group: setup.random.oneOf(['', 'night', 'gpu']),
    }),
  'tells all': ({ app, random, commands }) => {
    const word = random.oneOf(['fold', 'pause', 'finish'])
    const { fleet } = app.system()
    for (const id of selectShownIds('usual')(fleet.getSnapshot())) {
      const ref = selectClientRef(id)(fleet.getSnapshot())
      if (ref !== undefined && isConnected(ref.getSnapshot())) commands.expect(ref, word)
    }
    fleet.send({ type: 'fleet.setState', state: word })
    return word
  },
  'acts on many': ({ app, random }) => {
    const { bulk, fleet } = app.system()
    const state = random.oneOf(['fold', 'pause', 'finish'])
    const ids = selectShownIds('usual')(fleet.getSnapshot()).filter(() => random.roll() < 0.8)
    bulk.send({ type: 'bulk.quick', action: { kind: 'state', state, keepsPaused: random.roll() < 0.5 }, ids })
    bulk.send({ type: 'bulk.confirm' })
    return `${state} ${ids.length}`
  },
  'changes settings of many': ({ app, random }) => {
    const { bulk, fleet } = app.system()
    const ids = selectShownIds('usual')(fleet.getSnapshot())
    const patch = { scope: { kind: 'default' }, onIdle: random.roll() < 0.5 } as const
    bulk.send({ type: 'bulk.open', action: { kind: 'settings', patch }, ids })
    bulk.send({ type: 'bulk.showPreview' })
    bulk.send({ type: random.oneOf(['bulk.confirm', 'bulk.confirm', 'bulk.cancel']) })
  },
  'tags many': ({ app, random }) => {
    const { bulk, fleet } = app.system()
    const ids = selectShownIds('usual')(fleet.getSnapshot())
    bulk.send({ type: 'bulk.open', action: { kind: 'tags', mode: random.oneOf(['add', 'remove']), tag: 'attic' }, ids })
    bulk.send({ type: 'bulk.showPreview' })
    bulk.send({ type: 'bulk.confirm' })
  },
  'stops, repeats or undoes what was done with many': ({ app, random }) => {
    const { bulk } = app.system()
    const what = random.oneOf(['bulk.stop', 'bulk.retry', 'bulk.undo'])
    bulk.send({ type: what })
    bulk.send({ type: random.oneOf(['bulk.confirm', 'bulk.confirm', 'bulk.cancel']) })
    return what
  },
  'opens or leaves the settings of a machine': setup =>
    askIfPossible(setup.random.anyOf(clientsOf(setup)), {
      type: setup.random.oneOf(['client.openSettings', 'client.closeSettings']),
    }),
  'edits and saves a machine': setup => {
    const settings = setup.random.anyOf(openedSettings(setup))
    if (settings === undefined) return 'nothing'
    const draft = selectClientDraft(settings.getSnapshot())
    const cpus = Math.floor(setup.random.between(0, 8))
    draft.send({ type: 'draft.edit', change: { groups: { '': { cpus, on_idle: setup.random.roll() < 0.5 } } } })
    draft.send({ type: 'draft.save' })
    return `${cpus} cpus`
  },
  'renames a machine': setup => {
    const settings = setup.random.anyOf(openedSettings(setup))
    const draft = settings === undefined ? undefined : selectClientDraft(settings.getSnapshot())
    if (draft?.getSnapshot().context.draft?.linked === undefined) return 'nothing'
    const name = `box-${Math.floor(setup.random.between(1, 99))}`
    draft.send({ type: 'draft.edit', change: { linked: { name } } })
    draft.send({ type: 'draft.save' })
    return name
  },
  'makes a group': setup => {
    const settings = setup.random.anyOf(openedSettings(setup))
    settings?.send({ type: 'settings.addGroup', typed: setup.random.oneOf(['night', 'day', 'my-gpu']) })
    if (settings !== undefined) selectClientDraft(settings.getSnapshot()).send({ type: 'draft.save' })
    return settings === undefined ? 'nothing' : 'it'
  },
  'deletes a group': setup => {
    const settings = setup.random.anyOf(openedSettings(setup))
    settings?.send({ type: 'settings.deleteGroup', name: setup.random.oneOf(['night', 'day', 'my-gpu']) })
    if (settings !== undefined) selectClientDraft(settings.getSnapshot()).send({ type: 'draft.save' })
    return settings === undefined ? 'nothing' : 'it'
  },
  'links or unlinks': setup =>
    setup.random
      .anyOf(openedSettings(setup))
      ?.send({ type: setup.random.oneOf(['settings.link', 'settings.link', 'settings.unlink']) }),
  'dumps a unit': setup => {
    const ref = setup.random.anyOf(clientsOf(setup))
    const unit = ref === undefined ? undefined : setup.random.anyOf(selectUnits(ref.getSnapshot()))
    return unit?.id === undefined ? 'nothing' : askIfPossible(ref, { type: 'client.dump', unit: unit.id })
  },
  'opens a log': setup => {
    const client = setup.random.anyOf(clientsOf(setup))
    const system = setup.app.system()
    if (client !== undefined && hasPart(system, 'log'))
      system.log.send({ type: 'log.open', client, text: setup.random.oneOf(['', 'WU']) })
    return client?.id
  },
  'closes the log': ({ app }) => {
    const system = app.system()
    if (hasPart(system, 'log')) system.log.send({ type: 'log.close' })
  },
  'looks at a molecule': setup => {
    const ref = setup.random.anyOf(clientsOf(setup))
    const unit = ref === undefined ? undefined : setup.random.anyOf(selectUnits(ref.getSnapshot()))
    const system = setup.app.system()
    if (ref !== undefined && unit?.id !== undefined && hasPart(system, 'viewer'))
      system.viewer.send({ type: 'viewer.open', client: ref.id, unit: unit.id })
    return ref?.id
  },
  'leaves the molecule': ({ app }) => {
    const system = app.system()
    if (hasPart(system, 'viewer')) system.viewer.send({ type: 'viewer.close' })
  },
  'looks at a machine': setup =>
    setup.random.anyOf(clientsOf(setup))?.send({ type: setup.random.oneOf(['client.watch', 'client.unwatch']) }),
  'opens the history': ({ app, random }) => {
    const { history } = app.system()
    history.send({ type: 'history.open' })
    history.send({ type: 'history.want', reader: 'units', machines: random.roll() < 0.5 ? 'all' : [] })
  },
  'edits and saves the account': setup => {
    const draft = accountDraft(setup)
    const user = setup.random.oneOf(['Ada', 'Grace Hopper', 'Lise'])
    draft?.send({ type: 'draft.edit', change: { user, team: setup.random.oneOf(['', '42']) } })
    draft?.send({ type: 'draft.save' })
    return draft === undefined ? 'nothing' : user
  },
  'renews the token': ({ app }) => app.system().account.send({ type: 'account.renewToken' }),
  'asks for the account': ({ app }) => app.system().account.send({ type: 'account.refresh' }),
  'logs in': logIn,
  'calls logging in off': ({ app }) => app.system().signIn.send({ type: 'signIn.cancel' }),
  'logs out': ({ app, random }) => {
    if (random.roll() > 0.4) return 'not'
    app.system().account.send({ type: 'account.signOut' })
    return 'really'
  },
  'adds an address': ({ app, network, random }) =>
    app.system().fleet.send({ type: 'fleet.connect', address: random.oneOf([network.directAddress, '127.0.0.1:9']) }),
  'forgets an address': ({ app, network, random }) =>
    app
      .system()
      .fleet.send({ type: 'fleet.disconnect', id: `@${random.oneOf([network.directAddress, '127.0.0.1:9'])}` }),
  answers: setup => answerAll(setup, ['ok', 'cancel', 'yes', 'no', 'save', 'discard']),
  'hides the page': ({ browser }) => browser.setHidden(true),
  'shows the page': ({ browser }) => browser.setHidden(false),
  'loads the page again': ({ app, random, commands }) => {
    if (random.roll() > 0.3) return 'not'
    commands.leave()
    app.reload()
    return 'really'
  },
}

/** Actions on many clients only, by name; more of them at once with what goes wrong. */
export const bulkActions: typeof userActions = {
  ...Object.fromEntries(Object.entries(userActions).filter(([name]) => / many/.test(name))),
  'shows the page': ({ browser }) => browser.setHidden(false),
  'acts on many while their connections break': ({ app, network, random }) => {
    const { bulk, fleet } = app.system()
    const state = random.oneOf(['fold', 'pause'])
    const ids = selectShownIds('usual')(fleet.getSnapshot())
    bulk.send({ type: 'bulk.quick', action: { kind: 'state', state, keepsPaused: false }, ids })
    bulk.send({ type: 'bulk.confirm' })
    random.oneOf([
      () => network.relay.dropPages(),
      () => network.direct.dropAll(),
      () => random.anyOf(network.clients())?.kill(),
      () => fleet.send({ type: 'fleet.disconnect', id: `@${network.directAddress}` }),
    ])()
    return state
  },
}
