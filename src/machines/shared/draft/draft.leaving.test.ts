import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { down, good, startLoaded } from '../../../../test/machines/draft.ts'
import { isModified, selectDraft } from './draft.selectors.ts'

describe('leaving a draft', () => {
  it('asks nothing when nothing would be lost', () => {
    const { actor, said, question } = startLoaded()
    actor.send({ type: 'draft.leave' })
    expect({ said, question: question() }).toEqual({ said: ['draft.left'], question: undefined })
  })

  it('asks with the text of docs/product.md [2.49]', () => {
    const { actor, question } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.leave' })
    expect(question()).toMatchObject({
      title: 'Unsaved changes',
      text: 'You have unsaved configuration changes. Would you like to save your changes, discard them or cancel and stay on this page?',
    })
    expect(question()?.buttons.map(({ name }) => name)).toEqual(['Cancel', 'Discard', 'Save'])
  })

  it.each([
    ['cancel', 'Grace', 'draft.stayed', true],
    ['discard', 'Ada', 'draft.left', false],
    ['save', 'Grace', 'draft.left', false],
  ])('does what was answered: %s [2.49]', async (button, user, outcome, modified) => {
    const { actor, said, snapshot, answer } = startLoaded(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.leave' })
    expect(said).toEqual([])
    answer(button)
    await settled()
    expect(selectDraft(snapshot())?.user).toEqual(user)
    expect(said).toEqual([outcome])
    expect(isModified(snapshot())).toEqual(modified)
  })

  it('is called off when saving fails', async () => {
    const { actor, said, snapshot, answer } = startLoaded(down)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.leave' })
    answer('save')
    await settled()
    expect({ said, user: selectDraft(snapshot())?.user }).toEqual({ said: ['draft.stayed'], user: 'Grace' })
  })

  it('cannot save what is not valid, and stays', () => {
    const { actor, said, sent, question, answer } = startLoaded(good)
    actor.send({ type: 'draft.edit', change: { user: '' } })
    actor.send({ type: 'draft.leave' })
    expect(question()?.buttons.at(-1)).toMatchObject({
      name: 'Save',
      blockedBecause: 'Some fields are not valid yet.',
    })
    answer('save')
    expect({ said, sent }).toEqual({ said: ['draft.stayed'], sent: [] })
  })

  it('waits for a saving that is on its way', async () => {
    const { actor, said, question } = startLoaded(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    actor.send({ type: 'draft.leave' })
    expect({ said, question: question() }).toEqual({ said: [], question: undefined })
    await settled()
    expect(said).toEqual(['draft.left'])
  })
})
