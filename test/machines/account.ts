import { fromPromise } from 'xstate'
import { settled, startChild } from '../child.ts'
import type { ApiResult } from '../../src/protocol/api/api-fault.ts'
import type { AccountKeys } from '../../src/protocol/crypto/keys.ts'
import type {
  AccountState,
  SignOutReason,
  PublicAccount,
  SignedIn,
} from '../../src/machines/account/account/account.events.ts'
import { accountMachine } from '../../src/machines/account/account/account.machine.ts'

export const keys: AccountKeys = { publicKey: 'A', id: 'me', sign: {} as CryptoKey, decrypt: {} as CryptoKey }
export const account: PublicAccount = {
  created: '2026-01-01T00:00:00Z',
  user: 'Ada',
  node: 'node1.test',
  config: { dark: true },
}
export const state: AccountState = { account, secrets: { passkey: 'p', token: 't' }, at: 10_500 }
export const signedIn: SignedIn = { ...state, keys }
export const over: ApiResult<never> & { readonly ok: false } = {
  ok: false,
  fault: { kind: 'refused', status: 401, message: 'Who?' },
}
export const down: ApiResult<never> & { readonly ok: false } = {
  ok: false,
  fault: { kind: 'unreachable', message: 'no answer in time' },
}
export const refused: ApiResult<never> & { readonly ok: false } = {
  ok: false,
  fault: { kind: 'refused', status: 400, message: 'No' },
}
export const good: ApiResult<unknown> = { ok: true, value: null }

type Answers = {
  readonly restored?: readonly (ApiResult<SignedIn> | undefined | Promise<never>)[]
  readonly fetched?: readonly ApiResult<AccountState>[]
  readonly renewed?: ApiResult<unknown>
  readonly deleted?: ApiResult<unknown>
}

export async function startAccount({
  restored = [undefined],
  fetched = [],
  renewed = good,
  deleted = good,
}: Answers = {}) {
  const restores = [...restored]
  const fetches = [...fetched]
  const ended: SignOutReason[] = []
  const machine = accountMachine.provide({
    actors: {
      restoreSession: fromPromise(() => Promise.resolve(restores.shift())),
      fetchAccount: fromPromise(() => Promise.resolve(fetches.shift() ?? down)),
      renewToken: fromPromise(() => Promise.resolve(renewed)),
      deleteAccount: fromPromise(() => Promise.resolve(deleted)),
      endSession: fromPromise<undefined, { readonly reason: SignOutReason }>(({ input }) => {
        ended.push(input.reason)
        return Promise.resolve(undefined)
      }),
    },
  })
  const { actor, clock, received } = startChild(machine)
  await settled()
  return { actor, clock, received, ended, fetches, snapshot: () => actor.getSnapshot() }
}

export function startSignedIn(answers: Answers = {}) {
  return startAccount({ restored: [{ ok: true, value: signedIn }], ...answers })
}
