import { describe, expect, it } from 'vitest'
import { loadFaultTexts } from '../../../folding/shared/load-fault.ts'
import { fromCallback } from 'xstate'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { AccountKeys } from '../../../protocol/crypto/keys.ts'
import type { SignedIn } from '../account/account.events.ts'
import type { SignInTaskCommand, SignInEvent, SignInForm, SignInMode } from './sign-in.events.ts'
import { signInMachine } from './sign-in.machine.ts'
import { selectSignInFailure, selectSignInStep } from './sign-in.selectors.ts'

const keys: AccountKeys = { publicKey: 'A', id: 'me', sign: {} as CryptoKey, decrypt: {} as CryptoKey }
const signedIn: SignedIn = { account: { id: 'me' }, keys, secrets: { passkey: '', token: '' }, at: 0 }
const secrets = { passphrase: 'long enough to be one', passphraseAgain: 'long enough to be one', passkey: '' }
const form: SignInForm = { email: 'a@example.org', user: 'Ada', team: '', secrets }
const good: SignInEvent = { type: 'signIn.submit', ...form }
const empty: SignInEvent = {
  type: 'signIn.submit',
  email: '',
  user: '',
  team: '',
  secrets: { passphrase: 'short', passphraseAgain: '', passkey: '' },
}
const TOO_SHORT = 'Your passphrase must be at least 10 characters long'

function startSignIn(mode: SignInMode = 'login') {
  const asked: SignInTaskCommand[] = []
  const machine = signInMachine.provide({
    actors: {
      signInTasks: fromCallback<SignInTaskCommand, undefined>(({ receive }) => receive(command => asked.push(command))),
    },
  })
  const { actor, received } = startChild(machine, { providers: [{ id: 'acme', name: 'Acme' }] })
  actor.send({ type: 'signIn.open', mode })
  return { actor, received, asked, snapshot: () => actor.getSnapshot() }
}

describe('the login dialog', () => {
  it('shows errors only after a submit, and starts the task only without errors [5.7]', () => {
    const { actor, asked, snapshot } = startSignIn()
    expect(snapshot().context.errors).toEqual({})
    actor.send(empty)
    expect(snapshot().context.errors).toEqual({
      email: 'A valid email address is required',
      passphrase: TOO_SHORT,
    })
    expect(asked).toEqual([])
    actor.send(good)
    expect(snapshot().context.errors).toEqual({})
    expect(asked).toEqual([{ type: 'task.submit', mode: 'login', ...form }])
  })

  it.each([
    ['reset', empty, { email: 'A valid email address is required' }],
    ['reset', { ...good, secrets: { passphrase: '', passphraseAgain: '', passkey: '' } }, {}],
    [
      'register',
      {
        ...good,
        email: 'nobody',
        user: 'A',
        team: 'x',
        secrets: { ...secrets, passphraseAgain: 'another one it is', passkey: 'abc' },
      },
      {
        email: 'Invalid email address',
        passphraseAgain: 'Passphrases do not match',
        user: 'User name must be empty or between 2 and 100 characters',
        team: 'Invalid team number',
        passkey: 'Invalid passkey',
      },
    ],
    ['register', { ...good, user: '' }, {}],
    ['unlock', { ...empty, email: '' }, { passphrase: TOO_SHORT }],
    ['create', { ...good, user: '' }, { user: 'A user name between 2 and 100 characters is required' }],
    [
      'create',
      { ...good, secrets: { ...secrets, passphraseAgain: '' } },
      { passphraseAgain: 'Passphrases do not match' },
    ],
  ] as const)('has the rules of its mode: %s', (mode, submitted, errors) => {
    const { actor, snapshot } = startSignIn(mode)
    actor.send(submitted)
    expect(snapshot().context.errors).toEqual(errors)
    expect(snapshot().hasTag('busy')).toEqual(Object.keys(errors).length === 0)
  })

  it('shows no errors after a change of mode', () => {
    const { actor, snapshot } = startSignIn()
    actor.send(empty)
    actor.send({ type: 'signIn.setMode', mode: 'register' })
    expect(snapshot().context.mode).toBe('register')
    expect(snapshot().context.errors).toEqual({})
  })

  it('stores no passphrases, and emits a generated one', () => {
    const { actor, asked, snapshot } = startSignIn('register')
    const made: string[] = []
    actor.on('passphrase.generated', event => made.push(event.secrets.passphrase))
    actor.send({ type: 'signIn.generate' })
    expect(asked).toEqual([{ type: 'task.generate' }])
    actor.send({ type: 'passphrase.generated', secrets: { passphrase: 'four random words here' } })
    actor.send(good)
    actor.send({ type: 'signIn.failed', fault: { kind: 'locked' } })
    expect(made).toEqual(['four random words here'])
    const persisted = JSON.stringify([actor.getPersistedSnapshot(), snapshot().context])
    expect(['four random', 'long enough'].filter(secret => persisted.includes(secret))).toEqual([])
  })

  it('shows its progress, then reports the session and closes', () => {
    const { actor, received, snapshot } = startSignIn()
    actor.send(good)
    actor.send({ type: 'signIn.reached', step: 'asking' })
    expect(snapshot().hasTag('busy')).toBe(true)
    expect(selectSignInStep(snapshot())).toBe('Contacting the account server…')
    actor.send({ type: 'signIn.succeeded', signedIn })
    expect(received).toEqual([{ type: 'account.sessionStarted', signedIn }])
    expect(snapshot().hasTag('open')).toBe(false)
  })

  it.each([
    ['register', { type: 'signIn.registered', email: 'a@example.org' }],
    ['reset', { type: 'signIn.resetRequested', email: 'a@example.org' }],
  ] as const)('closes when what it was for is under way: %s', (mode, fact) => {
    const { actor, received, snapshot } = startSignIn(mode)
    actor.send(good)
    actor.send(fact)
    expect({ open: snapshot().hasTag('open'), received }).toEqual({ open: false, received: [fact] })
  })

  it.each([
    [
      'login',
      { kind: 'refused', status: 409, message: 'x' },
      'Account not active',
      'Please verify your email address to activate your account.',
    ],
    [
      'login',
      { kind: 'refused', status: 401, message: 'x' },
      'Login failed',
      'The email address or passphrase is wrong.',
    ],
    ['login', { kind: 'refused', status: 500, message: 'Out of order' }, 'Login failed', 'Out of order'],
    [
      'login',
      { kind: 'unreachable', message: 'no answer in time' },
      'Login failed',
      'API error: no answer in time. Check the connection and try again.',
    ],
    [
      'login',
      { kind: 'unreadable', message: 'x' },
      'Login failed',
      'The account server’s response cannot be read. Try again later.',
    ],
    ['login', { kind: 'locked' }, 'Login failed', 'The account’s key could not be unlocked with this passphrase.'],
    [
      'login',
      { kind: 'mismatched' },
      'Login failed',
      'The account server sent a public key that does not belong to your private key. You were not logged in.',
    ],
    [
      'register',
      { kind: 'refused', status: 409, message: 'x' },
      'Account exists',
      'Please login or request a password reset via the login dialog.',
    ],
    ['register', { kind: 'refused', status: 400, message: 'Invalid team' }, 'Registration failed', 'Invalid team'],
    [
      'reset',
      { kind: 'refused', status: 404, message: 'x' },
      'Reset request failed',
      'No account uses this email address.',
    ],
    ['register', { kind: 'notLoaded', fault: 'serverAway' }, 'Not available right now', loadFaultTexts.serverAway],
    ['unlock', { kind: 'refused', status: 401, message: 'x' }, 'Login failed', 'The passphrase is wrong.'],
    ['create', { kind: 'refused', status: 409, message: 'No' }, 'Creating the account failed', 'No'],
  ] as const)('stays open after a failure and says why (%s, %o)', (mode, fault, title, text) => {
    const { actor, snapshot } = startSignIn(mode)
    actor.send(good)
    actor.send({ type: 'signIn.failed', fault })
    expect(snapshot().hasTag('open')).toBe(true)
    expect(selectSignInFailure(snapshot())).toEqual({ title, text })
  })

  it('shows why no passphrase could be generated', () => {
    const { actor, snapshot } = startSignIn('register')
    actor.send({ type: 'signIn.generate' })
    actor.send({ type: 'passphrase.generationFailed', fault: 'newVersion' })
    expect(selectSignInFailure(snapshot())?.text).toBe(loadFaultTexts.newVersion)
  })

  it('stops the task when it is canceled, and ignores a late result', () => {
    const { actor, asked, received, snapshot } = startSignIn()
    actor.send(good)
    actor.send({ type: 'signIn.cancel' })
    actor.send({ type: 'signIn.succeeded', signedIn })
    expect(asked.at(-1)).toEqual({ type: 'task.stop' })
    expect(received).toEqual([])
    expect({ open: snapshot().hasTag('open'), busy: snapshot().hasTag('busy') }).toEqual({ open: true, busy: false })
  })
})

