import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  bodyOf,
  changeOf,
  sharedAnswer,
  sharedAnswerOf,
  sharedChangeBody,
  sharedOf,
  type SharedChange,
} from './shared.ts'

const profile = {
  idle: { watts: 50, origin: 'entered' },
  gpus: { 'gpu:01:00:00': { watts: 300, origin: 'measured' } },
} as const
const tariffs = { currency: 'EUR', timeZone: 'Europe/Berlin', price: { kind: 'fixed', price: 0.3 }, co2: null } as const
const power = { machines: { a: profile }, tariffs }
const processors = { a: [{ group: '', gpu: 'gpu:01:00:00', state: 'pause', cpus: 1, at: 1000, by: 'anna' }] } as const
const views = { views: [{ name: 'Paused', params: { filter: 'state:paused' } }], chosen: 'Paused' }

describe('what pages and server exchange about tags, views, power and processors', () => {
  it.each<SharedChange>([
    { type: 'tags.add', machines: ['a'], tag: 'attic' },
    { type: 'tags.remove', machines: ['a'], tag: 'attic' },
    { type: 'tags.rename', tag: 'attic', newTag: 'loft' },
    { type: 'tags.import', tags: { a: ['attic'] }, mode: 'merge' },
    { type: 'views.save', name: 'Paused', params: { filter: 'state:paused' } },
    { type: 'views.rename', name: 'Paused', newName: 'Stopped' },
    { type: 'views.move', name: 'Paused', by: -1 },
    { type: 'views.delete', name: 'Paused' },
    { type: 'views.choose', name: 'Paused' },
    { type: 'views.choose' },
    { type: 'views.import', views, mode: 'missing' },
    { type: 'power.profile', machine: 'a', profile },
    { type: 'power.tariffs', tariffs },
    { type: 'power.import', power },
    { type: 'processors.note', machine: 'a', notes: processors.a },
    { type: 'processors.import', processors },
  ])('is the same on the other side: %o', change => {
    const body: unknown = JSON.parse(JSON.stringify(bodyOf(change)))
    expect(changeOf(v.parse(sharedChangeBody, body))).toEqual(change)
  })

  it('has only what a file of tags or views may have', () => {
    const shared = { revision: '7', tags: { a: ['attic'] }, views, power, processors }
    const answer: unknown = JSON.parse(JSON.stringify(sharedAnswerOf(shared)))
    expect(sharedOf(v.parse(sharedAnswer, answer))).toEqual(shared)
    const strange = JSON.parse(
      '{"revision":"1","tags":{"__proto__":["x"],"":["y"]},"views":{"views":[]},"power":{"machines":{"":{"gpus":{}}}},"processors":{}}',
    ) as unknown
    expect(sharedOf(v.parse(sharedAnswer, strange))).toEqual({
      revision: '1',
      tags: {},
      views: { views: [], chosen: undefined },
      power: { machines: {}, tariffs: undefined },
      processors: {},
    })
    expect(v.is(sharedChangeBody, { type: 'tags.add', machines: 'a', tag: 'x' })).toBe(false)
    expect(v.is(sharedChangeBody, { type: 'views.move', name: 'x', by: 2 })).toBe(false)
  })
})
