import { loadFaultTexts } from '../../../folding/shared/load-fault.ts'
import { describe, expect, it } from 'vitest'
import { fromCallback } from 'xstate'
import { startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { PassphraseTaskCommand, PassphraseEvent, PassphraseFailure } from './passphrase.events.ts'
import { passphraseMachine } from './passphrase.machine.ts'
import { selectPassphraseFailure, selectPassphraseStep } from './passphrase.selectors.ts'

const form = {
  email: 'a@example.org',
  secrets: { current: 'old', passphrase: 'long enough to be one', passphraseAgain: 'long enough to be one' },
}
const submit: PassphraseEvent = { type: 'passphrase.submit', ...form }
const over: PassphraseFailure = { kind: 'refused', status: 401, message: 'Who?' }

function startDialog(purpose: 'change' | 'delete') {
  const asked: PassphraseTaskCommand[] = []
  const { actor, received } = startChild(
    passphraseMachine.provide({
      actors: {
        passphraseTasks: fromCallback<PassphraseTaskCommand, undefined>(({ receive }) =>
          receive(command => asked.push(command)),
        ),
      },
    }),
    { publicKey: 'A' },
  )
  actor.send({ type: 'passphrase.ask', purpose })
  return { actor, asked, received, snapshot: () => actor.getSnapshot() }
}

describe('the passphrase dialog', () => {
  it('deletes the account only when the passphrase is confirmed', () => {
    const { actor, asked, received, snapshot } = startDialog('delete')
    actor.send({ ...submit, secrets: { current: '', passphrase: '', passphraseAgain: '' } })
    expect(snapshot().context.errors).toEqual({ current: 'Enter your passphrase' })
    expect(asked).toEqual([])
    const typed = { ...form, secrets: { current: 'old', passphrase: '', passphraseAgain: '' } }
    actor.send({ type: 'passphrase.submit', ...typed })
    expect(asked).toEqual([{ type: 'task.confirm', publicKey: 'A', ...typed }])
    expect(selectPassphraseStep(snapshot())).toBe('Checking your passphrase…')
    expect(received).toEqual([])
    actor.send({ type: 'passphrase.confirmed' })
    expect(snapshot().hasTag('open')).toBe(false)
    expect(received).toEqual([{ type: 'account.delete' }])
  })

  it('refuses a new passphrase that is short, the same as the current one, or typed differently', () => {
    const { actor, snapshot } = startDialog('change')
    const errorsOf = (current: string, passphrase: string, passphraseAgain: string) => {
      actor.send({ ...submit, secrets: { current, passphrase, passphraseAgain } })
      return snapshot().context.errors
    }
    expect(errorsOf('old', 'short', '')).toEqual({ passphrase: 'Your passphrase must be at least 10 characters long' })
    expect(errorsOf('one and the same', 'one and the same', '')).toEqual({
      passphrase: 'This is your current passphrase',
    })
    expect(errorsOf('old', 'long enough to be one', 'another')).toEqual({
      passphraseAgain: 'Passphrases do not match',
    })
  })

  it('shows that the passphrase was changed until it is closed', () => {
    const { actor, asked, received, snapshot } = startDialog('change')
    actor.send(submit)
    expect(asked).toEqual([{ type: 'task.change', publicKey: 'A', ...form }])
    actor.send({ type: 'passphrase.changed' })
    expect({ changed: snapshot().hasTag('changed'), received }).toEqual({ changed: true, received: [] })
    actor.send({ type: 'passphrase.cancel' })
    expect(snapshot().hasTag('open')).toBe(false)
  })

  it('can be called off while it checks, and not while it saves', () => {
    const { actor, asked, snapshot } = startDialog('change')
    actor.send(submit)
    actor.send({ type: 'passphrase.cancel' })
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(snapshot().hasTag('open')).toBe(true)
    expect(asked.at(-1)).toEqual({ type: 'task.stop' })
    actor.send(submit)
    actor.send({ type: 'passphrase.reached', step: 'saving' })
    actor.send({ type: 'passphrase.cancel' })
    expect(snapshot().hasTag('busy')).toBe(true)
    expect(selectPassphraseStep(snapshot())).toBe('Saving the new passphrase…')
  })

  it.each<[PassphraseFailure, RegExp]>([
    [{ kind: 'wrong' }, /^The passphrase is wrong\.$/],
    [{ kind: 'locked' }, /could not be unlocked/],
    [{ kind: 'unsure' }, /unclear whether your passphrase was changed/],
    [{ kind: 'unreachable', message: 'no answer in time' }, /^API error: no answer in time\. Check the connection/],
    [{ kind: 'unreadable', message: 'x' }, /cannot be read/],
    [{ kind: 'refused', status: 429, message: 'Too many attempts' }, /^Too many attempts$/],
  ])('comes back to the form when it failed, and says why: %o', (failure, words) => {
    const { actor, received, snapshot } = startDialog('delete')
    actor.send({ ...submit, secrets: { ...form.secrets } })
    actor.send({ type: 'passphrase.failed', failure })
    expect({ busy: snapshot().hasTag('busy'), received }).toEqual({ busy: false, received: [] })
    expect(selectPassphraseFailure(snapshot())).toMatch(words)
  })

  it('shows why no passphrase could be generated', () => {
    const { actor, snapshot } = startDialog('change')
    actor.send({ type: 'passphrase.generationFailed', fault: 'serverAway' })
    expect(snapshot().hasTag('open')).toBe(true)
    expect(selectPassphraseFailure(snapshot())).toEqual(loadFaultTexts.serverAway)
  })

  it('reports an ended session', () => {
    const { actor, received, snapshot } = startDialog('change')
    actor.send(submit)
    actor.send({ type: 'passphrase.failed', failure: over })
    expect(snapshot().hasTag('open')).toBe(false)
    expect(received).toEqual([{ type: 'account.sessionEnded' }])
  })

  it('stores no passphrases, and emits a generated one', () => {
    const { actor, asked } = startDialog('change')
    const made: string[] = []
    actor.on('passphrase.generated', event => made.push(event.secrets.passphrase))
    actor.send({ type: 'passphrase.generate' })
    actor.send({ type: 'passphrase.generated', secrets: { passphrase: 'four random words here' } })
    actor.send(submit)
    expect(made).toEqual(['four random words here'])
    expect(asked[0]).toEqual({ type: 'task.generate' })
    const persisted = JSON.stringify(actor.getPersistedSnapshot())
    expect(['four random', 'long enough'].filter(secret => persisted.includes(secret))).toEqual([])
  })

  it('reaches all its states', () => {
    const { unreached } = walkShortestPaths(passphraseMachine, {
      input: { publicKey: 'A' },
      events: [
        { type: 'passphrase.ask', purpose: 'change' },
        { type: 'passphrase.ask', purpose: 'delete' },
        submit,
        { ...submit, email: '' },
        { type: 'passphrase.reached', step: 'saving' },
        { type: 'passphrase.confirmed' },
        { type: 'passphrase.changed' },
        { type: 'passphrase.failed', failure: { kind: 'wrong' } },
        { type: 'passphrase.failed', failure: over },
        { type: 'passphrase.cancel' },
      ],
      silence: ['deleteAccount', 'endSession'],
      context: ({ purpose, errors, failure, step }) => [purpose, errors, failure, step],
    })
    expect(unreached).toEqual([])
  })
})
