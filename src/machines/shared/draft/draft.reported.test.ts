import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { ada, good, startReported } from '../../../../test/machines/draft.ts'
import { isModified, selectConflicts, selectDraft } from './draft.selectors.ts'

describe('a draft that is saved when it is reported back', () => {
  const grace = { ...ada, user: 'Grace' }

  it('waits for the report, and notifies the parent of what is sent', async () => {
    const { actor, received, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: ' Grace ' } })
    actor.send({ type: 'draft.save' })
    await settled()
    expect(received.at(-1)).toEqual({ type: 'draft.sent', id: 'settings', before: ada, value: grace })
    expect(snapshot().hasTag('busy')).toBe(true)
    expect(snapshot().hasTag('awaiting')).toBe(true)
    expect(selectDraft(snapshot())).toEqual(grace)
    actor.send({ type: 'draft.loaded', value: { ...ada, look: { dark: true } } })
    expect(snapshot().hasTag('awaiting')).toBe(true)
    actor.send({ type: 'draft.loaded', value: { ...grace, look: { dark: true } } })
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(isModified(snapshot())).toBe(false)
    expect(selectDraft(snapshot())).toEqual({ ...grace, look: { dark: true } })
    expect(received).toContainEqual({ type: 'draft.saved', id: 'settings', before: ada, value: grace })
  })

  it('takes what is typed meanwhile for an edit of what was sent', async () => {
    const { actor, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    await settled()
    actor.send({ type: 'draft.edit', change: { user: 'Joan' } })
    actor.send({ type: 'draft.loaded', value: grace })
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(selectDraft(snapshot())?.user).toBe('Joan')
    expect(selectConflicts(snapshot())).toEqual([])
    expect(isModified(snapshot())).toBe(true)
  })

  it('names what was refused, and keeps it as it was typed', async () => {
    const { actor, said, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace', look: { dark: true } } })
    actor.send({ type: 'draft.save' })
    await settled()
    actor.send({ type: 'draft.leave' })
    actor.send({ type: 'draft.loaded', value: grace })
    actor.send({ type: 'draft.ignored', because: 'It does not want to.' })
    expect(snapshot().context.refusal).toEqual({ because: 'It does not want to.', missing: [['look', 'dark']] })
    expect(isModified(snapshot())).toBe(true)
    expect(selectDraft(snapshot())?.look.dark).toBe(true)
    expect(said).toEqual(['draft.stayed'])
    actor.send({ type: 'draft.edit', change: { look: { dark: false } } })
    expect(snapshot().context.refusal).toBeUndefined()
  })

  it('does not wait for ever', async () => {
    const { actor, clock, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    await settled()
    clock.increment(45_000)
    expect(snapshot().hasTag('busy')).toBe(false)
    expect(snapshot().context.refusal).toEqual({
      because: 'The change was not confirmed in time.',
      missing: [['user']],
    })
  })

  it('has still a conflict with what was saved elsewhere in the same moment', async () => {
    const { actor, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    await settled()
    actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan' } })
    expect(selectConflicts(snapshot())).toEqual([])
    actor.send({ type: 'draft.ignored', because: 'Another change came first.' })
    expect(selectConflicts(snapshot())).toEqual([['user']])
  })
})
