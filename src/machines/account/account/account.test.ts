import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import {
  keys,
  account,
  state,
  signedIn,
  over,
  down,
  refused,
  good,
  startAccount,
  startSignedIn,
} from '../../../../test/machines/account.ts'
import { accountForm } from '../../../folding/account/account-form.ts'
import { accountMachine } from './account.machine.ts'
import { isAccountLoading, isAccountUnreachable, selectAccount, selectAccountProblem } from './account.selectors.ts'

describe('the account', () => {
  it('is signed out without a stored session, and reports it', async () => {
    const { snapshot, received } = await startAccount()
    expect(snapshot().matches('signedOut')).toBe(true)
    expect(received).toEqual([{ type: 'account.noSession' }])
  })

  it('is signed in again from what this browser kept, which is no login', async () => {
    const { snapshot, received } = await startSignedIn()
    expect(snapshot().hasTag('signedIn')).toBe(true)
    expect(received).toEqual([{ type: 'account.changed', signedIn }])
  })

  it('reports a login', async () => {
    const { actor, received } = await startAccount()
    actor.send({ type: 'account.sessionStarted', signedIn })
    expect(received).toEqual([
      { type: 'account.noSession' },
      { type: 'account.changed', signedIn },
      { type: 'account.loggedIn', id: 'me' },
    ])
  })

  it('waits for a server that does not answer instead of signing out', async () => {
    const { snapshot, clock } = await startAccount({ restored: [down, { ok: true, value: signedIn }] })
    expect(isAccountLoading(snapshot())).toBe(false)
    expect(isAccountUnreachable(snapshot())).toBe(true)
    expect(snapshot().hasTag('signedIn')).toBe(false)
    clock.increment(5000)
    expect(isAccountUnreachable(snapshot())).toBe(true)
    await settled()
    expect(isAccountUnreachable(snapshot())).toBe(false)
    expect(snapshot().hasTag('signedIn')).toBe(true)
  })

  it.each([
    [down, /^The account server cannot be reached/],
    [
      { ok: false, fault: { kind: 'unreadable', message: 'The answer is not JSON.' } },
      /^The account server’s response cannot be read/,
    ],
    [
      { ok: false, fault: { kind: 'refused', status: 503, message: 'Closed for today.' } },
      /^The account server refused the request.*: Closed for today\./,
    ],
  ] as const)('gives the reason why it is missing though a session is stored: %o', async (answer, words) => {
    const { snapshot } = await startAccount({ restored: [answer] })
    expect(selectAccountProblem(snapshot())).toMatch(words)
  })

  it('shows that the server is slow, and keeps waiting', async () => {
    const { snapshot, clock } = await startAccount({ restored: [new Promise(() => undefined)] })
    expect(selectAccountProblem(snapshot())).toBeUndefined()
    clock.increment(8000)
    expect(selectAccountProblem(snapshot())).toMatch(/^The account server is slow to respond/)
    expect(isAccountLoading(snapshot())).toBe(true)
  })

  it.each(['restoring', 'unreachable'] as const)('can be left while it is %s', async where => {
    const { actor, snapshot, ended } = await startAccount({
      restored: [where === 'restoring' ? new Promise(() => undefined) : down],
    })
    expect(snapshot().matches(where)).toBe(true)
    actor.send({ type: 'account.signOut' })
    await settled()
    expect(ended).toEqual(['signedOut'])
    expect(snapshot().matches('signedOut')).toBe(true)
    expect(selectAccountProblem(snapshot())).toBeUndefined()
  })

  it('signs out when the server no longer knows the session, and reports it [4.20]', async () => {
    const { snapshot, received, ended } = await startAccount({ restored: [over] })
    expect(snapshot().matches('signedOut')).toBe(true)
    expect(received).toEqual([{ type: 'account.signedOut', reason: 'sessionEnded' }])
    expect(ended).toEqual(['sessionEnded'])
  })

  it('tells of a refreshed account, and keeps the old one when a refresh fails', async () => {
    const changed = { ...state, account: { ...account, user: 'Grace' } }
    const { actor, snapshot, received } = await startSignedIn({ fetched: [{ ok: true, value: changed }, down] })
    actor.send({ type: 'account.refresh' })
    await settled()
    expect(received.at(-1)).toEqual({ type: 'account.changed', signedIn: { ...changed, keys } })
    actor.send({ type: 'account.refresh' })
    await settled()
    expect(selectAccount(snapshot())).toEqual(changed.account)
    expect(received.at(-1)).toEqual({
      type: 'account.failed',
      failure: 'refresh',
      fault: { kind: 'unreachable', message: 'no answer in time' },
    })
  })

  it('is fetched every ten minutes, since nobody tells of machines that were renamed elsewhere; failures are not reported', async () => {
    const changed = { ...state, account: { ...account, user: 'Grace' } }
    const { snapshot, received, clock } = await startSignedIn({ fetched: [down, { ok: true, value: changed }, over] })
    const before = received.length
    clock.increment(599_999)
    expect(snapshot().matches({ signedIn: 'settled' })).toBe(true)
    clock.increment(1)
    expect(snapshot().matches({ signedIn: 'refreshing' })).toBe(true)
    await settled()
    expect(snapshot().matches({ signedIn: 'stale' })).toBe(true)
    expect(received.length).toEqual(before)
    clock.increment(60_000)
    await settled()
    expect(selectAccount(snapshot())).toEqual(changed.account)
    clock.increment(600_000)
    await settled()
    expect(received.at(-1)).toEqual({ type: 'account.signedOut', reason: 'sessionEnded' })
  })

  it('asks again after a refresh that failed, until there is an answer, and tells of one failure alone', async () => {
    const changed = { ...state, account: { ...account, user: 'Grace' } }
    const { actor, snapshot, received, clock } = await startSignedIn({
      fetched: [down, down, { ok: true, value: changed }],
    })
    actor.send({ type: 'account.refresh' })
    for (const times of [1, 2]) {
      await settled()
      expect(snapshot().matches({ signedIn: 'stale' }), `${times}`).toBe(true)
      clock.increment(times * 3000)
    }
    await settled()
    expect(snapshot().matches({ signedIn: 'settled' })).toBe(true)
    expect(selectAccount(snapshot())).toEqual(changed.account)
    expect(received.filter(({ type }) => type === 'account.failed')).toHaveLength(1)
  })

  it('is refreshed for news that is newer than what it has, in whole seconds as broadcasts are, and for no other', async () => {
    const { actor, snapshot, fetches } = await startSignedIn({ fetched: [{ ok: true, value: state }] })
    actor.send({ type: 'account.changedElsewhere', time: 9000 })
    expect(snapshot().matches({ signedIn: 'settled' })).toBe(true)
    actor.send({ type: 'account.changedElsewhere', time: 10_000 })
    await settled()
    expect(fetches).toEqual([])
  })

  it('links a client with its own token alone', async () => {
    const { actor, received } = await startSignedIn()
    actor.send({ type: 'account.linkClient', id: '__direct__', name: 'attic' })
    expect(received.at(-1)).toEqual({
      type: 'account.linkRequested',
      id: '__direct__',
      name: 'attic',
      isAsked: false,
      secrets: { token: 't' },
    })
    actor.send({ type: 'account.signOut' })
    const before = received.length
    actor.send({ type: 'account.linkClient', id: '__direct__', name: 'attic' })
    expect(received).toHaveLength(before)
  })

  it('has another token after it was renewed [7.16]', async () => {
    const renewed = { ...state, secrets: { passkey: 'p', token: 'new' } }
    const { actor, snapshot } = await startSignedIn({ fetched: [{ ok: true, value: renewed }] })
    actor.send({ type: 'account.renewToken' })
    expect(snapshot().hasTag('renewing')).toBe(true)
    await settled()
    expect(snapshot().context.signedIn?.secrets.token).toBe('new')
  })

  it('says why it has no other token, also where it is to be fetched meanwhile, and is fetched then', async () => {
    const changed = { ...state, account: { ...account, user: 'Grace' } }
    const { actor, snapshot, received } = await startSignedIn({
      renewed: refused,
      fetched: [{ ok: true, value: changed }],
    })
    actor.send({ type: 'account.renewToken' })
    actor.send({ type: 'account.refresh' })
    actor.send({ type: 'account.changedElsewhere', time: 1e15 })
    actor.send({ type: 'settings.outdated' })
    await settled()
    expect(received.slice(1)).toEqual([
      { type: 'account.failed', failure: 'token', fault: refused.fault },
      { type: 'account.changed', signedIn: { ...changed, keys } },
    ])
    expect(snapshot().matches({ signedIn: 'settled' })).toBe(true)
  })
})

