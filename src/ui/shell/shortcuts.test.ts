// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { isTypingIn, shortcutOf } from './shortcuts.ts'

function keys(key: string, held: Partial<Parameters<typeof shortcutOf>[0]> = {}) {
  return {
    key,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...held,
  }
}

describe('a shortcut', () => {
  it.each([
    ['Ctrl+Shift+L', keys('L', { ctrlKey: true, shiftKey: true }), 'connect'],
    ['Ctrl+Shift+L with caps lock', keys('l', { ctrlKey: true, shiftKey: true }), 'connect'],
    ['Ctrl+Shift+X', keys('X', { ctrlKey: true, shiftKey: true }), 'inspect'],
    ['Ctrl+K', keys('k', { ctrlKey: true }), 'commands'],
    ['Command+K', keys('k', { metaKey: true }), 'commands'],
    ['?', keys('?', { shiftKey: true }), 'list'],
    ['/', keys('/'), 'filter'],
    ['Ctrl+L', keys('l', { ctrlKey: true }), undefined],
    ['Ctrl+/', keys('/', { ctrlKey: true }), undefined],
    ['Alt+?', keys('?', { altKey: true }), undefined],
    ['L', keys('L', { shiftKey: true }), undefined],
  ])('is recognized by its keys: %s [13.12]', (_, pressed, name) => {
    expect(shortcutOf(pressed, false)).toBe(name)
  })

  it('of a single character does nothing while the user types', () => {
    expect([keys('?'), keys('/')].map(pressed => shortcutOf(pressed, true))).toEqual([undefined, undefined])
  })

  it('with Ctrl works while the user types', () => {
    expect(shortcutOf(keys('L', { ctrlKey: true, shiftKey: true }), true)).toBe('connect')
  })

  it.each([
    ['input', true],
    ['textarea', true],
    ['input type=checkbox', false],
    ['input type=radio', false],
    ['button', false],
  ])('of a single character is not taken from what takes characters: <%s> %s', (tag, isTyping) => {
    document.body.innerHTML = `<${tag}>`
    expect(isTypingIn(document.body.firstElementChild)).toBe(isTyping)
  })
})
