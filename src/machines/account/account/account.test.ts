import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { ApiResult } from '../../../protocol/api-fault.ts'
import type { Account } from '../../../protocol/api.ts'
import type { AccountKeys } from '../../../protocol/keys.ts'
import type { SignedIn } from './account.events.ts'
import { accountMachine } from './account.machine.ts'
import { isAccountLoading, isSignedIn, selectAccount } from './account.selectors.ts'

const keys: AccountKeys = { publicKey: 'A', id: 'me', sign: {} as CryptoKey, decrypt: {} as CryptoKey }
const account: Account = { created: '2026-01-01T00:00:00Z', user: 'Ada' }
const signedIn: SignedIn = { account, keys }
const over: ApiResult<never> = { ok: false, fault: { kind: 'refused', status: 401, message: 'Who?' } }
const down: ApiResult<never> = { ok: false, fault: { kind: 'unreachable', message: 'no answer in time' } }

type Answers = {
  readonly restored?: readonly (ApiResult<SignedIn> | undefined)[]
  readonly fetched?: readonly ApiResult<Account>[]
}

const startAccount = async ({ restored = [undefined], fetched = [] }: Answers = {}) => {
  const restores = [...restored]
  const fetches = [...fetched]
  let ended = 0
  const machine = accountMachine.provide({
    actors: {
      restoreSession: fromPromise(() => Promise.resolve(restores.shift())),
      fetchAccount: fromPromise(() => Promise.resolve(fetches.shift() ?? down)),
      endSession: fromPromise(() => {
        ended += 1
        return Promise.resolve(undefined)
      }),
    },
  })
  const { actor, clock, heard } = startChild(machine)
  await settled()
  return { actor, clock, heard, ended: () => ended, snapshot: () => actor.getSnapshot() }
}

describe('the account', () => {
  it('is signed out when this browser kept nothing', async () => {
    const { snapshot, heard } = await startAccount()
    expect(snapshot().matches('signedOut')).toBe(true)
    expect(heard).toEqual([])
  })

  it('is signed in again from what this browser kept', async () => {
    const { snapshot, heard } = await startAccount({ restored: [{ ok: true, value: signedIn }] })
    expect(isSignedIn(snapshot())).toBe(true)
    expect(heard).toEqual([{ type: 'account.changed', signedIn }])
  })

  it('waits for a server that does not answer, rather than forgetting who was signed in', async () => {
    const { snapshot, clock } = await startAccount({ restored: [down, { ok: true, value: signedIn }] })
    expect([isAccountLoading(snapshot()), isSignedIn(snapshot())]).toEqual([true, false])
    clock.increment(5000)
    await settled()
    expect(isSignedIn(snapshot())).toBe(true)
  })

  it('forgets a session that the server no longer knows, and says so', async () => {
    const { snapshot, heard, ended } = await startAccount({ restored: [over] })
    expect(snapshot().matches('signedOut')).toBe(true)
    expect(heard).toEqual([{ type: 'account.left', reason: 'sessionEnded' }])
    expect(ended()).toBe(1)
  })

  it('tells of a refreshed account, and keeps the old one when a refresh fails', async () => {
    const changed = { ...account, user: 'Grace' }
    const { actor, snapshot, heard } = await startAccount({
      restored: [{ ok: true, value: signedIn }],
      fetched: [{ ok: true, value: changed }, down],
    })
    actor.send({ type: 'account.refresh' })
    await settled()
    expect(heard.at(-1)).toEqual({ type: 'account.changed', signedIn: { account: changed, keys } })
    actor.send({ type: 'account.refresh' })
    await settled()
    expect(selectAccount(snapshot())).toEqual(changed)
    expect(heard.at(-1)).toEqual({
      type: 'account.failed',
      operation: 'Refreshing the account',
      fault: { kind: 'unreachable', message: 'no answer in time' },
    })
  })

  it('leaves nothing behind when the person signs out', async () => {
    const { actor, snapshot, heard, ended } = await startAccount({ restored: [{ ok: true, value: signedIn }] })
    actor.send({ type: 'account.signOut' })
    expect(snapshot().context).toEqual({ signedIn: undefined })
    expect(heard.at(-1)).toEqual({ type: 'account.left', reason: 'signedOut' })
    await settled()
    expect(ended()).toBe(1)
    expect(snapshot().matches('signedOut')).toBe(true)
  })

  it('leaves on a 401 in the middle of a session', async () => {
    const { actor, heard, snapshot } = await startAccount({ restored: [{ ok: true, value: signedIn }], fetched: [over] })
    actor.send({ type: 'account.refresh' })
    await settled()
    expect(heard.at(-1)).toEqual({ type: 'account.left', reason: 'sessionEnded' })
    expect(selectAccount(snapshot())).toBeUndefined()
  })

  it('reaches all its states, and holds an account exactly while it is signed in', () => {
    const done = (id: string, output: unknown) => ({ type: `xstate.done.actor.${id}`, actorId: id, output })
    const { ends, unreached } = walkShortestPaths(accountMachine, {
      events: [
        { type: 'account.entered', signedIn },
        { type: 'account.refresh' },
        { type: 'account.signOut' },
        { type: 'account.sessionEnded' },
        ...[undefined, { ok: true, value: signedIn }, over, down].map(output => done('0.account.restoring', output)),
        ...[{ ok: true, value: account }, over, down].map(output => done('0.account.signedIn.refreshing', output)),
        done('0.account.leaving', undefined),
      ],
      silence: ['tellChange', 'tellLeaving', 'tellFailure'],
      context: context => context.signedIn?.account.user,
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends) expect(snapshot.context.signedIn !== undefined, path).toBe(isSignedIn(snapshot))
  })
})
