import { describe, expect, it } from 'vitest'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { connectMachine } from './connect.machine.ts'
import { selectConnectError } from './connect.selectors.ts'

function startConnect() {
  const { actor, received } = startChild(connectMachine)
  return { actor, received, snapshot: () => actor.getSnapshot() }
}

describe('the connect dialog', () => {
  it('connects to nothing before the person agreed', () => {
    const { actor, received, snapshot } = startConnect()
    actor.send({ type: 'connect.ask', address: 'node2:7396', isForeign: true })
    expect(snapshot().hasTag('open')).toBe(true)
    expect(snapshot().context.address).toBe('node2:7396')
    expect(snapshot().context.isForeign).toBe(true)
    expect(received).toEqual([])
    actor.send({ type: 'connect.submit' })
    expect(received).toEqual([{ type: 'connect.agreed', address: 'node2:7396' }])
    expect(snapshot().hasTag('open')).toBe(false)
  })

  it('shows errors only after a submit, and stays open until the address is one', () => {
    const { actor, received, snapshot } = startConnect()
    actor.send({ type: 'connect.ask' })
    actor.send({ type: 'connect.edit', address: 'http://node2/' })
    expect(selectConnectError(snapshot())).toBeUndefined()
    actor.send({ type: 'connect.submit' })
    expect(selectConnectError(snapshot())).toBe('Enter a host name or IP address, optionally with :port')
    actor.send({ type: 'connect.edit', address: ' node2 ' })
    expect(selectConnectError(snapshot())).toBeUndefined()
    actor.send({ type: 'connect.submit' })
    expect(received).toEqual([{ type: 'connect.agreed', address: 'node2' }])
  })

  it('reaches all its states', () => {
    const { unreached } = walkShortestPaths(connectMachine, {
      events: [
        { type: 'connect.ask' },
        { type: 'connect.edit', address: 'node2' },
        { type: 'connect.edit', address: '' },
        { type: 'connect.submit' },
        { type: 'connect.cancel' },
      ],
      silence: ['notifyParent'],
      context: ({ address }) => address,
    })
    expect(unreached).toEqual([])
  })
})