describe('a sign-in by a provider', () => {
  it('leaves for the provider', () => {
    const { actor, asked, snapshot } = startSignIn()
    actor.send({ type: 'signIn.chooseProvider', provider: 'acme' })
    actor.send({ type: 'signIn.reached', step: 'leaving' })
    expect(asked).toEqual([{ type: 'task.goToProvider', provider: 'acme' }])
    expect(selectSignInStep(snapshot())).toBe('Opening the provider’s site…')
  })

  it.each([
    ['signIn.mustUnlock', 'unlock'],
    ['signIn.mustCreate', 'create'],
  ] as const)('comes back to the dialog that is needed: %s', (type, mode) => {
    const { actor, asked, snapshot } = startSignIn()
    actor.send({ type: 'signIn.cancel' })
    actor.send({ type: 'signIn.return', secrets: { query: { state: 's' } } })
    expect(asked.at(-1)).toEqual({ type: 'task.return', secrets: { query: { state: 's' } } })
    actor.send({ type, email: 'a@example.org' })
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(snapshot().context.mode).toEqual(mode)
    expect(snapshot().context.email).toBe('a@example.org')
    actor.send({ ...good, email: 'typed@example.org' })
    expect(asked.at(-1)).toEqual({ type: 'task.submit', mode, ...form })
  })
})

describe('the paths of the login dialog', () => {
  it('reach all its states, and it is busy only after a good submit', () => {
    const { ends, unreached } = walkShortestPaths(signInMachine, {
      input: { providers: [] },
      events: [
        { type: 'signIn.open' },
        { type: 'signIn.setMode', mode: 'register' },
        { type: 'signIn.setMode', mode: 'reset' },
        { type: 'signIn.cancel' },
        { type: 'signIn.chooseProvider', provider: 'acme' },
        { type: 'signIn.return', secrets: { query: {} } },
        good,
        empty,
        { type: 'signIn.failed', fault: { kind: 'locked' } },
        { type: 'signIn.mustUnlock', email: 'a@example.org' },
        { type: 'signIn.mustCreate', email: 'a@example.org' },
        { type: 'signIn.registered', email: 'a@example.org' },
        { type: 'signIn.succeeded', signedIn },
      ],
      silence: ['notifyParent'],
      context: ({ errors, failure, mode }) => [errors, failure, mode],
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends)
      if (snapshot.hasTag('busy')) expect(snapshot.context.errors, path).toEqual({})
  })
})
