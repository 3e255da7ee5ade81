import { expect, it } from 'vitest'
import {
  compareConnections,
  delayStep,
  hiddenConnections,
  connectionKind,
  type ClientConnection,
} from './connections.ts'

function way(id: string, isConnected = true, client = 'm'): ClientConnection {
  return {
    id,
    kind: connectionKind({ id, address: id.startsWith('@') ? id.slice(1) : undefined }),
    isConnected,
    delay: undefined,
    machine: client,
  }
}

function delayed(id: string, milliseconds: number): ClientConnection {
  return { ...way(id), delay: delayStep(milliseconds) }
}

it.each([
  ['__direct__', 'dashboard.lan:7400', 'default'],
  ['@localhost:7396', 'localhost:7396', 'loopback'],
  ['@[::1]:7396', '[::1]:7396', 'loopback'],
  ['@192.168.0.7:7396', '192.168.0.7:7396', 'network'],
  ['m', undefined, 'relay'],
  ['__direct__2', 'localhost:7400/clients/2', 'default'],
  ['__direct__2', '192.168.0.7:7396', 'network'],
])('%s is reached by %s: %s', (id, address, kind) => {
  expect(connectionKind({ id, address })).toBe(kind)
})

it.each([
  ['that works', [way('__direct__', false), way('@10.0.0.2:7396')], '@10.0.0.2:7396'],
  ['where the page looks by itself', [way('@127.0.0.1:7396'), way('__direct__')], '__direct__'],
  ['on this computer', [way('@10.0.0.2:7396'), way('@localhost:7396')], '@localhost:7396'],
  ['without the relay', [way('m'), way('@10.0.0.2:7396')], '@10.0.0.2:7396'],
  ['that works, be it the relay', [way('m'), way('@10.0.0.2:7396', false)], 'm'],
  ['that is clearly faster', [delayed('@10.0.0.2:7396', 90), delayed('@10.0.0.3:7396', 4)], '@10.0.0.3:7396'],
  [
    'that has always been, of two that are about as fast',
    [delayed('@10.0.0.2:7396', 15), delayed('@10.0.0.3:7396', 9)],
    '@10.0.0.2:7396',
  ],
  ['that the settings name first', [delayed('__direct__', 90), delayed('__direct__2', 4)], '__direct__'],
  ['whose speed is known', [way('@10.0.0.2:7396'), delayed('@10.0.0.3:7396', 900)], '@10.0.0.3:7396'],
  [
    'on this computer, even if it is slower',
    [delayed('@10.0.0.2:7396', 1), delayed('@localhost:7396', 90)],
    '@localhost:7396',
  ],
  ['that is best when none works', [way('m', false), way('__direct__', false)], '__direct__'],
])('of several ways the one is kept %s [4.13]', (_, ways, best) => {
  for (const order of [ways, ways.toReversed()]) {
    const hidden = hiddenConnections(order)
    expect(ways.filter(({ id }) => !hidden.includes(id)).map(({ id }) => id)).toEqual([best])
  }
  expect(ways.toSorted(compareConnections)[0]?.id).toBe(best)
})

it('the only way is kept', () => {
  expect(hiddenConnections([])).toEqual([])
  expect(hiddenConnections([way('@a.lan:7396', false)])).toEqual([])
})
