// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { isUsedByFocus, keyActionOf } from './keys.ts'

function key(name: string, modifiers: Partial<KeyboardEvent> = {}) {
  return {
    key: name,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...modifiers,
  }
}

describe('a key', () => {
  it.each([
    [' ', { send: { type: 'viewer.toggleRotation' } }],
    ['ArrowLeft', { send: { type: 'viewer.step', by: -1 } }],
    ['ArrowRight', { send: { type: 'viewer.step', by: 1 } }],
    ['ArrowUp', { zoom: 1 }],
    ['ArrowDown', { zoom: -1 }],
    ['w', { send: { type: 'viewer.toggleWiggle' } }],
    ['W', { send: { type: 'viewer.toggleWiggle' } }],
    ['1', { send: { type: 'viewer.setStyle', style: 1 } }],
    ['2', { send: { type: 'viewer.setStyle', style: 2 } }],
    ['3', { send: { type: 'viewer.setStyle', style: 3 } }],
    ['Home', 'fit'],
    ['4', { send: { type: 'viewer.setStyle', style: 4 } }],
    ['s', { send: { type: 'viewer.toggle', option: 'showsSolvent' } }],
    ['g', { send: { type: 'viewer.toggle', option: 'hasGhost' } }],
    ['l', { send: { type: 'viewer.toggle', option: 'showsLegend' } }],
    ['5', { send: { type: 'viewer.setStyle', style: 5 } }],
    ['6', undefined],
    ['toString', undefined],
  ])('%j has the action %j', (name, action) => expect(keyActionOf(key(name))).toEqual(action))

  it('with Ctrl, Meta or Alt is left to the browser', () => {
    expect(keyActionOf(key('w', { ctrlKey: true }))).toBeUndefined()
    expect(keyActionOf(key('ArrowLeft', { altKey: true }))).toBeUndefined()
    expect(keyActionOf(key('1', { metaKey: true }))).toBeUndefined()
  })

  it('is left to a focused menu, where it means something to a slider, and the space bar to a button', () => {
    document.body.innerHTML =
      '<input type="range" id="slider"><div role="menu"><p id="item"></p></div><div role="dialog"><input type="checkbox" id="switch"></div><button id="button"></button><canvas id="canvas"></canvas>'
    const at = (id: string) => document.getElementById(id)
    expect(['ArrowLeft', 'Home', 'w', '1'].map(name => isUsedByFocus(key(name), at('slider')))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(isUsedByFocus(key('1'), at('item'))).toBe(true)
    expect(isUsedByFocus(key('1'), at('switch'))).toBe(true)
    expect(isUsedByFocus(key(' '), at('button'))).toBe(true)
    expect(isUsedByFocus(key('ArrowLeft'), at('button'))).toBe(false)
    expect(isUsedByFocus(key(' '), at('canvas'))).toBe(false)
    expect(isUsedByFocus(key('w'), document)).toBe(false)
  })
})
