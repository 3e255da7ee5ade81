import { createFaults, startNetwork, type Faults, type Network } from '../../network/index.ts'
import { CALL_FAULTS, SOCKET_FAULTS, SOCKET_WAYS } from '../../network/faults/kinds.ts'
import { signIn, type SignedIn } from '../../network/testing/page.ts'
import { isSignedIn, selectSettings } from '../../src/machines/account/account/account.selectors.ts'
import { selectAccountDraft } from '../../src/machines/account/settings/settings.selectors.ts'
import { isConnected, selectClientSettings, selectUnits } from '../../src/machines/connection/client/client.selectors.ts'
import { selectMachineDraft } from '../../src/machines/connection/client-settings/client-settings.selectors.ts'
import { selectClientRef, selectShownIds } from '../../src/machines/connection/fleet/fleet.selectors.ts'
import type { ClientRef } from '../../src/machines/connection/client/client.machine.ts'
import type { ClientEvent } from '../../src/machines/connection/client/client.events.ts'
import { isSignInBusy } from '../../src/machines/account/sign-in/sign-in.selectors.ts'
import { selectDialog } from '../../src/machines/screens/dialogs/dialogs.selectors.ts'
import { createPerson, type Person } from '../person.ts'
import { watchActors, type ActorWatch } from './actors.ts'
import { watchCommands, type CommandWatch } from './commands.ts'
import { createDice, type Dice } from './dice.ts'
import { createTimerWatch, type TimerWatch } from './leaks.ts'
import { watchSurroundings, type WatchedSurroundings } from './surroundings.ts'
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

/** The dashboard must agree with the network this soon after the faults (milliseconds). */
const AGREEMENT = 5_000
/** A command is reported as ignored after ten seconds; some wait for their turn before. */
const LAST_FATE = 16_000
const LAST_TIMER = 3_000
const LOOK_EVERY = 25
const SHORTEST_PAUSE = 10
const LONGEST_PAUSE = 250
const CLOCKS = [-3 * 3_600_000, -20 * 60_000, -60_000, 60_000, 20 * 60_000, 3 * 3_600_000] as const