describe('what is saved of the account', () => {
  const saved = accountForm(account, 'p')
  it('is broadcast to the clients where it concerns them, then fetched again [7.27]', async () => {
    const { actor, received, snapshot } = await startSignedIn()
    const value = { ...saved, user: 'Grace', config: { dark: false } }
    actor.send({ type: 'settings.saved', before: saved, value })
    expect(received.slice(1)).toEqual([
      { type: 'account.appearanceSaved', config: { dark: false } },
      { type: 'account.broadcastRequested', cmd: 'config', secrets: { config: { user: 'Grace' } } },
    ])
    expect(snapshot().matches({ signedIn: 'refreshing' })).toBe(true)
  })

  it('restarts the clients when the node changed, then follows', async () => {
    const { actor, received, clock, snapshot } = await startSignedIn()
    actor.send({ type: 'settings.saved', before: saved, value: { ...saved, node: 'node2.test' } })
    expect(received.at(-1)).toEqual({ type: 'account.broadcastRequested', cmd: 'restart', secrets: {} })
    expect(snapshot().matches({ signedIn: 'changingNode' })).toBe(true)
    clock.increment(1500)
    expect(snapshot().matches({ signedIn: 'refreshing' })).toBe(true)
  })

  it.each(['unreachable', 'unreadable'] as const)(
    'may have been saved though the answer was %s, so the account is asked for',
    async kind => {
      const changed = { ...state, account: { ...account, user: 'Grace' } }
      const { actor, received, snapshot } = await startSignedIn({ fetched: [{ ok: true, value: changed }] })
      actor.send({ type: 'settings.failed', failure: 'save', fault: { kind, message: '' } })
      await settled()
      expect(received.slice(1).map(({ type }) => type)).toEqual(['account.failed', 'account.changed'])
      expect(selectAccount(snapshot())).toEqual(changed.account)
    },
  )

  it('is shown before it is saved where it is the appearance', async () => {
    const { actor, received } = await startSignedIn()
    actor.send({ type: 'settings.previewed', config: { wide: true } })
    expect(received.at(-1)).toEqual({ type: 'account.appearancePreviewed', config: { wide: true } })
  })

  it('was not saved when the server refuses it', async () => {
    const { actor, snapshot } = await startSignedIn()
    actor.send({ type: 'settings.failed', failure: 'save', fault: refused.fault })
    expect(snapshot().matches({ signedIn: 'settled' })).toBe(true)
  })

  it('is explained when it failed, unless the session is over', async () => {
    const { actor, received, snapshot } = await startSignedIn()
    actor.send({ type: 'settings.failed', failure: 'save', fault: down.fault })
    expect(received.at(-1)).toEqual({ type: 'account.failed', failure: 'save', fault: down.fault })
    actor.send({ type: 'settings.failed', failure: 'save', fault: over.fault })
    expect(received.at(-1)).toEqual({ type: 'account.signedOut', reason: 'sessionEnded' })
    expect(snapshot().hasTag('signedIn')).toBe(false)
  })
})

