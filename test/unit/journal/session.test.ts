import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startNetwork, type Network } from '../../../programs/network/index.ts'
import { saveActor, type Checkpoint } from '../../../src/journal/checkpoint.ts'
import { fingerprintOf } from '../../../src/journal/fingerprint.ts'
import { fromFile, toFile } from '../../../src/journal/file.ts'
import { createRecorder, type Recorder } from '../../../src/journal/recorder.ts'
import type { Recording } from '../../../src/journal/recording.ts'
import { startReplay, withoutEffects } from '../../../src/journal/replay.ts'
import { ID } from '../../../src/journal/known-values.ts'
import { DIRECT_ID } from '../../../src/folding/client/client.ts'
import type { ClientInfo } from '../../../src/protocol/client/client-data.ts'
import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import { userKey } from '../../../src/folding/shared/resource-keys.ts'
import { formsOf } from '../../end-to-end/leak-detector.ts'
import { kinds } from '../../../src/app/replay/kinds.ts'
import { completeApp } from '../../../src/app/replay/complete-app.ts'
import { SECRET_NAMES } from '../../../src/protocol/secret-names.ts'
import { QUICK_NETWORK, startHeadlessApp, type HeadlessApp } from '../../headless-app.ts'
import { walkAtRandom } from './random-walk.ts'
import { everyText, plain } from './plain.ts'

const STEPS = 100
const PASSKEYS = ['8c0ffee0badc0de5feedface00112233', 'a1b2c3d4e5f60718293a4b5c6d7e8f90', 'not a passkey']

