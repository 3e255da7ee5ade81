import { describe, expect, it } from 'vitest'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { directClientsMachine } from './direct-clients.machine.ts'
import { selectAddError } from './direct-clients.selectors.ts'

function start() {
  const { actor, received } = startChild(directClientsMachine)
  actor.send({ type: 'directClients.open' })
  return { actor, received, snapshot: () => actor.getSnapshot() }
}

describe('the list of direct clients', () => {
  it('adds a client with its name, and empties the fields for the next', () => {
    const { actor, received, snapshot } = start()
    actor.send({ type: 'directClients.edit', address: 'nas' })
    actor.send({ type: 'directClients.edit', name: 'Attic' })
    actor.send({ type: 'directClients.add', addresses: [] })
    expect(received).toEqual([{ type: 'directClients.added', address: 'nas', name: 'Attic' }])
    expect(snapshot().context.address).toBe('')
    expect(snapshot().context.name).toBe('')
    expect(snapshot().hasTag('open')).toBe(true)
  })

  it('refuses what is no address or in the list already, until something is typed', () => {
    const { actor, received, snapshot } = start()
    const errorAfter = (address: string) => {
      actor.send({ type: 'directClients.edit', address })
      const before = selectAddError(snapshot())
      actor.send({ type: 'directClients.add', addresses: ['nas:7396'] })
      return [before, selectAddError(snapshot())]
    }
    expect(errorAfter('http://nas/')).toEqual([undefined, 'Enter a host name or IP address, optionally with :port'])
    expect(errorAfter(' NAS ')).toEqual([undefined, 'The list has a client at this address.'])
    expect(received).toEqual([])
  })

  it('shows the import and the list again, and forgets what was typed when it is closed', () => {
    const { actor, snapshot } = start()
    actor.send({ type: 'directClients.edit', address: 'nas' })
    actor.send({ type: 'directClients.showImport' })
    expect(snapshot().hasTag('importing')).toBe(true)
    actor.send({ type: 'directClients.showList' })
    expect(snapshot().hasTag('importing')).toBe(false)
    expect(snapshot().context.address).toBe('nas')
    actor.send({ type: 'directClients.close' })
    expect(snapshot().hasTag('open')).toBe(false)
    actor.send({ type: 'directClients.open' })
    expect(snapshot().context.address).toBe('')
  })

  it('reaches all its states', () => {
    const { unreached } = walkShortestPaths(directClientsMachine, {
      events: [
        { type: 'directClients.open' },
        { type: 'directClients.edit', address: 'nas' },
        { type: 'directClients.edit', address: '' },
        { type: 'directClients.add', addresses: [] },
        { type: 'directClients.add', addresses: ['nas:7396'] },
        { type: 'directClients.showImport' },
        { type: 'directClients.showList' },
        { type: 'directClients.close' },
      ],
      silence: ['notifyAdded'],
      context: ({ address }) => address,
    })
    expect(unreached).toEqual([])
  })
})
