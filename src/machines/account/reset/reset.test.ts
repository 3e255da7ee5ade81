import { describe, expect, it } from 'vitest'
import { loadFaultTexts } from '../../../folding/shared/load-fault.ts'
import { fromCallback } from 'xstate'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { ResetTaskCommand, ResetEvent } from './reset.events.ts'
import { resetMachine } from './reset.machine.ts'
import { selectResetFailure, selectResetStep } from './reset.selectors.ts'

const form = {
  email: 'a@example.org',
  secrets: { token: 'abc', passphrase: 'long enough to be one', passphraseAgain: 'long enough to be one' },
}
const good: ResetEvent = { type: 'reset.submit', ...form }
const bad: ResetEvent = { ...good, email: '', secrets: { ...form.secrets, passphraseAgain: 'another' } }

function startReset() {
  const asked: ResetTaskCommand[] = []
  const { actor, received } = startChild(
    resetMachine.provide({
      actors: {
        resetTasks: fromCallback<ResetTaskCommand, undefined>(({ receive }) => receive(command => asked.push(command))),
      },
    }),
  )
  return { actor, asked, received, snapshot: () => actor.getSnapshot() }
}

describe('the reset page', () => {
  it('shows errors only after a submit, and does nothing until all is right [2.65, 5.11]', () => {
    const { actor, asked, snapshot } = startReset()
    expect(snapshot().context.errors).toEqual({})
    actor.send(bad)
    expect(snapshot().context.errors).toEqual({
      email: 'A valid email address is required',
      passphraseAgain: 'Passphrases do not match',
    })
    actor.send({ ...good, secrets: { ...form.secrets, passphrase: 'short' } })
    expect(snapshot().context.errors).toEqual({ passphrase: 'Your passphrase must be at least 10 characters long' })
    expect(asked).toEqual([])
    actor.send(good)
    expect({ busy: snapshot().hasTag('busy'), asked }).toEqual({ busy: true, asked: [{ type: 'task.reset', ...form }] })
  })

  it('shows its progress and its result', () => {
    const { actor, received, snapshot } = startReset()
    actor.send(good)
    actor.send({ type: 'reset.reached', step: 'generating' })
    expect(selectResetStep(snapshot())).toBe('Generating a new key pair. This can take a few seconds…')
    actor.send({ type: 'reset.done' })
    expect(snapshot().hasTag('done')).toBe(true)
    expect(selectResetStep(snapshot())).toBeUndefined()
    expect(received).toEqual([{ type: 'reset.finished' }])
  })

  it.each([
    [
      { kind: 'refused', status: 404, message: 'x' },
      'This link was already used or has expired. Request another reset in the login dialog.',
    ],
    [{ kind: 'refused', status: 400, message: 'Invalid public key' }, 'Invalid public key'],
    [
      { kind: 'unreachable', message: 'no answer in time' },
      'API error: no answer in time. Check the connection and try again.',
    ],
    [{ kind: 'unreadable', message: 'x' }, 'The account server’s response cannot be read. Try again later.'],
  ] as const)('comes back to the form when it failed, and says why (%o)', (fault, words) => {
    const { actor, snapshot } = startReset()
    actor.send(good)
    actor.send({ type: 'reset.failed', fault })
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(selectResetFailure(snapshot())).toEqual(words)
    actor.send({ type: 'reset.open' })
    expect(selectResetFailure(snapshot())).toBeUndefined()
  })

  it('shows why no passphrase could be generated', () => {
    const { actor, snapshot } = startReset()
    actor.send({ type: 'reset.generate' })
    actor.send({ type: 'passphrase.generationFailed', fault: 'serverAway' })
    expect(selectResetFailure(snapshot())).toBe(loadFaultTexts.serverAway)
  })

  it('stores no passphrases, and emits a generated one', () => {
    const { actor, asked } = startReset()
    const made: string[] = []
    actor.on('passphrase.generated', event => made.push(event.secrets.passphrase))
    actor.send({ type: 'reset.generate' })
    actor.send({ type: 'passphrase.generated', secrets: { passphrase: 'four random words here' } })
    actor.send(good)
    expect(made).toEqual(['four random words here'])
    expect(asked[0]).toEqual({ type: 'task.generate' })
    const persisted = JSON.stringify(actor.getPersistedSnapshot())
    expect(['four random', 'long enough', 'abc'].filter(secret => persisted.includes(secret))).toEqual([])
  })

  it('reaches all its states', () => {
    const { unreached } = walkShortestPaths(resetMachine, {
      events: [
        { type: 'reset.open' },
        good,
        bad,
        { type: 'reset.cancel' },
        { type: 'reset.done' },
        { type: 'reset.failed', fault: { kind: 'unreachable', message: 'x' } },
      ],
      silence: ['notifyFinished'],
      context: ({ errors, fault }) => [errors, fault],
    })
    expect(unreached).toEqual([])
  })
})
