import { expect, it } from 'vitest'
import type { SocketUrl } from '../../protocol/url.ts'
import { END_SESSIONS, LOST_ANSWER, MOLECULE_SHARE } from '../pacing.ts'
import { createManualClock } from '../../../test/network/manual-clock.ts'
import { openFullStates } from './full-states.ts'
import type { SocketListener } from './hub.types.ts'

async function start(loginPause = 0) {
  const clock = createManualClock(1_000_000)
  let ahead = 0
  const now = (): number => clock.now() + ahead
  const sockets: { readonly listener: SocketListener; readonly sent: string[]; isOpen: boolean }[] = []
  let ends = 0
  const states = openFullStates({
    url: 'ws://node.example/ws/account' as SocketUrl,
    deps: {
      now,
      random: () => 0,
      later: (ms, run) => clock.setTimer(run, ms),
      post: () => undefined,
      openSocket: (_, listener) => {
        const socket = { listener, sent: [] as string[], isOpen: true }
        sockets.push(socket)
        return { send: text => socket.sent.push(text), close: () => (socket.isOpen = false) }
      },
    },
    createLogin: () => Promise.resolve('login'),
    loginPause: last => last + loginPause - now(),
    received: () => undefined,
    ended: () => (ends += 1),
  })
  const sessionKey = await crypto.subtle.generateKey({ name: 'AES-CBC', length: 256 }, false, ['encrypt', 'decrypt'])
  const settle = () => new Promise(resolve => setTimeout(resolve, 5))
  return {
    sockets,
    ends: () => ends,
    timers: () => clock.timers(),
    setClock: (by: number) => void (ahead = by),
    ask: (id: string, share = 0) => states.ask({ id, sessionKey }, [{ cmd: 'state' }], share),
    close: () => states.close(),
    pass: async (ms: number) => {
      await settle()
      clock.advance(ms)
      await settle()
    },
  }
}

it('logs in before the first request and once after several, when the connection is open', async () => {
  const { sockets, ask, pass } = await start()
  expect(sockets).toEqual([])
  ask('a')
  ask('b')
  await pass(END_SESSIONS)
  expect(sockets.map(({ sent }) => sent)).toEqual([[]])
  sockets[0]?.listener.opened()
  await pass(0)
  expect(sockets[0]?.sent.map(text => (text === 'login' ? text : (JSON.parse(text) as { id: string }).id))).toEqual([
    'login',
    'a',
    'a',
    'b',
    'b',
    'login',
  ])
})

it('logs in later where a client was asked for what takes longer', async () => {
  const { sockets, ask, pass } = await start()
  const logins = () => sockets[0]?.sent.filter(text => text === 'login').length
  ask('a')
  sockets[0]?.listener.opened()
  ask('b', MOLECULE_SHARE)
  await pass(END_SESSIONS)
  expect(logins()).toBe(1)
  await pass(MOLECULE_SHARE - END_SESSIONS)
  expect(logins()).toBe(2)
})

it('logs in no sooner after its last login than an account of its size allows, once for all requests since', async () => {
  const { sockets, ask, pass } = await start(5000)
  const logins = () => sockets[0]?.sent.filter(text => text === 'login').length
  ask('a')
  sockets[0]?.listener.opened()
  await pass(4000)
  ask('b')
  expect(logins()).toBe(1)
  await pass(1000)
  expect(logins()).toBe(2)
  ask('a')
  await pass(4999)
  expect(logins()).toBe(2)
  await pass(1)
  expect(logins()).toBe(3)
})

it('says that its connection has ended, and opens another for the next request', async () => {
  const { sockets, ask, ends } = await start()
  ask('a')
  sockets[0]?.listener.closed()
  expect({ ends: ends(), sockets: sockets.length }).toEqual({ ends: 1, sockets: 1 })
  ask('a')
  expect(sockets.length).toBe(2)
})

it('stays open as long as an answer may come', async () => {
  const { sockets, ask, ends, pass } = await start()
  ask('a')
  await pass(LOST_ANSWER - 1)
  expect({ isOpen: sockets[0]?.isOpen, ends: ends() }).toEqual({ isOpen: true, ends: 0 })
  await pass(1)
  expect({ isOpen: sockets[0]?.isOpen, ends: ends() }).toEqual({ isOpen: false, ends: 1 })
})

it('has one connection, however many were lost before', async () => {
  const { sockets, ask, ends, pass, timers } = await start()
  for (const lost of [0, 1, 2]) {
    ask('a')
    sockets[lost]?.listener.closed()
  }
  await pass(LOST_ANSWER / 2)
  // Nothing waits for those that have ended.
  expect(timers()).toBe(0)
  ask('a')
  await pass(LOST_ANSWER / 2)
  ask('a')
  expect(sockets.length).toBe(4)
  expect(sockets[3]?.isOpen).toBe(true)
  expect(ends()).toBe(3)
})

it('is closed when nobody asks, also after the clock was set back', async () => {
  const { sockets, ask, pass, setClock } = await start()
  ask('a')
  setClock(-10 * LOST_ANSWER)
  await pass(LOST_ANSWER)
  expect(sockets[0]?.isOpen).toBe(true)
  await pass(LOST_ANSWER)
  expect(sockets[0]?.isOpen).toBe(false)
})

it('says nothing after it was closed', async () => {
  const { sockets, ask, close, ends } = await start()
  ask('a')
  close()
  ask('a')
  expect({ sockets: sockets.map(({ isOpen }) => isOpen), ends: ends() }).toEqual({ sockets: [false], ends: 0 })
})