describe('the paths of the account', () => {
  it('reach all its states, and it holds an account exactly while it is signed in', () => {
    const done = (id: string, output: unknown) => ({ type: `xstate.done.actor.${id}`, actorId: id, output })
    const crashed = (id: string) => ({ type: `xstate.error.actor.${id}`, actorId: id, error: new Error('crash') })
    const { ends, unreached } = walkShortestPaths(accountMachine, {
      events: [
        { type: 'account.sessionStarted', signedIn },
        ...(
          [
            'account.refresh',
            'account.signOut',
            'account.sessionEnded',
            'account.renewToken',
            'account.delete',
            'account.signedOutElsewhere',
            'settings.outdated',
          ] as const
        ).map(type => ({ type })),
        { type: 'account.signedInElsewhere', id: 'other' },
        { type: 'account.changedElsewhere', time: 11_000 },
        {
          type: 'settings.saved',
          before: accountForm(account, ''),
          value: accountForm({ ...account, node: 'node2.test' }, ''),
        },
        { type: 'settings.failed', failure: 'save', fault: over.fault },
        ...[undefined, { ok: true, value: signedIn }, over, down].map(output => done('0.account.restoring', output)),
        ...[{ ok: true, value: state }, over, down].map(output => done('0.account.signedIn.refreshing', output)),
        ...['renewing', 'deleting.asking'].flatMap(name =>
          [good, over, down, refused].map(output => done(`0.account.signedIn.${name}`, output)),
        ),
        done('0.account.signingOut', undefined),
        ...['refreshing', 'renewing', 'deleting.asking'].map(name => crashed(`0.account.signedIn.${name}`)),
        ...['restoring', 'signingOut'].map(name => crashed(`0.account.${name}`)),
      ],
      silence: [
        'notifyNoSession',
        'loadSettings',
        'notifyChanged',
        'notifyLoggedIn',
        'notifySignedOut',
        'notifyFailed',
        'notifyAppearancePreviewed',
        'notifyAppearanceSaved',
        'requestConfigBroadcast',
        'requestRestartBroadcast',
        'requestLink',
      ],
      context: context => [context.signedIn?.account.user, context.isOutdated],
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends)
      expect(snapshot.context.signedIn !== undefined, path).toBe(snapshot.hasTag('signedIn'))
  })

  it('is asked for one call at a time, however many say that it changed', async () => {
    const answer = { ok: true, value: state } as const
    const { actor, clock, fetches, snapshot } = await startSignedIn({
      fetched: Array.from({ length: 20 }, () => answer),
    })
    const begun = fetches.length
    for (let time = 0; time < 50; time++) actor.send({ type: 'account.refresh' })
    actor.send({ type: 'account.changedElsewhere', time: 1e15 })
    actor.send({ type: 'settings.outdated' })
    await settled()
    expect(begun - fetches.length).toBe(1)
    expect(snapshot().matches({ signedIn: 'throttled' })).toBe(true)
    for (let time = 0; time < 50; time++) actor.send({ type: 'account.refresh' })
    actor.send({ type: 'account.changedElsewhere', time: 1e15 })
    actor.send({ type: 'settings.outdated' })
    clock.increment(1000)
    await settled()
    expect(begun - fetches.length).toBe(2)
    expect(snapshot().matches({ signedIn: 'settled' })).toBe(true)
  })

  it('is asked for ever more seldom while it cannot be had, and never before the server allows', async () => {
    const busy = { ok: false, fault: { kind: 'refused', status: 503, message: 'Busy', retryAfter: 90_000 } } as const
    const { actor, clock, snapshot } = await startAccount({ restored: [down, down, busy, down] })
    const tries = async (ms: number) => {
      clock.increment(ms - 1)
      expect(snapshot().value).toBe('unreachable')
      clock.increment(1)
      expect(snapshot().matches('restoring')).toBe(true)
      await settled()
    }
    await tries(3000)
    await tries(6000)
    actor.send({ type: 'account.retry' })
    await tries(90_000)
    actor.send({ type: 'account.retry' })
    expect(snapshot().matches('restoring')).toBe(true)
  })

  it('is fetched at once when the page becomes visible while it is stale', async () => {
    const { actor, snapshot } = await startSignedIn({ fetched: [down] })
    actor.send({ type: 'account.refresh' })
    await settled()
    expect(snapshot().matches({ signedIn: 'stale' })).toBe(true)
    actor.send({ type: 'account.retry' })
    expect(snapshot().matches({ signedIn: 'refreshing' })).toBe(true)
  })
})
