import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { START, direct, dataWith, startClient } from '../../../../test/machines/client.ts'
import type { ClientData } from '../../../protocol/client/client-data.ts'
import { selectDraft } from '../../shared/draft/draft.selectors.ts'
import { selectChangesElsewhere, selectClientDraft } from '../client-settings/client-settings.selectors.ts'
import { selectClientSettings, selectIgnored } from './client.selectors.ts'

describe('settings', () => {
  const open = (data?: ClientData) => {
    const client = startClient(direct)
    client.open(data)
    client.actor.send({ type: 'client.openSettings' })
    const settings = selectClientSettings(client.actor.getSnapshot())
    if (settings === undefined) throw new Error('The settings were opened.')
    return { ...client, draft: () => selectClientDraft(settings.getSnapshot()).getSnapshot() }
  }

  it('live as long as their page, and follow what the client reports', () => {
    const client = open(dataWith({ cpus: 4 }))
    client.change(['groups', '', 'config', 'cpus', 6 as never])
    expect(selectDraft(client.draft())?.groups?.['']?.cpus).toBe(6)
    client.actor.send({ type: 'client.closeSettings' })
    expect(selectClientSettings(client.actor.getSnapshot())).toBeUndefined()
    expect(client.actor.system.get('client:__direct__:draft')).toBeUndefined()
    client.actor.send({ type: 'client.openSettings' })
    expect(selectClientSettings(client.actor.getSnapshot())).toBeDefined()
  })

  it('are not shown, nor compared with, as they were on an earlier visit', () => {
    const client = startClient(direct)
    client.actor.send({ type: 'client.restored', data: dataWith({ cpus: 4 }), at: START - 5000 })
    client.actor.send({ type: 'client.openSettings' })
    const settings = selectClientSettings(client.actor.getSnapshot())
    if (settings === undefined) throw new Error('The settings were opened.')
    const draft = () => selectDraft(selectClientDraft(settings.getSnapshot()).getSnapshot())
    expect(draft()).toEqual({})
    client.open(dataWith({ cpus: 6 }))
    expect(draft()?.groups?.['']?.cpus).toBe(6)
    expect(selectChangesElsewhere(settings.getSnapshot())).toEqual([])
    client.close()
    expect(draft()?.groups?.['']?.cpus).toBe(6)
    client.clock.increment(1000)
    client.open(dataWith({ cpus: 7 }))
    expect(selectChangesElsewhere(settings.getSnapshot())).toEqual([['groups', '', 'cpus']])
  })

  it('are sent with every group that the client has in that moment', async () => {
    const client = open(dataWith({ cpus: 4 }))
    client.actor.send({ type: 'client.configure', config: { groups: { '': { cpus: 1 } } } })
    client.actor.send({ type: 'client.configure', config: { groups: { '': { cpus: 2 } } }, secrets: { passkey: 'ab' } })
    await settled()
    // The second one waits for its second, and a group is made elsewhere meanwhile.
    client.change(['groups', 'my-gpu', { config: {} } as never])
    client.clock.increment(800)
    await settled()
    expect(client.sent()).toEqual([
      { cmd: 'config', config: { groups: { '': { cpus: 1 } } }, second: 0 },
      { cmd: 'config', config: { groups: { '': { cpus: 2 }, 'my-gpu': {} } }, secrets: { passkey: 'ab' }, second: 1 },
    ])
  })

  it('are notified of ignored commands', async () => {
    const client = open()
    client.actor.send({ type: 'client.configure', config: { user: 'Ada' } })
    await settled()
    client.clock.increment(10_000)
    expect(selectIgnored(client.actor.getSnapshot())).toEqual([])
  })

  it('that were not sent when the connection was lost are not sent later, and fail', async () => {
    const client = open()
    client.actor.send({ type: 'client.configure', config: { user: 'Ada' } })
    client.actor.send({ type: 'client.configure', config: { user: 'Eve' } })
    await settled()
    client.actor.send({ type: 'client.closeSettings' })
    client.close()
    expect(selectIgnored(client.actor.getSnapshot()).map(({ reason }) => reason)).toEqual([
      'The connection was lost before it could be sent.',
    ])
  })

  it('that waited for their second when the connection was lost are reported as ignored, and what streams is not', async () => {
    const client = open()
    client.actor.send({ type: 'client.setState', state: 'fold' })
    client.actor.send({ type: 'client.setState', state: 'pause' })
    client.actor.send({ type: 'client.subscribeLog' })
    client.close()
    await settled()
    const lost = 'The connection was lost before it could be sent.'
    expect(selectIgnored(client.actor.getSnapshot()).map(({ command, reason }) => [command, reason])).toEqual([
      [{ cmd: 'state', state: 'fold' }, lost],
      [{ cmd: 'state', state: 'pause' }, lost],
    ])
  })

  it('are not sent when a group would be deleted whose name is never read', async () => {
    const client = open()
    client.actor.send({
      type: 'link.reported',
      at: START,
      facts: [{ type: 'fault.found', fault: { kind: 'unsafe-key', key: '__proto__' } }],
    })
    client.actor.send({ type: 'client.closeSettings' })
    client.actor.send({ type: 'client.configure', config: { groups: { '': { cpus: 1 } } } })
    await settled()
    expect(client.sent()).toEqual([])
    expect(selectIgnored(client.actor.getSnapshot()).length).toBe(1)
  })
})
