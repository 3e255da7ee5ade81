import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { ada, down, good, machine, reported, startLoaded } from '../../../../test/machines/draft.ts'
import { isDraftModified } from './draft.reducer.ts'
import { isModified, selectConflicts, selectDraft, whyNotSaved } from './draft.selectors.ts'

describe('a draft', () => {
  it('is modified exactly while it differs from what is saved [4.21]', () => {
    const { actor, snapshot } = startLoaded()
    expect(isModified(snapshot())).toBe(false)
    actor.send({ type: 'draft.edit', change: { look: { dark: true } } })
    expect(isModified(snapshot())).toBe(true)
    expect(selectDraft(snapshot())).toEqual({ ...ada, look: { dark: true } })
    actor.send({ type: 'draft.edit', change: { look: { dark: false } } })
    expect(isModified(snapshot())).toBe(false)
  })

  it('can be saved only when it is modified and valid', () => {
    const { actor, snapshot } = startLoaded()
    expect(snapshot().can({ type: 'draft.save' })).toBe(false)
    actor.send({ type: 'draft.edit', change: { user: '' } })
    expect(snapshot().can({ type: 'draft.save' })).toBe(false)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    expect(snapshot().can({ type: 'draft.save' })).toBe(true)
  })

  it('equals the saved value after saving, and notifies the parent', async () => {
    const { actor, sent, received, snapshot } = startLoaded(good)
    const grace = { ...ada, user: 'Grace' }
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    expect(snapshot().hasTag('busy')).toBe(true)
    await settled()
    expect(sent).toEqual([{ before: ada, value: grace }])
    expect(isModified(snapshot())).toBe(false)
    expect(snapshot().context.saved).toEqual(grace)
    expect(received).toContainEqual({ type: 'draft.saved', id: 'settings', before: ada, value: grace })
    expect(received.at(-1)).toEqual({ type: 'draft.changed', id: 'settings', value: grace, isModified: false })
  })

  it.each([
    [down, { kind: 'unreachable', message: 'no answer in time' }],
    [new Error('crash'), { kind: 'unreachable', message: 'the request could not be sent' }],
  ] as const)('keeps everything that was typed when saving fails (%o)', async (answer, fault) => {
    const { actor, received, snapshot } = startLoaded(answer)
    actor.send({ type: 'draft.edit', change: { user: 'Grace', secrets: { passkey: 'abc' } } })
    actor.send({ type: 'draft.save' })
    await settled()
    expect(selectDraft(snapshot())).toEqual({ user: 'Grace', look: { dark: false }, secrets: { passkey: 'abc' } })
    expect(isModified(snapshot())).toBe(true)
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(snapshot().context.fault).toEqual(fault)
    expect(received.at(-1)).toEqual({ type: 'draft.failed', id: 'settings', fault })
  })

  it('keeps what is typed while it is being saved', async () => {
    const { actor, snapshot } = startLoaded(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    actor.send({ type: 'draft.edit', change: { user: 'Grace H.' } })
    await settled()
    expect(snapshot().context.saved?.user).toBe('Grace')
    expect(selectDraft(snapshot())?.user).toBe('Grace H.')
    expect(isModified(snapshot())).toBe(true)
  })

  it('follows what is saved elsewhere where nothing was typed, and names where both changed', () => {
    const { actor, snapshot } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.loaded', value: { user: 'Joan', look: { dark: true }, secrets: { passkey: 'x' } } })
    expect(selectDraft(snapshot())).toEqual({ user: 'Grace', look: { dark: true }, secrets: { passkey: 'x' } })
    expect(selectConflicts(snapshot())).toEqual([['user']])
    actor.send({ type: 'draft.discard' })
    expect(selectDraft(snapshot())?.user).toBe('Joan')
    expect(selectConflicts(snapshot())).toEqual([])
  })

  it.each([
    ['mine', 'Grace', true],
    ['theirs', 'Joan', false],
  ] as const)(
    'cannot be saved while a conflict is open, and can be when it is decided for %s',
    (side, user, modified) => {
      const { actor, snapshot } = startLoaded()
      actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
      actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan' } })
      actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan', look: { dark: true } } })
      expect(selectConflicts(snapshot())).toEqual([['user']])
      expect(whyNotSaved(snapshot())).toBe('The same setting was changed elsewhere. Choose which value to keep first.')
      actor.send({ type: 'draft.resolveConflict', path: ['user'], side })
      expect(selectConflicts(snapshot())).toEqual([])
      expect(selectDraft(snapshot())?.user).toEqual(user)
      expect(isModified(snapshot())).toEqual(modified)
      expect(snapshot().can({ type: 'draft.save' })).toBe(modified)
    },
  )

  it('takes what was there before, typed in the face of a conflict, for the decision that it is', () => {
    const { actor, snapshot } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan' } })
    actor.send({ type: 'draft.edit', change: { user: 'Ada' } })
    actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan' } })
    expect(selectDraft(snapshot())?.user).toBe('Ada')
    expect(selectConflicts(snapshot())).toEqual([])
    expect(isModified(snapshot())).toBe(true)
  })

  it('cannot be saved while saving is blocked, and gives the reason', () => {
    const { actor, snapshot } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.blocked', because: 'It is away.' })
    expect(snapshot().can({ type: 'draft.save' })).toBe(false)
    expect(whyNotSaved(snapshot())).toBe('It is away.')
    actor.send({ type: 'draft.blocked', because: undefined })
    expect(whyNotSaved(snapshot())).toBeUndefined()
  })
})

describe('the paths of a draft', () => {
  it.each([
    ['that an answer saves', machine, ['draft.awaiting']],
    ['that a report saves', reported, []],
  ])('%s lead through all its states, and nothing that was typed is lost but by discarding it', (_, kind, closed) => {
    const id = '0.draft.saving'
    const { ends, unreached } = walkShortestPaths(kind, {
      input: { value: undefined },
      events: [
        { type: 'draft.loaded', value: ada },
        { type: 'draft.loaded', value: { ...ada, user: 'Joan' } },
        { type: 'draft.edit', change: { user: 'Grace' } },
        { type: 'draft.edit', change: { user: '' } },
        { type: 'draft.ignored', because: 'no' },
        { type: 'draft.resolveConflict', path: ['user'], side: 'mine' },
        ...(
          [
            'draft.save',
            'draft.discard',
            'draft.leave',
            'draft.stay',
            'draft.saveAndLeave',
            'draft.discardAndLeave',
          ] as const
        ).map(type => ({ type })),
        ...[good, down].map(output => ({ type: `xstate.done.actor.${id}`, actorId: id, output })),
      ],
      silence: ['notifyChanged', 'notifySent', 'notifySaved', 'notifyFailed', 'askBeforeLeaving', 'withdrawQuestion'],
      context: ({ draft, saved, base, sent, fault, refusal, isLeaving }) => [
        draft?.user,
        saved?.user,
        base?.user,
        sent?.value.user,
        fault?.kind,
        refusal?.because,
        isLeaving,
      ],
    })
    expect(unreached).toEqual(closed)
    for (const { snapshot, path } of ends) {
      const lastEdit = path.lastIndexOf('draft.edit')
      const wasDiscarded = path.slice(lastEdit).includes('iscard')
      if (lastEdit >= 0 && path.includes('draft.loaded') && path.indexOf('draft.loaded') < lastEdit && !wasDiscarded)
        expect(['Grace', ''], path).toContain(snapshot.context.draft?.user)
      if (snapshot.hasTag('busy')) expect(snapshot.context.sent, path).toBeDefined()
      if (snapshot.hasTag('asking')) expect(isDraftModified(snapshot.context), path).toBe(true)
    }
  })
})
