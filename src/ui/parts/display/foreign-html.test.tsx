// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ForeignHtml } from './foreign-html.tsx'

afterEach(cleanup)

const origins = ['https://ok.test', 'http://127.0.0.1:7401']

function shown(html: string, isInline = false): HTMLElement {
  const { container } = render(<ForeignHtml lang="en" html={html} isInline={isInline} pictureOrigins={origins} />)
  const [element] = container.children
  if (!(element instanceof HTMLElement)) throw new Error('Nothing is shown.')
  return element
}

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href=" &#106;avascript:alert(1)">x</a>',
  '<svg><script>alert(1)</script><animate onbegin=alert(1) attributeName=x></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<iframe src="https://evil.test"></iframe><object data=x></object><embed src=x>',
  '<form action="https://evil.test"><input name=passkey><button>Log in</button></form>',
  '<style>body { display: none }</style><link rel=stylesheet href="https://evil.test">',
  '<p style="position:fixed;inset:0" class="x" id="main" onclick="alert(1)">x</p>',
  '<meta http-equiv=refresh content="0;url=https://evil.test"><base href="https://evil.test">',
  '<a href="https://ok.test" target="_self" rel="opener">x</a>',
  '<img src="/account" srcset="https://evil.test 2x"><video src=x autoplay></video>',
]

const forbidden =
  'script, iframe, object, embed, form, input, button, style, link, meta, base, svg, math, video, audio, template, slot'

describe('untrusted HTML', () => {
  it.each(hostile)('is harmless: %s [12.2]', html => {
    for (const isInline of [false, true]) {
      const element = shown(html, isInline)
      expect(element.querySelector(forbidden)).toBeNull()
      for (const { attributes } of element.querySelectorAll('*'))
        for (const { name, value } of attributes) {
          expect(name).not.toMatch(/^on|^style$|^class$|^id$|^srcset$/)
          if (name === 'href' || name === 'src') expect(value).toMatch(/^https?:\/\//)
        }
    }
  })

  it('opens links without opener, and loads images lazily and without referrer', () => {
    const element = shown('<p>See <a href="https://ok.test/a?b=1">this</a> <img src="https://ok.test/1.png"></p>')
    const link = element.querySelector('a')
    expect(link?.href).toBe('https://ok.test/a?b=1')
    expect(link?.target).toBe('_blank')
    expect(link?.rel).toBe('noopener noreferrer')
    const picture = element.querySelector('img')
    expect(['loading', 'referrerpolicy', 'alt'].map(name => picture?.getAttribute(name))).toEqual([
      'lazy',
      'no-referrer',
      '',
    ])
  })

  it.each([
    ['https://ok.test/1.png', true],
    ['http://127.0.0.1:7401/asset/1', true],
    ['https://foldingathome.org/1.png', true],
    ['https://stats.foldingathome.org/1.png', true],
    ['http://foldingathome.org/1.png', false],
    ['https://foldingathome.org.evil.test/1.png', false],
    ['https://evilfoldingathome.org/1.png', false],
    ['https://ok.test:8443/1.png', false],
    ['http://127.0.0.1:7402/1.png', false],
    ['https://tracker.test/1.png', false],
  ])('loads the image %s: %s', (address, isLoaded) => {
    const element = shown(`<p><img src="${address}" alt="A graph"></p>`)
    expect(element.querySelectorAll('img')).toHaveLength(isLoaded ? 1 : 0)
    const link = element.querySelector('a')
    expect(link?.href).toBe(isLoaded ? undefined : address)
    expect(link?.rel).toBe(isLoaded ? undefined : 'noopener noreferrer')
    expect(link?.textContent).toBe(isLoaded ? undefined : 'Image: A graph')
  })

  it('replaces a linked image that is not loaded by text', () => {
    const element = shown('<a href="https://x.test/"><img src="https://tracker.test/1.png"></a>')
    expect(element.querySelector('img')).toBe(null)
    expect(element.textContent).toBe('Image not loaded')
    expect(element.querySelectorAll('a')).toHaveLength(1)
  })

  it('keeps text and its formatting', () => {
    expect(shown('<p>Most atoms are <strong>water</strong> &amp; salt.</p><ul><li>one</li></ul>').innerHTML).toBe(
      '<p>Most atoms are <strong>water</strong> &amp; salt.</p><ul><li>one</li></ul>',
    )
    expect(shown('Five <em>proteins</em> &amp; <a href="https://x.test">one</a><p>weekend</p>', true).innerHTML).toBe(
      'Five <em>proteins</em> &amp; oneweekend',
    )
  })

  it('is replaced when it changes', () => {
    const { container, rerender } = render(<ForeignHtml lang="en" html="<p>one</p>" />)
    rerender(<ForeignHtml lang="en" html="<p>two</p>" />)
    expect(container.textContent).toBe('two')
  })

  it('may be plain text', () => {
    fc.assert(
      fc.property(
        fc.string().filter(text => !/[<&\r\0]/.test(text)),
        text => {
          expect(shown(text).textContent).toBe(text)
        },
      ),
      { numRuns: 30 },
    )
  })
})
