// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest'
import { isMirrored, readingKey } from './direction.ts'

afterEach(() => {
  document.body.style.direction = ''
})

it('arrow keys follow the screen [13.4]', () => {
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'Home', 'x']
  const read = (): readonly string[] => keys.map(key => readingKey(key, document.body))
  expect([isMirrored(document.body), ...read()]).toEqual([false, ...keys])
  document.body.style.direction = 'rtl'
  expect([isMirrored(document.body), ...read()]).toEqual([true, 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'Home', 'x'])
})
