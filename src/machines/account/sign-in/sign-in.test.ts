import { describe, expect, it } from 'vitest'
import { fromCallback } from 'xstate'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { AccountKeys } from '../../../protocol/keys.ts'
import type { DeskCommand, SignInEvent } from './sign-in.events.ts'
import { signInMachine } from './sign-in.machine.ts'
import { isSignInBusy, isSignInOpen, selectSignInErrors, selectSignInFailure, selectSignInStep } from './sign-in.selectors.ts'

const keys: AccountKeys = { publicKey: 'A', id: 'me', sign: {} as CryptoKey, decrypt: {} as CryptoKey }
const signedIn = { account: { id: 'me' }, keys }
const good: SignInEvent = { type: 'signIn.submit', email: 'a@example.org', secrets: { passphrase: 'long enough to be one' } }

const startSignIn = () => {
  const asked: DeskCommand[] = []
  const machine = signInMachine.provide({
    actors: { signInDesk: fromCallback<DeskCommand, undefined>(({ receive }) => receive(command => asked.push(command))) },
  })
  const { actor, heard } = startChild(machine)
  actor.send({ type: 'signIn.open' })
  return { actor, heard, asked, snapshot: () => actor.getSnapshot() }
}

describe('the login dialog', () => {
  it('says what is wrong only after a submit, and asks the desk only when nothing is', () => {
    const { actor, asked, snapshot } = startSignIn()
    expect(selectSignInErrors(snapshot())).toEqual({})
    actor.send({ type: 'signIn.submit', email: '', secrets: { passphrase: 'short' } })
    expect(selectSignInErrors(snapshot())).toEqual({
      email: 'A valid email address is required',
      passphrase: 'Your passphrase must be at least 10 characters long',
    })
    expect(asked).toEqual([])
    actor.send(good)
    expect(selectSignInErrors(snapshot())).toEqual({})
    expect(asked).toEqual([{ type: 'desk.signIn', email: 'a@example.org', secrets: { passphrase: 'long enough to be one' } }])
  })

  it('keeps the passphrase nowhere', () => {
    const { actor, snapshot } = startSignIn()
    actor.send(good)
    expect(JSON.stringify(actor.getPersistedSnapshot())).not.toContain('long enough')
    actor.send({ type: 'signIn.failed', fault: { kind: 'locked' } })
    expect(JSON.stringify(snapshot().context)).not.toContain('long enough')
  })

  it('says what it does, then hands over who is signed in and closes', () => {
    const { actor, heard, snapshot } = startSignIn()
    actor.send(good)
    actor.send({ type: 'signIn.reached', step: 'asking' })
    expect([isSignInBusy(snapshot()), selectSignInStep(snapshot())]).toEqual([true, 'Asking the account server…'])
    actor.send({ type: 'signIn.succeeded', signedIn })
    expect(heard).toEqual([{ type: 'account.entered', signedIn }])
    expect(isSignInOpen(snapshot())).toBe(false)
  })

  it.each([
    [{ kind: 'refused', status: 409, message: 'x' }, 'Account not active', 'Please verify your email address to activate your account.'],
    [{ kind: 'refused', status: 401, message: 'x' }, 'Login failed', 'The e-mail address or the passphrase is wrong.'],
    [{ kind: 'refused', status: 500, message: 'Out of order' }, 'Login failed', 'Out of order'],
    [{ kind: 'unreachable', message: 'no answer in time' }, 'Login failed', 'API error: no answer in time. Check the connection and try again.'],
    [{ kind: 'locked' }, 'Login failed', 'The account’s key could not be unlocked with this passphrase.'],
  ] as const)('stays open after a failure and says why (%o)', (fault, title, text) => {
    const { actor, snapshot } = startSignIn()
    actor.send(good)
    actor.send({ type: 'signIn.failed', fault })
    expect(isSignInOpen(snapshot())).toBe(true)
    expect(selectSignInFailure(snapshot())).toEqual({ title, text })
  })

  it('stops the work when it is cancelled, and forgets an answer that comes too late', () => {
    const { actor, asked, heard, snapshot } = startSignIn()
    actor.send(good)
    actor.send({ type: 'signIn.cancel' })
    actor.send({ type: 'signIn.succeeded', signedIn })
    expect(asked.at(-1)).toEqual({ type: 'desk.stop' })
    expect(heard).toEqual([])
    expect([isSignInOpen(snapshot()), isSignInBusy(snapshot())]).toEqual([true, false])
  })

  it('reaches all its states, and is busy only after a good submit', () => {
    const { ends, unreached } = walkShortestPaths(signInMachine, {
      events: [
        { type: 'signIn.open' },
        { type: 'signIn.cancel' },
        good,
        { type: 'signIn.submit', email: '', secrets: { passphrase: '' } },
        { type: 'signIn.failed', fault: { kind: 'locked' } },
        { type: 'signIn.succeeded', signedIn },
      ],
      silence: ['tellParent'],
      context: ({ errors, failure }) => [errors, failure],
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends)
      if (isSignInBusy(snapshot)) expect(selectSignInErrors(snapshot), path).toEqual({})
  })
})
