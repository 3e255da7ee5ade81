// @vitest-environment jsdom
import { expect, it } from 'vitest'
import type { SocketUrl } from '../protocol/url.ts'
import { earlyUrlOf, workerName } from './early-url.ts'
import { beginWire, earlyWire } from './early-wire.ts'

class FakeWorker extends EventTarget implements Worker {
  readonly posted: unknown[] = []
  onmessage: Worker['onmessage'] = null
  onmessageerror: Worker['onmessageerror'] = null
  onerror: Worker['onerror'] = null
  postMessage(command: unknown): void {
    this.posted.push(command)
  }
  terminate(): void {
    // Nothing to end.
  }
  say(data: unknown): void {
    const event = new MessageEvent('message', { data })
    this.onmessage?.call(this, event)
    this.dispatchEvent(event)
  }
}

it('opens the address in the worker, and holds what is heard until the app listens', async () => {
  const worker = new FakeWorker()
  const opened: unknown[] = []
  beginWire(url => {
    opened.push(url)
    return worker
  }, '127.0.0.1:7396')
  worker.say('opened')
  worker.say('state')
  expect(opened).toEqual(['ws://127.0.0.1:7396/api/websocket'])
  const early = earlyWire()
  expect(early.url).toBe('ws://127.0.0.1:7396/api/websocket')
  const received: unknown[] = []
  expect(early.take()).toBe(worker)
  worker.addEventListener('message', event => received.push('data' in event && event.data))
  await Promise.resolve()
  worker.say('later')
  expect(received).toEqual(['opened', 'state', 'later'])
  expect(worker.posted).toEqual([])
  expect(early.take()).toBeUndefined()
  expect(earlyWire().take()).toBeUndefined()
  expect(earlyWire().url).toBeUndefined()
})

it('opens nothing where no address is set', () => {
  const opened: unknown[] = []
  beginWire(url => {
    opened.push(url)
    return new FakeWorker()
  }, '')
  expect(opened).toEqual([undefined])
  expect(earlyWire().url).toBeUndefined()
})

it('has the URL in the name of the worker', () => {
  const url = 'ws://127.0.0.1:7396/api/websocket' as SocketUrl
  expect(earlyUrlOf(workerName(url))).toEqual(url)
  expect(earlyUrlOf(workerName())).toBeUndefined()
})
