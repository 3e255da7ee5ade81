import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startNetwork, type Network } from '../../../network/index.ts'
import { saveActor, type Checkpoint } from '../../../src/journal/checkpoint.ts'
import { fingerprintOf } from '../../../src/journal/fingerprint.ts'
import { fromFile, toFile } from '../../../src/journal/file.ts'
import { createRecorder, type Recorder } from '../../../src/journal/recorder.ts'
import type { Recording } from '../../../src/journal/recording.ts'
import { startReplay, withoutEffects } from '../../../src/journal/replay.ts'
import { kinds } from '../../../src/app/replay/kinds.ts'
import { appMachine } from '../../../src/machines/app/app/app.machine.ts'
import { SECRET_NAMES } from '../../../src/protocol/secret-names.ts'
import { createPerson, type Person } from '../../person.ts'
import { walkAtRandom } from './random-walk.ts'
import { everyText, plain } from './plain.ts'

const STEPS = 200
const PASSKEYS = ['8c0ffee0badc0de5feedface00112233', 'a1b2c3d4e5f60718293a4b5c6d7e8f90', 'not a passkey']

describe('a long session at random', () => {
  let network: Network
  let person: Person
  let recorder: Recorder
  let recording: Recording
  const sent: string[] = []

  beforeAll(async () => {
    network = await startNetwork({
      port: 0,
      data: undefined,
      seed: 11,
      machines: 4,
      keyBits: 1024,
      accountKeyBits: 1024,
      relayPaceMs: 5,
      commandDelayMs: 20,
      reconnectMs: 100,
      retryMs: 200,
      changesEvery: 50,
      client: { host: '127.0.0.1', port: 9 },
    })
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
    person = createPerson(network, { recorder, directAddress: network.directAddress })
    await walkAtRandom({ person, network, recorder, seed: 20_261_121, steps: STEPS, passkeys: PASSKEYS })
    recording = recorder.recording()
  }, 120_000)

  afterAll(async () => {
    vi.restoreAllMocks()
    person.leave()
    await network.stop()
  })

  const machine = withoutEffects(appMachine)
  const first = (): Checkpoint => recording.checkpoints[0] ?? expect.fail('Nothing was recorded.')
  const actorsAt = (root: Checkpoint['root']) => plain(root)

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
    for (const entry of recording.entries)
      if (entry.seq < last.seq && entry.event.type !== 'relay.opened') replay.deliver(entry)
    expect(actorsAt(saveActor(replay.root, recorder.mask).saved)).not.toEqual(actorsAt(last.root))
  })

  it('is the same from whatever checkpoint it is replayed', () => {
    const last = recording.checkpoints.at(-1) ?? expect.fail()
    for (const checkpoint of recording.checkpoints.filter((_, index) => index % 12 === 5)) {
      const replay = startReplay(machine, checkpoint)
      for (const entry of recording.entries)
        if (entry.seq >= checkpoint.seq && entry.seq < last.seq) replay.deliver(entry)
      const { status, error } = replay.root.getSnapshot() as { status: string; error: unknown }
      expect([status, error], `from event ${checkpoint.seq}`).toEqual(['active', undefined])
      expect(actorsAt(saveActor(replay.root, recorder.mask).saved), `from event ${checkpoint.seq}`).toEqual(
        actorsAt(last.root),
      )
    }
  })

  it('comes back from a file as it was, and is the same when that is replayed', async () => {
    const options = { kinds, machines: fingerprintOf(appMachine) }
    const file = await toFile(recording, { ...options, clean: recorder.mask.clean, usesPseudonyms: false })
    const opened = await fromFile(file, options)
    if (!opened.ok) return expect.fail(opened.fault)
    expect(plain(opened.recording)).toEqual(plain({ checkpoints: [first()], entries: recording.entries }))
    const last = recording.checkpoints.at(-1) ?? expect.fail()
    const replay = startReplay(machine, opened.recording.checkpoints[0] ?? expect.fail())
    for (const entry of opened.recording.entries) if (entry.seq < last.seq) replay.deliver(entry)
    expect(actorsAt(saveActor(replay.root, recorder.mask).saved)).toEqual(actorsAt(last.root))
  })

  it('can be replayed from a file without the names of anybody', async () => {
    const options = { kinds, machines: fingerprintOf(appMachine) }
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
      'an-old-token-of-a-letter',
      'another-old-token',
      ...secrets,
    ])
      expect(
        texts.find(text => text.includes(secret)),
        secret,
      ).toBeUndefined()
  })
})

/** What went over HTTP and must stay there: sessions, tokens, passkeys, hashed passphrases, wrapped keys. */
const secretsOf = (sent: readonly string[]): readonly string[] => {
  const all = sent.join('\n')
  const found = [
    ...all.matchAll(/"(?:Authorization|token|passkey|password|secret)":"([^"]{6,})"/g),
    ...all.matchAll(/[?&]password=([^&\s]{6,})/g),
  ].map(([, secret = '']) => decodeURIComponent(secret))
  const sessions = [...all.matchAll(/^\{"id":"([^"]{6,})"\}$/gm)].map(([, id = '']) => id)
  return [...new Set([...found, ...sessions])]
}
