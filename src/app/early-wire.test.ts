// @vitest-environment jsdom
import { expect, it } from 'vitest'
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

const take = { type: 'take' }

it('opens the address, and holds what is heard until the app listens', async () => {
  const worker = new FakeWorker()
  beginWire(() => worker, '127.0.0.1:7396')
  worker.say('opened')
  worker.say('state')
  expect(worker.posted).toEqual([
    { type: 'direct.open', channel: 0, url: 'ws://127.0.0.1:7396/api/websocket' },
    take,
    take,
  ])
  const early = earlyWire()
  expect(early.url).toBe('ws://127.0.0.1:7396/api/websocket')
  const heard: unknown[] = []
  expect(early.take()).toBe(worker)
  worker.addEventListener('message', event => heard.push('data' in event && event.data))
  await Promise.resolve()
  worker.say('later')
  expect(heard).toEqual(['opened', 'state', 'later'])
  expect(worker.posted.length).toBe(3)
  expect([early.take(), earlyWire().take(), earlyWire().url]).toEqual([undefined, undefined, undefined])
})

it('takes no more than so many batches, since the hub merges what waits', () => {
  const worker = new FakeWorker()
  beginWire(() => worker, '')
  for (let batch = 0; batch < 100; batch++) worker.say('figures')
  expect(worker.posted.length).toBeGreaterThan(2)
  expect(worker.posted.length).toBeLessThan(30)
  expect(earlyWire().url).toBe(undefined)
})
