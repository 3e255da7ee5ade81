// @vitest-environment jsdom
import { createActor, createMachine, type AnyEventObject } from 'xstate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settled } from '../../../test/child.ts'
import { parseTags, type Tags } from '../../folding/fleet/tags.ts'
import { keptValue } from './kept-value.ts'

const KEY = 'test.tags'
const running: { stop: () => void }[] = []

async function start(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined = localStorage) {
  const reported: AnyEventObject[] = []
  const logic = keptValue({
    window,
    storage,
    key: KEY,
    parse: parseTags,
    serialize: tags => tags,
    toFact: tags => ({ type: 'tags.restored', tags }),
  })
  const parent = createActor(
    createMachine({
      invoke: { src: logic, id: 'store' },
      on: { '*': { actions: ({ event }) => reported.push(event) } },
    }),
  ).start()
  running.push(parent)
  await settled()
  const store = parent.getSnapshot().children['store']
  return { reported, keep: (value: Tags) => store?.send({ type: 'store.keep', value }) }
}

beforeEach(() => localStorage.clear())
afterEach(() => running.splice(0).forEach(actor => actor.stop()))

describe('a kept value', () => {
  it('is there again at the next visit', async () => {
    const { reported, keep } = await start()
    expect(reported).toEqual([])
    keep({ a: ['attic'] })
    expect((await start()).reported).toEqual([{ type: 'tags.restored', tags: { a: ['attic'] } }])
  })

  it('follows other tabs, until the store is stopped', async () => {
    const { reported } = await start()
    const change = (key: string, newValue: string) =>
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
    change(KEY, '{"b":["x"]}')
    change('else', '{"c":["y"]}')
    expect(reported).toEqual([{ type: 'tags.restored', tags: { b: ['x'] } }])
    running.splice(0).forEach(actor => actor.stop())
    change(KEY, '{}')
    expect(reported.length).toBe(1)
  })

  it('that is damaged counts as none', async () => {
    localStorage.setItem(KEY, '{"a":')
    expect((await start()).reported).toEqual([])
    localStorage.setItem(KEY, '"text"')
    expect((await start()).reported).toEqual([])
  })

  it('is lost where there is no storage, without an error', async () => {
    const broken = {
      getItem: () => {
        throw new Error('forbidden')
      },
      setItem: () => {
        throw new Error('full')
      },
    }
    const { reported, keep } = await start(broken)
    keep({ a: ['x'] })
    ;(await start(undefined)).keep({ a: ['x'] })
    expect(reported).toEqual([])
  })
})