type Scene = {
  readonly dice: Dice
  readonly network: Network
  readonly faults: Faults
  readonly person: Person
  readonly surroundings: WatchedSurroundings
  readonly actors: ActorWatch
  readonly commands: CommandWatch
  readonly timers: TimerWatch
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Looks until nothing is left to complain of, or until the time is over. */
const untilNone = async (complaints: () => readonly string[] | Promise<readonly string[]>, longest: number): Promise<{ readonly left: readonly string[]; readonly after: number }> => {
  const began = performance.now()
  for (;;) {
    const left = await complaints()
    const after = performance.now() - began
    if (left.length === 0 || after > longest) return { left, after }
    await pause(LOOK_EVERY)
  }
}

const clientsOf = ({ person }: Scene): readonly ClientRef[] => Object.values(person.system().fleet.getSnapshot().context.members).map(({ ref }) => ref)

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

const logIn = (scene: Scene): void => {
  const { signIn: dialog, account } = scene.person.system()
  if (!account.getSnapshot().matches('signedOut') || isSignInBusy(dialog.getSnapshot())) return
  const { email, passphrase } = scene.network.account
  dialog.send({ type: 'signIn.open', mode: 'login' })
  dialog.send({ type: 'signIn.submit', email, user: '', team: '', secrets: { passphrase, passphraseAgain: passphrase, passkey: '' } })
}

const answerAll = ({ person, dice }: Scene, words: readonly [string, ...string[]]): void => {
  for (let left = 20; left > 0; left--) {
    const shown = selectDialog(person.system().dialogs.getSnapshot())
    if (shown === undefined) return
    person.answer(dice.oneOf(words))
  }
}

/** What a person does. Each says what came of it. */
const deeds: Readonly<Record<string, (scene: Scene) => unknown>> = {
  'tells a machine': scene => askIfPossible(scene.dice.anyOf(clientsOf(scene)), { type: `client.${scene.dice.oneOf(['fold', 'pause', 'finish'])}` }),
  'tells a group': scene => askIfPossible(scene.dice.anyOf(clientsOf(scene)), { type: `client.${scene.dice.oneOf(['fold', 'pause', 'finish'])}`, group: scene.dice.oneOf(['', 'night', 'gpu']) }),
  'tells all': ({ person, dice, commands }) => {
    const word = dice.oneOf(['fold', 'pause', 'finish'])
    const { fleet } = person.system()
    for (const id of selectShownIds('usual')(fleet.getSnapshot())) {
      const ref = selectClientRef(id)(fleet.getSnapshot())
      if (ref !== undefined && isConnected(ref.getSnapshot())) commands.expect(ref, word)
    }
    fleet.send({ type: `fleet.${word}` })
    return word
  },
  'opens or leaves the settings of a machine': scene => askIfPossible(scene.dice.anyOf(clientsOf(scene)), { type: scene.dice.oneOf(['client.openSettings', 'client.closeSettings']) }),
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
  'links or unlinks': scene => scene.dice.anyOf(openedSettings(scene))?.send({ type: scene.dice.oneOf(['settings.link', 'settings.link', 'settings.unlink']) }),
  'dumps a unit': scene => {
    const ref = scene.dice.anyOf(clientsOf(scene))
    const unit = ref === undefined ? undefined : scene.dice.anyOf(selectUnits(ref.getSnapshot()))
    return unit?.id === undefined ? 'nothing' : askIfPossible(ref, { type: 'client.dump', unit: unit.id })
  },
  'opens a log': scene => {
    const client = scene.dice.anyOf(clientsOf(scene))
    if (client !== undefined) scene.person.system().log.send({ type: 'log.open', client, text: scene.dice.oneOf(['', 'WU']) })
    return client?.id
  },
  'closes the log': ({ person }) => person.system().log.send({ type: 'log.close' }),
  'looks at a molecule': scene => {
    const ref = scene.dice.anyOf(clientsOf(scene))
    const unit = ref === undefined ? undefined : scene.dice.anyOf(selectUnits(ref.getSnapshot()))
    if (ref !== undefined && unit?.id !== undefined) scene.person.system().viewer.send({ type: 'viewer.open', client: ref.id, unit: unit.id })
    return ref?.id
  },
  'leaves the molecule': ({ person }) => person.system().viewer.send({ type: 'viewer.close' }),
  'looks at a machine': scene => scene.dice.anyOf(clientsOf(scene))?.send({ type: scene.dice.oneOf(['client.watch', 'client.unwatch']) }),
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
  'adds an address': ({ person, network, dice }) => person.system().fleet.send({ type: 'fleet.connect', address: dice.oneOf([network.directAddress, '127.0.0.1:9']) }),
  'forgets an address': ({ person, network, dice }) => person.system().fleet.send({ type: 'fleet.forget', id: `@${dice.oneOf([network.directAddress, '127.0.0.1:9'])}` }),
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

/** What goes wrong. */
const mishaps: Readonly<Record<string, (scene: Scene) => unknown>> = {
  'a connection goes wrong': ({ faults, dice }) => {
    const [way, fault] = [dice.oneOf(SOCKET_WAYS), dice.oneOf(SOCKET_FAULTS)]
    faults.begin(way, fault, dice.between(0.05, 0.5))
    return `${way} ${fault}`
  },
  'calls go wrong': ({ faults, dice }) => {
    const fault = dice.oneOf(CALL_FAULTS)
    faults.begin('api', fault, dice.between(0.2, 1))
    return fault
  },
  'the servers’ clocks are wrong': ({ faults, dice }) => faults.setClock(dice.oneOf(CLOCKS)),
  'this clock is wrong': ({ surroundings, dice }) => surroundings.setClock(dice.oneOf(CLOCKS)),
  'the network is gone': ({ surroundings }) => surroundings.setOnline(false),
  'the network is back': ({ surroundings }) => surroundings.setOnline(true),
  'pages are dropped': ({ network }) => network.relay.dropPages(),
  'the relay starts anew': async ({ network, dice }) => {
    await network.relay.stop()
    await pause(dice.between(SHORTEST_PAUSE, LONGEST_PAUSE))
    await network.relay.start()
  },
  'a machine dies': ({ network, dice }) => dice.anyOf(network.clients())?.kill(),
  'machines come back': ({ network }) => network.clients().forEach(client => client.revive()),
  'the local client drops its readers': ({ network }) => network.direct.dropAll(),
  'garbage comes': ({ network, dice }) => dice.oneOf([() => network.relay.sendToPages('{"garb'), () => network.direct.sendToAll('["units", 99, "ppd", {}]'), () => network.direct.sendToAll('nonsense')])(),
  'a unit fails': ({ network, dice }) => dice.anyOf(network.clients())?.client.faults.failNextUnit(),
  'somebody tells a machine': ({ network, dice }) => {
    const machine = dice.oneOf([network.local, ...network.clients()])
    machine.client.attach(() => undefined).receive({ cmd: 'state', state: dice.oneOf(['fold', 'pause']) })
    return machine.client.name()
  },
  'all is well': scene => calm(scene),
}

const calm = ({ faults, surroundings }: Scene): void => {
  faults.end()
  surroundings.setClock(0)
}

const SHARE_OF_MISHAPS = 0.4

/** Most of what goes wrong goes wrong between the parts. */
const anyMishap = (dice: Dice): string | undefined => (dice.roll() < 0.4 ? 'a connection goes wrong' : dice.anyOf(Object.keys(mishaps)))

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
const OWN_LIFE = /^\/fleet\/[^/]+(?:\/link)?$|^\/relay\/socket$|^\/account\/settings(?:\/(?:avatar|draft|teams))?$|^\/library\/[^/]+$/

const surplus = ({ actors }: Scene, root: readonly string[]): readonly string[] => {
  const expected = new Set(root)
  return actors.running().filter(id => !expected.has(id) && !OWN_LIFE.test(id)).map(id => `${id} still runs`)
}

const holdings = ({ actors, timers, surroundings }: Scene): readonly string[] => [
  ...actors.running().map(id => `after leaving, ${id} runs`),
  ...timers.running().map(where => `after leaving, a timer runs: ${where}`),
  ...surroundings.listeners().map(what => `after leaving, somebody listens to ${what}`),
  ...surroundings.sockets().map(url => `after leaving, a socket is open to ${url}`),
]

const startScene = async (seed: number): Promise<{ readonly scene: Scene; readonly truth: SignedIn }> => {
  const faults = createFaults(seed)
  const network = await startNetwork({
    port: 0, data: undefined, seed: 11, machines: 4, keyBits: 1024, accountKeyBits: 1024, relayPaceMs: 5, commandDelayMs: 20, reconnectMs: 100, retryMs: 200,
    client: { host: '127.0.0.1', port: 9 }, faults,
  })
  await network.online()
  const truth = await signIn(network.apiUrl, network.account)
  const timers = createTimerWatch()
  const actors = watchActors()
  const surroundings = watchSurroundings(new URL(network.dashboardUrl).origin)
  const person = timers.within(() => createPerson(network, { recorder: actors.recorder, directAddress: network.directAddress, surroundings }))
  return { scene: { dice: createDice(seed), network, faults, person, surroundings, actors, commands: watchCommands(), timers }, truth }
}

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
      ...left, ...surplusActors, ...held,
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
