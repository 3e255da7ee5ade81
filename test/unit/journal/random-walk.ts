import type { Network } from '../../../programs/network/index.ts'
import { selectSettings } from '../../../src/machines/account/account/account.selectors.ts'
import { selectAccountDraft, selectTeams } from '../../../src/machines/account/settings/settings.selectors.ts'
import { visitTeamQuestion } from '../../../src/machines/account/account/page.questions.ts'
import { teamKey } from '../../../src/folding/shared/resource-keys.ts'
import { selectClientDraft } from '../../../src/machines/connection/client-settings/client-settings.selectors.ts'
import type { BulkAction } from '../../../src/folding/fleet/bulk-action.ts'
import { selectClientSettings } from '../../../src/machines/connection/client/client.selectors.ts'
import { selectDialog } from '../../../src/machines/shared/dialogs/dialogs.selectors.ts'
import type { Recorder } from '../../../src/journal/recorder.ts'
import type { HeadlessApp } from '../../headless-app.ts'
import { createRandom } from './random.ts'
import { logIn } from '../../log-in.ts'

type WalkOptions = {
  readonly app: HeadlessApp
  readonly network: Network
  readonly recorder: Recorder
  readonly seed: number
  readonly steps: number
  readonly passkeys: readonly string[]
}

/** Does this and that as a person may, while this and that goes wrong. Every step waits until something came of it. */
export async function walkAtRandom({
  app,
  network,
  recorder,
  seed,
  steps,
  passkeys,
}: WalkOptions): Promise<readonly string[]> {
  const { roll, oneOf, anyOf } = createRandom(seed)
  const system = app.system()
  const clients = () => Object.values(system.fleet.getSnapshot().context.members)
  const draft = () => {
    const settings = selectSettings(system.account.getSnapshot())
    return settings === undefined ? undefined : selectAccountDraft(settings.getSnapshot())
  }
  const teams = () => {
    const settings = selectSettings(system.account.getSnapshot())
    return settings === undefined ? undefined : selectTeams(settings.getSnapshot())
  }
  const clientDraft = () => {
    const open = clients().flatMap(({ ref }) => selectClientSettings(ref.getSnapshot()) ?? [])
    return open[0] === undefined ? undefined : selectClientDraft(open[0].getSnapshot())
  }
  const word = () => oneOf(['fold', 'pause', 'finish'])
  const client = () => anyOf(network.clients())
  const actions: Readonly<Record<string, () => unknown>> = {
    'commanded a machine': () => anyOf(clients())?.ref.send({ type: 'client.setState', state: word() }),
    'commanded a group': () =>
      anyOf(clients())?.ref.send({ type: 'client.setState', state: word(), group: oneOf(['', 'night', 'none']) }),
    'commanded all': () => system.fleet.send({ type: 'fleet.setState', state: word() }),
    'did something with many': () => {
      const ids = Object.keys(system.fleet.getSnapshot().context.members)
      system.bulk.send({
        type: oneOf(['bulk.quick', 'bulk.open']),
        action: oneOf<BulkAction>([
          { kind: 'state', state: word(), keepsPaused: roll() < 0.5 },
          { kind: 'tags', mode: 'add', tag: 'attic' },
          { kind: 'settings', patch: { scope: { kind: 'all' }, beta: roll() < 0.5 } },
        ]),
        ids,
      })
      system.bulk.send({ type: 'bulk.showPreview' })
      system.bulk.send({ type: 'bulk.confirm' })
    },
    'stopped, repeated or undid it': () => {
      system.bulk.send({ type: oneOf(['bulk.stop', 'bulk.retry', 'bulk.undo', 'bulk.cancel', 'bulk.dismiss']) })
      system.bulk.send({ type: 'bulk.confirm' })
    },
    'dumped what is not there': () => anyOf(clients())?.ref.send({ type: 'client.dump', unit: 'nothing' }),
    'opened or left settings of a machine': () =>
      anyOf(clients())?.ref.send({ type: oneOf(['client.openSettings', 'client.closeSettings']) }),
    'edited a machine': () =>
      clientDraft()?.send({
        type: 'draft.edit',
        change: {
          donor: { user: oneOf(['Ada', '<']), team: '', cause: 'any', secrets: { passkey: anyOf(passkeys) ?? '' } },
        },
      }),
    'saved a machine': () => clientDraft()?.send({ type: 'draft.save' }),
    'opened the history': () => {
      system.history.send({ type: 'history.open' })
      system.history.send({ type: 'history.want', reader: 'units', machines: roll() < 0.5 ? 'all' : [] })
    },
    'wanted to know of a team': () =>
      system.queryCache.send({
        type: oneOf(['queryCache.want', 'queryCache.release', 'queryCache.refresh']),
        key: teamKey(oneOf([1, 42])),
      }),
    'wanted points over time': () =>
      system.series.send({ type: oneOf(['series.want', 'series.release']), ref: 'team-1' }),
    'looked at a machine': () => anyOf(clients())?.ref.send({ type: 'client.watch' }),
    'looked away': () => anyOf(clients())?.ref.send({ type: 'client.unwatch' }),
    'was asked to pause': () =>
      system.dialogs.send({ type: 'dialogs.ask', dialog: { kind: 'pause', id: 'pause', client: 'attic' } }),
    'was asked about a site': () =>
      system.dialogs.send({ type: 'dialogs.ask', dialog: visitTeamQuestion('https://folders.example/') }),
    answered: () => {
      const dialog = selectDialog(system.dialogs.getSnapshot())
      if (dialog !== undefined)
        system.dialogs.send({
          type: 'dialogs.answer',
          id: dialog.id,
          button: oneOf(['ok', 'cancel', 'pause', 'discard', 'save', 'resume']),
        })
    },
    'changed the looks': () =>
      system.preferences.send({
        type: 'preferences.change',
        change: { theme: oneOf(['auto', 'dark', 'light']), compact: roll() < 0.5 },
      }),
    'typed an address': () => {
      system.connect.send({ type: 'connect.ask' })
      system.connect.send({
        type: 'connect.edit',
        address: oneOf([network.directAddress, 'not an address!', '127.0.0.1:9']),
      })
      system.connect.send({ type: 'connect.submit' })
      system.connect.send({ type: 'connect.cancel' })
    },
    'forgot an address': () =>
      system.fleet.send({ type: 'fleet.disconnect', id: oneOf([`@${network.directAddress}`, '@127.0.0.1:9']) }),
    'logged in': async () => {
      if (system.account.getSnapshot().matches('signedOut')) await logIn(app, network.account)
    },
    'logged in wrongly': async () => {
      await logIn(app, { ...network.account, passphrase: 'not the passphrase at all' })
      system.signIn.send({ type: 'signIn.cancel' })
    },
    'logged out': () => roll() < 0.4 && system.account.send({ type: 'account.signOut' }),
    'asked for the account': () => system.account.send({ type: 'account.refresh' }),
    'renewed the token': () => system.account.send({ type: 'account.renewToken' }),
    'typed into the settings': () =>
      draft()?.send({
        type: 'draft.edit',
        change: { user: oneOf(['Ada', 'A', 'Grace Hopper', '<b>']), secrets: { passkey: anyOf(passkeys) ?? '' } },
      }),
    'saved the settings': () => draft()?.send({ type: 'draft.save' }),
    'left the settings': () => draft()?.send({ type: 'draft.leave' }),
    'made a team': () => teams()?.send(oneOf([{ type: 'teams.create' } as const, { type: 'teams.cancel' } as const])),
    'followed old links': () => {
      system.verify.send({ type: 'verify.begin', secrets: { token: 'an-old-token-of-an-email' } })
      system.reset.send({
        type: 'reset.submit',
        email: 'ada@foldboard.example',
        secrets: { token: 'another-old-token', passphrase: 'short', passphraseAgain: 'shorter' },
      })
    },
    'wanted a passphrase': () => {
      system.reset.send({ type: 'reset.open' })
      system.reset.send({ type: 'reset.generate' })
    },
    'lost the relay': () => network.relay.dropPages(),
    'lost a machine': () => client()?.kill(),
    'found the machines again': () => network.clients().forEach(client => client.revive()),
    'lost the client': () => network.direct.dropAll(),
    'received garbage': () =>
      oneOf([
        () => network.relay.sendToPages('{"garb'),
        () => network.direct.sendToAll('["units", 99, "ppd", {}]'),
        () => network.direct.sendToAll('nonsense'),
      ])(),
    'lost the server': () => app.setReachable(roll() < 0.5),
    'saw a unit fail': () => client()?.client.faults.failNextUnit(),
    'was given a passkey elsewhere': () =>
      network.local.client
        .attach(() => undefined)
        .receive({ cmd: 'config', config: { passkey: anyOf(passkeys) ?? '' }, time: new Date().toISOString() }),
  }
  const names = Object.keys(actions)
  await logIn(app, network.account)
  const done: string[] = []
  for (let step = 0; step < steps; step++) {
    const name = anyOf(names) ?? ''
    const before = recorder.recording().entries.at(-1)?.seq ?? 0
    await actions[name]?.()
    done.push(name)
    await app.until(system.clock, () => (recorder.recording().entries.at(-1)?.seq ?? 0) > before)
    recorder.takeCheckpoint()
  }
  app.setReachable(true)
  if (!system.account.getSnapshot().hasTag('signedIn')) {
    await app.until(system.account, snapshot => snapshot.hasTag('signedIn') || snapshot.matches('signedOut'))
    if (system.account.getSnapshot().matches('signedOut')) await logIn(app, network.account)
    await app.until(system.account, snapshot => snapshot.hasTag('signedIn'))
  }
  recorder.takeCheckpoint()
  return done
}
