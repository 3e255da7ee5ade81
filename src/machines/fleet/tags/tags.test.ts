import { fromCallback } from 'xstate'
import { describe, expect, it } from 'vitest'
import { startChild } from '../../../../test/child.ts'
import type { Tags } from '../../../folding/fleet/tags.ts'
import type { KeepTags } from './tags.events.ts'
import { tagsMachine } from './tags.machine.ts'
import { selectTags, selectTagsOf } from './tags.selectors.ts'

const start = () => {
  const kept: Tags[] = []
  const { actor } = startChild(
    tagsMachine.provide({
      actors: {
        tagStore: fromCallback<KeepTags, undefined>(({ receive }) => receive(({ value }) => kept.push(value))),
      },
    }),
  )
  actor.send({ type: 'tags.restored', tags: { a: ['attic'] } })
  return { actor, kept, tags: () => selectTags(actor.getSnapshot()) }
}

describe('tags', () => {
  it('are restored without being kept again', () => {
    const { kept, tags } = start()
    expect([tags(), kept]).toEqual([{ a: ['attic'] }, []])
  })

  it('are given to several machines, and kept', () => {
    const { actor, kept, tags } = start()
    actor.send({ type: 'tags.add', machines: ['a', 'b'], tag: ' fast   one ' })
    const expected = { a: ['attic', 'fast one'], b: ['fast one'] }
    expect([tags(), kept]).toEqual([expected, [expected]])
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

  it('that change nothing are not kept', () => {
    const { actor, kept, tags } = start()
    const before = tags()
    actor.send({ type: 'tags.add', machines: ['a'], tag: 'ATTIC' })
    actor.send({ type: 'tags.add', machines: ['a', '__proto__'], tag: ' ' })
    actor.send({ type: 'tags.add', machines: ['__proto__', ''], tag: 'x' })
    actor.send({ type: 'tags.remove', machines: ['b'], tag: 'attic' })
    actor.send({ type: 'tags.rename', tag: 'none', newTag: 'x' })
    expect([tags() === before, kept]).toEqual([true, []])
  })
})
