import React from 'react'

/*
 * Roles and names are found by the display and visibility of elements, for which jsdom matches each rule of its style sheet
 * with each of them: a quarter of the time of a test of a screen. No test has other styles than those of an element and of its tag.
 */

const displays = new Map<string, string>()

const NOTHING = {
  content: 'none',
  getPropertyValue: (name: string) => (name === 'content' ? 'none' : ''),
} as CSSStyleDeclaration

/** Answers what tests ask most without the style sheet, and everything else as before. */
function quicken(window: Window): void {
  const ask = window.getComputedStyle.bind(window)
  const displayOf = (element: HTMLElement): string => {
    if (element.hasAttribute('hidden')) return 'none'
    if (element.style.display !== '') return element.style.display
    // An input may be hidden by its type, a dialog by being closed.
    const kind = [element.localName, element.getAttribute('type'), element.hasAttribute('open')].join(' ')
    const display = displays.get(kind) ?? ask(element).display
    displays.set(kind, display)
    return display
  }
  const visibilityOf = ({ style, parentElement }: HTMLElement): string =>
    style.visibility !== '' ? style.visibility : parentElement === null ? 'visible' : visibilityOf(parentElement)
  const answers: Readonly<Record<string, (element: HTMLElement) => string>> = {
    display: displayOf,
    visibility: visibilityOf,
  }
  window.getComputedStyle = (element, pseudo) => {
    if (!(element instanceof HTMLElement)) return ask(element)
    // jsdom has none of `::before`.
    if (typeof pseudo === 'string') return NOTHING
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, name): unknown =>
        name === 'getPropertyValue'
          ? (asked: string) => answers[asked]?.(element) ?? ask(element).getPropertyValue(asked)
          : ((typeof name === 'string' ? answers[name]?.(element) : undefined) ?? Reflect.get(ask(element), name)),
    })
  }
}

// Where each element was made is an error with its stack, for messages that no test reads: a tenth of the time of a screen.
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Infinity,
    set: () => undefined,
    configurable: true,
  })

// Tests of the same files without a page have none.
if (typeof document !== 'undefined' && document.defaultView !== null) quicken(document.defaultView)
