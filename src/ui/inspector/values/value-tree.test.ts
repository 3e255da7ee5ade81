import { describe, expect, it } from 'vitest'
import { ActorLink } from '../../../journal/links.ts'
import { branchesOf, copyOf, valueTree } from './value-tree.ts'

function same(text: string): string {
  return text
}
const context = {
  name: 'atlas',
  units: [{ project: 18201 }, { project: 18202 }],
  peers: new Map([['a/b', new ActorLink('fleet')]]),
  frames: new Float32Array(3),
  nothing: undefined,
}

function printed(nodes: ReturnType<typeof valueTree>): unknown {
  return nodes.map(({ name, text, children }) =>
    children.length === 0 ? `${name} ${text}` : [name, printed(children)],
  )
}

describe('a value tree', () => {
  it('shows values, and the sizes of collapsed branches', () => {
    expect(printed(valueTree(context, new Set(), '', same))).toEqual([
      'name “atlas”',
      'units [2]',
      'peers map of 1',
      'frames Float32Array of 12 bytes',
      'nothing undefined',
    ])
  })

  it('shows the entries of expanded branches', () => {
    expect(printed(valueTree(context, new Set(['/units', '/units/1', '/peers']), '', same))).toContainEqual([
      'units',
      ['0 {1}', ['1', ['project 18202']]],
    ])
    expect(valueTree(context, new Set(['/peers']), '', same)[2]?.children[0]).toMatchObject({
      id: '/peers/a~1b',
      text: '→ fleet',
    })
  })

  it('finds names and values at any depth, with their ancestors', () => {
    const found = valueTree(context, new Set(), '18202', same)
    expect(printed(found)).toEqual([['units', [['1', ['project 18202']]]]])
    expect(branchesOf(found)).toEqual(['/units', '/units/1'])
    expect(printed(valueTree(context, new Set(), 'ATLAS', same))).toEqual(['name “atlas”'])
  })

  it('stops at a maximum depth', () => {
    const endless: Record<string, unknown> = {}
    endless['again'] = endless
    expect(valueTree(endless, new Set(), 'nowhere', same)).toEqual([])
  })
})

describe('a copied value', () => {
  it('is the text itself, or JSON of anything else, with secrets masked', () => {
    expect(copyOf('a "b"', same)).toBe('a "b"')
    expect(JSON.parse(copyOf(context, same))).toMatchObject({ name: 'atlas', frames: 'Float32Array of 12 bytes' })
    expect(copyOf(undefined, same)).toBe('undefined')
    expect(copyOf({ quoted: 'hush' }, text => text.replaceAll('hush', '•'))).toContain('"•"')
  })
})
