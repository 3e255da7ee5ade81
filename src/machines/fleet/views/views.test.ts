import { fromCallback } from 'xstate'
import { describe, expect, it } from 'vitest'
import { startChild } from '../../../../test/child.ts'
import type { SavedViews } from '../../../folding/fleet/saved-views.ts'
import type { KeepViews } from './views.events.ts'
import { viewsMachine } from './views.machine.ts'
import { selectFirstView, selectLastSearch, selectViews, selectViewWith } from './views.selectors.ts'

const paused = { filter: 'state:paused' }
const old = { filter: 'version:<8.5', sort: '-ppd' }

function start() {
  const storedViews: SavedViews[] = []
  const { actor, received } = startChild(
    viewsMachine.provide({
      actors: {
        viewStore: fromCallback<KeepViews, undefined>(({ receive }) => receive(({ value }) => storedViews.push(value))),
      },
    }),
  )
  const views = () => selectViews(actor.getSnapshot())
  return { actor, storedViews, received, views, names: () => views().views.map(({ name }) => name) }
}

function startWithTwo() {
  const started = start()
  started.actor.send({ type: 'views.save', name: 'Paused', params: paused })
  started.actor.send({ type: 'views.save', name: 'Old', params: old })
  return started
}

describe('saved views', () => {
  it('are restored without being kept again', () => {
    const { actor, storedViews, views } = start()
    const saved = { views: [{ name: 'Paused', params: paused }], chosen: 'Paused' }
    actor.send({ type: 'views.restored', views: saved })
    expect(views()).toEqual(saved)
    expect(storedViews).toEqual([])
  })

  it('are saved, changed under the same name, and kept', () => {
    const { actor, storedViews, received, views, names } = startWithTwo()
    actor.send({ type: 'views.save', name: ' paused ', params: old })
    expect(names()).toEqual(['Paused', 'Old'])
    expect(views().views[0]?.params).toEqual(old)
    expect(storedViews.length).toBe(3)
    expect(received.at(-1)).toEqual({
      type: 'views.changed',
      change: { type: 'views.save', name: ' paused ', params: old },
    })
  })

  it('are renamed, moved and deleted, and the default follows', () => {
    const { actor, views, names } = startWithTwo()
    actor.send({ type: 'views.choose', name: 'paused' })
    actor.send({ type: 'views.rename', name: 'Paused', newName: 'Stopped' })
    expect(views().chosen).toBe('Stopped')
    actor.send({ type: 'views.move', name: 'Stopped', by: 1 })
    expect(names()).toEqual(['Old', 'Stopped'])
    actor.send({ type: 'views.delete', name: 'Stopped' })
    expect(names()).toEqual(['Old'])
    expect(views().chosen).toBeUndefined()
  })

  it('are imported', () => {
    const { actor, names, views } = startWithTwo()
    const file = { views: [{ name: 'OLD', params: paused }], chosen: 'OLD' }
    actor.send({ type: 'views.import', views: file, mode: 'merge' })
    expect(names()).toEqual(['Paused', 'Old'])
    expect(views().views[1]?.params).toEqual(paused)
    expect(views().chosen).toBe('Old')
    actor.send({ type: 'views.import', views: file, mode: 'replace' })
    expect(views()).toEqual(file)
    const others = {
      views: [
        { name: 'old', params: old },
        { name: 'New', params: old },
      ],
      chosen: 'New',
    }
    actor.send({ type: 'views.import', views: others, mode: 'missing' })
    expect(names()).toEqual(['OLD', 'New'])
    expect(views().views[0]?.params).toEqual(paused)
    expect(views().chosen).toBe('OLD')
  })

  it('of a server replace those of the browser, which keeps them only where it may change them', () => {
    const { actor, storedViews, views } = start()
    const served = (name: string) => ({ views: [{ name, params: paused }], chosen: undefined })
    actor.send({ type: 'views.served', views: served('x'), isCopied: false })
    expect(views()).toEqual(served('x'))
    expect(storedViews).toEqual([])
    actor.send({ type: 'views.served', views: served('y'), isCopied: true })
    expect(views()).toEqual(served('y'))
    expect(storedViews).toEqual([served('y')])
  })

  it('that change nothing are not kept', () => {
    const { actor, storedViews, views } = startWithTwo()
    const before = views()
    actor.send({ type: 'views.save', name: ' ', params: paused })
    actor.send({ type: 'views.rename', name: 'Old', newName: ' ' })
    actor.send({ type: 'views.rename', name: 'Old', newName: 'PAUSED' })
    actor.send({ type: 'views.rename', name: 'none', newName: 'x' })
    actor.send({ type: 'views.move', name: 'Old', by: 1 })
    actor.send({ type: 'views.delete', name: 'none' })
    actor.send({ type: 'views.choose', name: undefined })
    expect(views() === before).toBe(true)
    expect(storedViews.length).toBe(2)
  })
})

describe('the machines screen', () => {
  it('begins with the default view, and later keeps what was shown last', () => {
    const { actor } = startWithTwo()
    expect(selectFirstView(actor.getSnapshot())).toBeUndefined()
    actor.send({ type: 'views.choose', name: 'Old' })
    expect(selectFirstView(actor.getSnapshot())).toEqual(old)
    actor.send({ type: 'views.shown', params: paused })
    expect(selectFirstView(actor.getSnapshot())).toBeUndefined()
    expect(selectLastSearch(actor.getSnapshot())).toBe('?filter=state%3Apaused')
    expect(selectViewWith(paused)(actor.getSnapshot())).toBe('Paused')
  })

  it('opens and closes the dialog', () => {
    const { actor } = start()
    actor.send({ type: 'views.open' })
    expect(actor.getSnapshot().hasTag('open')).toBe(true)
    actor.send({ type: 'views.close' })
    expect(actor.getSnapshot().hasTag('open')).toBe(false)
    expect(selectLastSearch(actor.getSnapshot())).toBe('')
  })
})
