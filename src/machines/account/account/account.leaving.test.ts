import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { keys, signedIn, over, down, startAccount, startSignedIn } from '../../../../test/machines/account.ts'
import type { SignedIn } from './account.events.ts'
import { selectAccount, selectSettings } from './account.selectors.ts'

describe('leaving', () => {
  it('clears everything when the user signs out [4.20, 12.4]', async () => {
    const { actor, snapshot, received, ended } = await startSignedIn()
    expect(selectSettings(snapshot())).toBeDefined()
    actor.send({ type: 'account.signOut' })
    expect(snapshot().context).toEqual({
      signedIn: undefined,
      signOutReason: 'signedOut',
      isStale: false,
      settingsFailures: 0,
      isOutdated: false,
      failures: 0,
      requestedWait: 0,
    })
    expect(selectSettings(snapshot())).toBeUndefined()
    expect(received.at(-1)).toEqual({ type: 'account.signedOut', reason: 'signedOut' })
    await settled()
    expect({ ended, signedOut: snapshot().matches('signedOut') }).toEqual({ ended: ['signedOut'], signedOut: true })
  })

  it('follows another tab that ended the session', async () => {
    const { actor, received, ended } = await startSignedIn()
    actor.send({ type: 'account.signedOutElsewhere' })
    await settled()
    expect(received.at(-1)).toEqual({ type: 'account.signedOut', reason: 'elsewhere' })
    expect(ended).toEqual(['elsewhere'])
  })

  it('happens on a 401 in the middle of a session', async () => {
    const { actor, received, snapshot } = await startSignedIn({ fetched: [over] })
    actor.send({ type: 'account.refresh' })
    await settled()
    expect(received.at(-1)).toEqual({ type: 'account.signedOut', reason: 'sessionEnded' })
    expect(selectAccount(snapshot())).toBeUndefined()
  })

  it('follows a deletion after the broadcast to the clients [7.14, 7.27]', async () => {
    const { actor, received, clock, ended, snapshot } = await startSignedIn()
    actor.send({ type: 'account.delete' })
    await settled()
    expect(received.at(-1)).toEqual({ type: 'account.broadcastRequested', cmd: 'restart', secrets: {} })
    expect(snapshot().hasTag('deleting')).toBe(true)
    actor.send({ type: 'account.refresh' })
    clock.increment(1500)
    await settled()
    expect(received.at(-1)).toEqual({ type: 'account.signedOut', reason: 'deleted' })
    expect(ended).toEqual(['deleted'])
    expect(snapshot().matches('signedOut')).toBe(true)
  })

  it('does not follow a deletion that failed', async () => {
    const { actor, received, snapshot } = await startSignedIn({ deleted: down })
    actor.send({ type: 'account.delete' })
    await settled()
    expect(received.at(-1)).toEqual({ type: 'account.failed', failure: 'deletion', fault: down.fault })
    expect(snapshot().hasTag('signedIn')).toBe(true)
  })
})

describe('a login over another one', () => {
  it('leaves the first account before it enters the second', async () => {
    const other: SignedIn = { ...signedIn, keys: { ...keys, id: 'other' } }
    const { actor, received, snapshot } = await startSignedIn()
    const settings = selectSettings(snapshot())
    actor.send({ type: 'account.sessionStarted', signedIn: other })
    expect(received.slice(1)).toEqual([
      { type: 'account.signedOut', reason: 'elsewhere' },
      { type: 'account.changed', signedIn: other },
      { type: 'account.loggedIn', id: 'other' },
    ])
    expect(selectSettings(snapshot())).not.toBe(settings)
  })
})

describe('another tab', () => {
  it('that signs in signs this one in too', async () => {
    const { actor, snapshot } = await startAccount({ restored: [undefined, { ok: true, value: signedIn }] })
    actor.send({ type: 'account.signedInElsewhere', id: 'me' })
    await settled()
    expect(snapshot().hasTag('signedIn')).toBe(true)
  })

  it('that signs in as another user takes this one along; as the same user it changes nothing', async () => {
    const other: SignedIn = { ...signedIn, keys: { ...keys, id: 'other' } }
    const { actor, snapshot } = await startAccount({
      restored: [
        { ok: true, value: signedIn },
        { ok: true, value: other },
      ],
    })
    actor.send({ type: 'account.signedInElsewhere', id: 'me' })
    expect(snapshot().hasTag('signedIn')).toBe(true)
    actor.send({ type: 'account.signedInElsewhere', id: 'other' })
    await settled()
    expect(snapshot().context.signedIn?.keys.id).toBe('other')
  })
})
