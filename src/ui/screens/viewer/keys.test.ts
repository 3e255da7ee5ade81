// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { isTaken, meaningOf } from './keys.ts'

const key = (name: string, modifiers: Partial<KeyboardEvent> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...modifiers,
})

describe('a key', () => {
  it.each([
    [' ', { send: { type: 'viewer.toggleRotation' } }],
    ['ArrowLeft', { send: { type: 'viewer.step', by: -1 } }],
    ['ArrowRight', { send: { type: 'viewer.step', by: 1 } }],
    ['ArrowUp', { zoom: 1 }],
    ['ArrowDown', { zoom: -1 }],
    ['w', { send: { type: 'viewer.toggleWiggle' } }],
    ['W', { send: { type: 'viewer.toggleWiggle' } }],
    ['1', { send: { type: 'viewer.draw', style: 1 } }],
    ['2', { send: { type: 'viewer.draw', style: 2 } }],
    ['3', { send: { type: 'viewer.draw', style: 3 } }],
    ['Home', 'fit'],
    ['4', undefined],
    ['toString', undefined],
  ])('%j means %j', (name, meaning) => expect(meaningOf(key(name))).toEqual(meaning))

  it('with Ctrl, Meta or Alt is the browser’s', () => {
    expect([
      meaningOf(key('w', { ctrlKey: true })),
      meaningOf(key('ArrowLeft', { altKey: true })),
      meaningOf(key('1', { metaKey: true })),
    ]).toEqual([undefined, undefined, undefined])
  })

  it('belongs to the field, slider or menu that has the focus, and the space bar to a button', () => {
    document.body.innerHTML =
      '<input type="range" id="slider"><div role="menu"><p id="item"></p></div><button id="button"></button><canvas id="canvas"></canvas>'
    const at = (id: string) => document.getElementById(id)
    expect([
      isTaken(key('ArrowLeft'), at('slider')),
      isTaken(key('1'), at('item')),
      isTaken(key(' '), at('button')),
    ]).toEqual([true, true, true])
    expect([
      isTaken(key('ArrowLeft'), at('button')),
      isTaken(key(' '), at('canvas')),
      isTaken(key('w'), document),
    ]).toEqual([false, false, false])
  })
})
