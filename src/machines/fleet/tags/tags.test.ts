import { fromCallback } from 'xstate'
import { describe, expect, it } from 'vitest'
import { startChild } from '../../../../test/child.ts'
import { nameKey, type Tags } from '../../../folding/fleet/tags.ts'
import type { KeepTags } from './tags.events.ts'
import { tagsMachine } from './tags.machine.ts'
import { selectTags, selectTagsOf } from './tags.selectors.ts'

function start() {
  const saved: Tags[] = []
  const { actor, received } = startChild(
    tagsMachine.provide({
      actors: {
        tagStore: fromCallback<KeepTags, undefined>(({ receive }) => receive(({ value }) => saved.push(value))),
      },
    }),
  )
  actor.send({ type: 'tags.restored', tags: { a: ['attic'] } })
  return { actor, saved, received, tags: () => selectTags(actor.getSnapshot()) }
}

describe('tags', () => {
  it('are restored without being kept again', () => {
    const { saved, tags } = start()
    expect(tags()).toEqual({ a: ['attic'] })
    expect(saved).toEqual([])
  })

  it('are given to several clients, and kept', () => {
    const { actor, saved, received, tags } = start()
    const change = { type: 'tags.add', machines: ['a', 'b'], tag: ' fast   one ' } as const
    actor.send(change)
    const expected = { a: ['attic', 'fast one'], b: ['fast one'] }
    expect(tags()).toEqual(expected)
    expect(saved).toEqual([expected])
    expect(received).toEqual([{ type: 'tags.changed', change }])
    expect(selectTagsOf('b')(actor.getSnapshot())).toEqual(['fast one'])
  })

  it('are taken away, renamed everywhere and imported', () => {
    const { actor, tags } = start()
    actor.send({ type: 'tags.add', machines: ['b'], tag: 'Attic' })
    actor.send({ type: 'tags.rename', tag: 'attic', newTag: 'loft' })
    expect(tags()).toEqual({ a: ['loft'], b: ['loft'] })
    actor.send({ type: 'tags.remove', machines: ['a'], tag: 'LOFT' })
    expect(tags()).toEqual({ b: ['loft'] })
    actor.send({ type: 'tags.import', tags: { c: ['x'], b: ['y'] }, mode: 'merge' })
    expect(tags()).toEqual({ b: ['loft', 'y'], c: ['x'] })
    actor.send({ type: 'tags.import', tags: { d: ['z'] }, mode: 'replace' })
    expect(tags()).toEqual({ d: ['z'] })
  })

  it('of a server replace those of the browser, which keeps them only where it may change them', () => {
    const { actor, saved, received, tags } = start()
    actor.send({ type: 'tags.served', tags: { b: ['x'] }, isCopied: false })
    expect(tags()).toEqual({ b: ['x'] })
    expect(saved).toEqual([])
    actor.send({ type: 'tags.served', tags: { b: ['y'] }, isCopied: true })
    expect(tags()).toEqual({ b: ['y'] })
    expect(saved).toEqual([{ b: ['y'] }])
    expect(received).toEqual([])
  })

  it('that name a GPU are told, whoever changed them', () => {
    const { actor, received } = start()
    const key = nameKey('a', 'gpu:01:00:00')
    const namesTold = () => received.flatMap(event => (event.type === 'tags.named' ? [event['tags']] : []))
    actor.send({ type: 'tags.add', machines: [key], tag: 'Left' })
    actor.send({ type: 'tags.add', machines: ['a'], tag: 'cellar' })
    expect(namesTold()).toEqual([{ a: [{ of: 'gpu:01:00:00', tag: 'Left' }] }])
    actor.send({ type: 'tags.served', tags: {}, isCopied: false })
    actor.send({ type: 'tags.restored', tags: { [key]: ['Right'] } })
    expect(namesTold().slice(1)).toEqual([{}, { a: [{ of: 'gpu:01:00:00', tag: 'Right' }] }])
  })

  it('that change nothing are not kept', () => {
    const { actor, saved, tags } = start()
    const before = tags()
    actor.send({ type: 'tags.add', machines: ['a'], tag: 'ATTIC' })
    actor.send({ type: 'tags.add', machines: ['a', '__proto__'], tag: ' ' })
    actor.send({ type: 'tags.add', machines: ['__proto__', ''], tag: 'x' })
    actor.send({ type: 'tags.remove', machines: ['b'], tag: 'attic' })
    actor.send({ type: 'tags.rename', tag: 'none', newTag: 'x' })
    expect(tags() === before).toBe(true)
    expect(saved).toEqual([])
  })
})
