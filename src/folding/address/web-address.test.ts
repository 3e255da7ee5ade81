import { describe, expect, it } from 'vitest'
import { dataUrlImage, safeWebUrl, safeImage } from './web-address.ts'

describe('the address of a site', () => {
  it.each([
    ['https://team.example/', 'https://team.example/'],
    ['http://team.example/a?b', 'http://team.example/a?b'],
    ['team.example', 'https://team.example/'],
    [' https://team.example ', 'https://team.example/'],
  ])('is opened when it is http(s): %s', (named, opened) => {
    expect(safeWebUrl(named)).toBe(opened)
  })

  it.each([
    'javascript:alert(1)',
    'JavaScript://team.example/%0aalert(1)',
    'data:text/html,x',
    'data://text/html,x',
    'file:///etc/passwd',
    'blob:https://team.example/1',
    'vbscript://x',
    'https://',
    '',
    '   ',
    undefined,
    7,
  ])('is rejected otherwise: %s', named => {
    expect(safeWebUrl(named)).toBeUndefined()
  })
})

describe('a picture', () => {
  it('is shown only as a data URL', () => {
    expect(dataUrlImage('data:image/webp;base64,AAAA')).toBe('data:image/webp;base64,AAAA')
    for (const each of [
      'https://team.example/logo.png',
      'data:image/svg+xml;base64,AAAA',
      'data:text/html;base64,AAAA',
      '',
      undefined,
    ])
      expect(dataUrlImage(each)).toBeUndefined()
  })
})

describe('a picture that may be shown', () => {
  it.each([
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['https://ok.test/a b.png', 'https://ok.test/a%20b.png'],
    ['/9j/4AAQ\nSkZJ', 'data:image/jpeg;base64,/9j/4AAQSkZJ'],
    ['iVBORw0KGgoAAAA', 'data:image/png;base64,iVBORw0KGgoAAAA'],
    ['javascript:alert(1)', undefined],
    ['data:image/svg+xml,<svg onload=alert(1)>', undefined],
    ['data:text/html;base64,AAAA', undefined],
    ['/account', undefined],
    ['/9j/"onerror=', undefined],
    ['', undefined],
    [7, undefined],
  ])('%s', (picture, shown) => {
    expect(safeImage(picture)).toBe(shown)
  })
})
