import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { contrastOf, isInSrgb, parseOklch, type Oklch } from '../../../test/oklch.ts'

type Theme = 'light' | 'dark'
const themes: readonly Theme[] = ['light', 'dark']

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

function readColors(): ReadonlyMap<string, Readonly<Record<Theme, Oklch>>> {
  const colors = new Map<string, Record<Theme, Oklch>>()
  for (const [, name, light, dark] of css.matchAll(
    /--([\w-]+):\s*light-dark\((oklch\([^()]*\)), (oklch\([^()]*\))\);/g,
  )) {
    const pair = { light: parseOklch(light ?? ''), dark: parseOklch(dark ?? '') }
    if (name !== undefined && pair.light !== undefined && pair.dark !== undefined) {
      colors.set(name, { light: pair.light, dark: pair.dark })
    }
  }
  return colors
}

const colors = readColors()
function colorOf(name: string, theme: Theme): Oklch {
  const color = colors.get(name)?.[theme]
  if (color === undefined) throw new Error(`tokens.css has no color --${name}`)
  return color
}

const tones = ['running', 'finishing', 'waiting', 'paused', 'transfer', 'failed', 'warning', 'done', 'unknown', 'stale']
const ansi = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
const surfaces = ['surface-page', 'surface-panel', 'surface-band', 'surface-raised', 'surface-sunken', 'surface-hover']

type Pair = readonly [text: string, ground: string, atLeast: number]
const pairs: readonly Pair[] = [
  ...surfaces.map((ground): Pair => ['text', ground, 7]),
  ...[...surfaces, 'surface-pressed'].map((ground): Pair => ['text-quiet', ground, 4.5]),
  ...surfaces.map((ground): Pair => ['accent-text', ground, 4.5]),
  ...surfaces.flatMap(ground => tones.map((tone): Pair => [`tone-${tone}`, ground, 4.5])),
  ...tones.map((tone): Pair => [`tone-${tone}`, `tone-${tone}-soft`, 4.5]),
  ...tones.map((tone): Pair => ['text', `tone-${tone}-soft`, 7]),
  ...tones.map((tone): Pair => [`tone-${tone}-bar`, 'surface-sunken', 3]),
  ...surfaces.map((ground): Pair => ['line-strong', ground, 3]),
  ...['accent', 'danger', 'focus'].flatMap(mark => surfaces.map((ground): Pair => [mark, ground, 3])),
  ...ansi.flatMap(color =>
    ['surface-panel', 'surface-hover', 'accent-soft'].map((ground): Pair => [`ansi-${color}`, ground, 4.5]),
  ),
  ['text', 'match', 7],
  ['text', 'accent-soft', 7],
  ['text-quiet', 'accent-soft', 4.5],
  ['accent-text', 'accent-soft', 4.5],
  ['text-on-accent', 'accent', 4.5],
  ['text-on-accent', 'accent-hover', 4.5],
  ['text-on-danger', 'danger', 4.5],
  ['text-on-danger', 'danger-hover', 4.5],
  ['text-inverse', 'surface-inverse', 7],
]

describe('the colors', () => {
  it('are all read from tokens.css [13.9]', () => {
    const declared = [...css.matchAll(/--(?:surface|text|accent|danger|focus|line|tone|ansi|match)[\w-]*:/g)].length
    expect(colors.size).toBe(declared)
    expect(colors.size).toBeGreaterThan(50)
  })

  it.each(themes)('lie within sRGB in the %s theme', theme => {
    const outside = [...colors].filter(([, color]) => !isInSrgb(color[theme])).map(([name]) => name)
    expect(outside).toEqual([])
  })

  it.each(themes)('have enough contrast in all pairs in the %s theme [13.5]', theme => {
    const weak = pairs.flatMap(([text, ground, atLeast]) => {
      const contrast = contrastOf(colorOf(text, theme), colorOf(ground, theme))
      return contrast < atLeast ? [`--${text} on --${ground}: ${contrast.toFixed(2)} < ${atLeast}`] : []
    })
    expect(weak).toEqual([])
  })
})

describe('the custom properties', () => {
  /** React Aria sets these. */
  const libraries = ['--tree-item-level', '--visual-viewport-height']
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(?:css|tsx?)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map(name => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))

  it('that stylesheets use are declared or set somewhere [13.9]', () => {
    const declared = new Set([
      ...libraries,
      ...sources.flatMap(({ name, text }) =>
        [...text.matchAll(name.endsWith('.css') ? /(--[\w-]+):/g : /['"`](--[\w-]+)['"`]/g)].map(
          ([, property = '']) => property,
        ),
      ),
    ])
    const used = sources.flatMap(({ name, text }) =>
      name.endsWith('.css')
        ? [...text.matchAll(/var\((--[\w-]+)/g)].map(([, property = '']) => ({ name, property }))
        : [],
    )
    // A property for each column: `--title-${id}`.
    const prefixes = sources.flatMap(({ text }) =>
      [...text.matchAll(/`(--[\w-]+-)\$\{/g)].map(([, prefix = '']) => prefix),
    )
    const isDeclared = (property: string): boolean =>
      declared.has(property) || prefixes.some(prefix => property.startsWith(prefix))
    expect(used.length).toBeGreaterThan(1000)
    expect(used.filter(({ property }) => !isDeclared(property))).toEqual([])
  })
})

describe('the computed contrast', () => {
  it('is 21 between black and white and 1 between equals', () => {
    const black = { lightness: 0, chroma: 0, hue: 0 }
    const white = { lightness: 1, chroma: 0, hue: 0 }
    expect(contrastOf(black, white)).toBeCloseTo(21, 2)
    expect(contrastOf(white, white)).toBe(1)
  })

  it('agrees with a known color: #767676 on white is 4.54', () => {
    expect(contrastOf({ lightness: 0.5658, chroma: 0, hue: 0 }, { lightness: 1, chroma: 0, hue: 0 })).toBeCloseTo(
      4.54,
      2,
    )
  })
})