describe('a long session at random', () => {
  let network: Network
  let app: HeadlessApp
  let recorder: Recorder
  let recording: Recording
  /** As of the recording: the app lives on. */
  let personal: ReturnType<typeof personalValues>
  const sent: string[] = []

  beforeAll(async () => {
    network = await startNetwork({ ...QUICK_NETWORK, changesEvery: 50 })
    await network.online()
    const real = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const response = await real(url, init)
      sent.push(
        JSON.stringify(init?.headers ?? {}),
        typeof init?.body === 'string' ? init.body : '',
        url instanceof Request ? url.url : url.toString(),
        await response.clone().text(),
      )
      return response
    })
    recorder = createRecorder({
      now: Date.now,
      timers: { setTimeout: (run, ms) => setTimeout(run, ms), clearTimeout: timer => clearTimeout(timer as number) },
      whenIdle: run => setTimeout(run, 0),
      secretNames: SECRET_NAMES,
      maxEvents: 1_000_000,
      maxBytes: 1_000_000_000,
    })
    app = startHeadlessApp(network, { recorder, directAddress: network.directAddress })
    await walkAtRandom({ app, network, recorder, seed: 20_261_122, steps: STEPS, passkeys: PASSKEYS })
    await readScreens(app)
    // A slow computer is asked for the states of its machines later.
    await vi.waitFor(
      () => {
        const texts = everyText(recorder.recording())
        const { names } = personalValues(app)
        expect(names.length).toBeGreaterThan(15)
        expect(names.filter(name => !texts.some(text => text.includes(name)))).toEqual([])
      },
      { timeout: 60_000, interval: 1000 },
    )
    const { preferences } = app.system()
    const { wrapsLog } = preferences.getSnapshot().context.shown
    preferences.send({ type: 'preferences.change', change: { wrapsLog: !wrapsLog } })
    recorder.takeCheckpoint()
    recording = recorder.recording()
    personal = personalValues(app)
  }, 120_000)

  afterAll(async () => {
    vi.restoreAllMocks()
    app.leave()
    await network.stop()
  })

  const machine = withoutEffects(completeApp)
  const first = (): Checkpoint => recording.checkpoints[0] ?? expect.fail('Nothing was recorded.')
  /** Stand-ins are numbered as they are needed; which are the same is what counts. */
  const actorsAt = (root: Checkpoint['root']): unknown => {
    const numbers = new Map<string, number>()
    return JSON.parse(JSON.stringify(plain(root)), (_, value: unknown) => {
      if (typeof value !== 'string' || !STAND_IN.test(value)) return value
      if (!numbers.has(value)) numbers.set(value, numbers.size)
      return `secret ${numbers.get(value) ?? ''}`
    })
  }

  it('holds many events for many actors', () => {
    expect(recording.entries.length).toBeGreaterThan(STEPS * 2)
    expect(new Set(recording.entries.map(({ to }) => to)).size).toBeGreaterThan(15)
    expect(recording.entries.filter(({ to }) => /(?:^|\/)x:\d/.test(to))).toEqual([])
  })

  it('is the same when it is replayed from its beginning, at the end and at every moment that was looked at between', () => {
    const replay = startReplay(machine, first())
    let next = 0
    expect(recording.checkpoints.length).toBeGreaterThan(20)
    for (const checkpoint of recording.checkpoints) {
      for (; (recording.entries[next]?.seq ?? Infinity) < checkpoint.seq; next++)
        replay.deliver(recording.entries[next] ?? expect.fail())
      expect(actorsAt(saveActor(replay.root, recorder.mask).saved), `before event ${checkpoint.seq}`).toEqual(
        actorsAt(checkpoint.root),
      )
    }
    expect(next).toBe(recording.entries.length)
  })

  it('is another one when an event is left out', () => {
    const replay = startReplay(machine, first())
    const last = recording.checkpoints.at(-1) ?? expect.fail()
    const leftOut = recording.entries.findLast(({ event }) => event.type === 'preferences.change')
    expect(leftOut).toBeDefined()
    for (const entry of recording.entries) if (entry.seq < last.seq && entry !== leftOut) replay.deliver(entry)
    expect(actorsAt(saveActor(replay.root, recorder.mask).saved)).not.toEqual(actorsAt(last.root))
  })

  it('is the same from whatever checkpoint it is replayed', () => {
    const last = recording.checkpoints.at(-1) ?? expect.fail()
    // The slower the computer, the more checkpoints are there.
    for (const share of [0.3, 0.6, 0.9]) {
      const checkpoint = recording.checkpoints[Math.floor(recording.checkpoints.length * share)] ?? expect.fail()
      const replay = startReplay(machine, checkpoint)
      for (const entry of recording.entries)
        if (entry.seq >= checkpoint.seq && entry.seq < last.seq) replay.deliver(entry)
      const { status, error } = replay.root.getSnapshot() as { status: string; error: unknown }
      expect({ status, error }, `from event ${checkpoint.seq}`).toEqual({ status: 'active', error: undefined })
      expect(actorsAt(saveActor(replay.root, recorder.mask).saved), `from event ${checkpoint.seq}`).toEqual(
        actorsAt(last.root),
      )
    }
  })

  const savedText = async (usesPseudonyms: boolean): Promise<string> => {
    const options = { kinds, machines: fingerprintOf(completeApp), clean: recorder.mask.clean, usesPseudonyms }
    return gunzipSync(Buffer.from(await (await toFile(recording, options)).arrayBuffer())).toString()
  }

  it('comes back from a file as it was, and is the same when that is replayed', async () => {
    const options = { kinds, machines: fingerprintOf(completeApp) }
    const file = await toFile(recording, { ...options, clean: recorder.mask.clean, usesPseudonyms: false })
    const opened = await fromFile(file, options)
    if (!opened.ok) return expect.fail(opened.fault)
    const { pubkey = '' } = app.system().account.getSnapshot().context.signedIn?.account ?? {}
    // The ids are other ones, of the same length and in the same order. Part of a public key may have the form of an id.
    const otherIds = (texts: readonly string[]): readonly string[] =>
      texts.flatMap(text => [...text.replaceAll(pubkey, '').matchAll(ID)].map(([id]) => id)).sort()
    const [before, after] = [{ checkpoints: [first()], entries: recording.entries }, opened.recording].map(plain)
    const ids = [...new Set(otherIds(everyText(before)))]
    const others = [...new Set(otherIds(everyText(after)))]
    expect(ids.length).toBeGreaterThan(5)
    expect(others.filter(id => ids.includes(id))).toEqual([])
    const renamed = new Map(ids.map((id, at) => [id, others[at] ?? '']))
    const withOtherIds = (text: string): string =>
      text.replaceAll(pubkey, 'public-key-1').replaceAll(ID, id => renamed.get(id) ?? id)
    expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(withOtherIds(JSON.stringify(before))))
    const last = recording.checkpoints.at(-1) ?? expect.fail()
    const replay = startReplay(machine, opened.recording.checkpoints[0] ?? expect.fail())
    for (const entry of opened.recording.entries) if (entry.seq < last.seq) replay.deliver(entry)
    const saved = JSON.stringify(actorsAt(saveActor(replay.root, recorder.mask).saved))
    const wanted = withOtherIds(JSON.stringify(actorsAt(last.root)))
    expect(JSON.parse(saved)).toEqual(JSON.parse(wanted))
  })

  it('contains no client’s id, in any form, even with all names in it', async () => {
    const text = await savedText(false)
    const { ids, names } = personal
    expect(ids.length).toBeGreaterThan(5)
    for (const id of ids) expect(formsOf(id).filter(form => text.includes(form))).toEqual([])
    for (const name of ['this-computer', 'Demo_Donor']) {
      expect(names).toContain(name)
      expect(text).toContain(name)
    }
  })

  it('contains no name, in any form, where names are replaced', async () => {
    const text = await savedText(true)
    const { ids, names } = personal
    expect(names.length).toBeGreaterThan(15)
    expect(names.filter(name => everyText(recording).some(content => content.includes(name))).length).toBe(names.length)
    for (const value of [...ids, ...names, ODD_NAME])
      expect(
        formsOf(value).filter(form => asWord(form).test(text)),
        value,
      ).toEqual([])
  })

  it('can be replayed from a file without names of users', async () => {
    const options = { kinds, machines: fingerprintOf(completeApp) }
    const opened = await fromFile(
      await toFile(recording, { ...options, clean: recorder.mask.clean, usesPseudonyms: true }),
      options,
    )
    if (!opened.ok) return expect.fail(opened.fault)
    const replay = startReplay(machine, opened.recording.checkpoints[0] ?? expect.fail())
    for (const entry of opened.recording.entries) replay.deliver(entry)
    expect(replay.root.getSnapshot()).toMatchObject({ status: 'active' })
    const texts = everyText([opened.recording, saveActor(replay.root, recorder.mask).saved])
    const names = ['Demo_Donor', 'atlas', network.account.email]
    for (const name of names) {
      expect(
        everyText(recording).some(text => text.includes(name)),
        name,
      ).toBe(true)
      expect(
        texts.find(text => text.includes(name)),
        name,
      ).toBeUndefined()
    }
  })

  it('holds no secret, though all of them went through it', () => {
    const texts = everyText(recording)
    const secrets = secretsOf(sent)
    expect(secrets.length).toBeGreaterThan(5)
    for (const secret of [
      network.account.passphrase,
      ...PASSKEYS,
      'an-old-token-of-an-email',
      'another-old-token',
      ...secrets,
    ])
      expect(
        texts.find(text => text.includes(secret)),
        secret,
      ).toBeUndefined()
  })
})

const STAND_IN = /^(?:hidden no\. \d+|hid \d+|0{16,}[\da-f]+)$/

/** A name with everything in it that is written otherwise somewhere. */
const ODD_NAME = "Ada & Zoë O'Lovelace/+%"

/** Reads the log, looks at a molecule, at the history and at the points of a user. */
async function readScreens(app: HeadlessApp): Promise<void> {
  const system = app.system()
  const client = system.fleet.getSnapshot().context.members[DIRECT_ID]?.ref ?? expect.fail()
  await app.until(client, ({ context }) => (context.record.data?.units.length ?? 0) > 0)
  await app.until(system.app, isPartThere('log'))
  system.log.send({ type: 'log.open', client, text: '' })
  await app.until(client, ({ context }) => context.record.log.length > 0)
  const unit = client.getSnapshot().context.record.data?.units.find(({ state }) => state === 'RUN')
  await app.until(system.app, isPartThere('viewer'))
  system.viewer.send({ type: 'viewer.open', client: client.id, unit: unit?.id ?? '' })
  system.queryCache.send({ type: 'queryCache.want', key: userKey(ODD_NAME, 42), secrets: { passkey: '' } })
  system.history.send({ type: 'history.open' })
  await app.until(system.history, ({ context }) => context.history.units.size > 0)
}

/** What this page knows that tells its clients, account and person from others. */
function personalValues(app: HeadlessApp) {
  const system = app.system()
  const { signedIn } = system.account.getSnapshot().context
  const { account } = signedIn ?? expect.fail('No user is signed in.')
  const clients = Object.values(system.fleet.getSnapshot().context.members).map(({ ref }) => ref.getSnapshot().context)
  const infos: readonly ClientInfo[] = clients.flatMap(({ record: { data } }) =>
    data === undefined ? [] : [data.info],
  )
  const groups = clients.flatMap(({ record }) => Object.keys(record.data?.groups ?? {}))
  const ids = [...infos.flatMap(({ id, account: of }) => [id, of]), account.id, account.pubkey]
  const names = [
    ...infos.flatMap(({ mach_name, hostname, cwd, gpus }) => [
      mach_name,
      hostname,
      cwd,
      ...Object.values(gpus ?? {}).map(({ uuid }) => uuid),
    ]),
    ...groups,
    account.user,
    account.email,
    ...(account.teams ?? []).flatMap(({ name }) => [name]),
  ]
  const said = (values: readonly unknown[]): readonly string[] => [
    ...new Set(values.flatMap(value => (typeof value === 'string' && value !== '' ? [value] : []))),
  ]
  return { ids: said(ids), names: said(names) }
}

/** Not as a part of another word: a client may be called 'quiet'. */
function asWord(form: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9_])${form.replaceAll(/[^\w]/g, String.raw`\$&`)}(?![A-Za-z0-9_])`)
}

/** What went over HTTP and must stay there: sessions, tokens, passkeys, hashed passphrases, wrapped keys. */
function secretsOf(sent: readonly string[]): readonly string[] {
  const all = sent.join('\n')
  const found = [
    ...all.matchAll(/"(?:Authorization|token|passkey|password|secret)":"([^"]{6,})"/g),
    ...all.matchAll(/[?&]password=([^&\s]{6,})/g),
  ].map(([, secret = '']) => decodeURIComponent(secret))
  const sessions = [...all.matchAll(/^\{"id":"([^"]{6,})"\}$/gm)].map(([, id = '']) => id)
  return [...new Set([...found, ...sessions])]
}
