import { describe, expect, it } from 'vitest'
import { isJsonList, isJsonObject } from '../../../../src/protocol/json.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import { createTestClient, part } from '../../../../test/network/test-client.ts'
import { createProfiles } from '../../fleet/client-profiles.ts'
import { demoProfiles, localProfile } from './demo.ts'
import { textOf } from '../wire-value.ts'
import { fleetProfile } from './fleet.ts'

const documents = demoProfiles.map(({ profile, name }) => {
  const context = createTestClient(profile, { name, seed: 5 })
  context.clock.advance(2000)
  return { name, profile, document: context.document(), units: context.units() }
})

const all = documents.flatMap(({ units }) => units)

function groupsOf(document: JsonObject): readonly JsonObject[] {
  return isJsonObject(document['groups']) ? Object.values(document['groups']).filter(isJsonObject) : []
}

describe('the six demo clients', () => {
  it('show every lasting state, and every pause reason', () => {
    expect(new Set(all.map(unit => unit['state']))).toEqual(new Set(['ASSIGN', 'DOWNLOAD', 'CORE', 'RUN', 'UPLOAD']))
    expect(new Set(all.flatMap(unit => unit['pause_reason'] ?? []))).toEqual(
      new Set(['Paused', 'Pausing on battery', 'Waiting for idle system', 'Resources not available']),
    )
  })
  it('show project and progress of every unit whose core has run, paused or not', () => {
    const worked = all.filter(unit => unit['wu_progress'] !== undefined)
    expect(worked.filter(unit => unit['pause_reason'] !== undefined).length).toBeGreaterThanOrEqual(4)
    for (const unit of worked) {
      expect(unit).toMatchObject({
        assignment: { project: expect.any(Number) as unknown, credit: expect.any(Number) as unknown },
        wu: { run: expect.any(Number) as unknown, clone: expect.any(Number) as unknown },
        eta: expect.stringMatching(/^\d/) as unknown,
        ppd: expect.any(Number) as unknown,
        run_time: expect.any(Number) as unknown,
      })
    }
    expect(all.filter(unit => unit['state'] === 'CORE').every(unit => unit['wu_progress'] !== undefined)).toBe(true)
  })
  it('wait to be assigned, to download and to upload', () => {
    const waiting = all.filter(unit => Date.parse(textOf(unit['wait'])) > Date.parse('2026-11-20T12:00:02Z'))
    expect(new Set(waiting.map(unit => unit['state']))).toEqual(new Set(['ASSIGN', 'DOWNLOAD', 'UPLOAD']))
    expect(waiting.some(unit => typeof unit['error'] === 'string')).toBe(true)
  })
  it('have a group that failed, one with more than one failed unit, one that finishes, and one with nothing to do', () => {
    const groups = documents.flatMap(({ document }) => groupsOf(document))
    expect(groups.filter(group => group['failed'] === 'Paused due too many failed Work Units.')).toHaveLength(1)
    expect(groups.some(group => Number(group['failed_wus']) > 1 && group['failed'] === '')).toBe(true)
    expect(groups.some(group => part(group, 'config', 'finish') === true)).toBe(true)
    expect(documents.filter(({ units }) => units.length === 0).map(({ name }) => name)).toEqual(['quiet'])
  })
  it('include an outdated and an offline client', () => {
    expect(demoProfiles.flatMap(({ profile }) => (profile.version < '8.3.0' ? [profile.version] : []))).toEqual([
      '8.1.18',
    ])
    expect(demoProfiles.filter(({ profile }) => profile.offline)).toHaveLength(1)
  })
  it('have a history with every result', () => {
    const results = new Set(demoProfiles.flatMap(({ profile }) => profile.history))
    expect(results).toEqual(
      new Set(['credited', 'failed', 'dumped', 'aborted', 'expired', 'retries', 'rejected', 'missing']),
    )
  })
  it('keep working for a day without a command', () => {
    const [rig] = demoProfiles
    const context = createTestClient(rig?.profile ?? {}, { seed: 5 })
    context.clock.advance(86_400_000)
    const running = context.units().filter(unit => unit['state'] === 'RUN' && unit['pause_reason'] === undefined)
    expect(running.length).toBeGreaterThanOrEqual(2)
  })
})

it('profiles have as many earlier units as is asked for, or more', () => {
  const profileFor = createProfiles(5, false, undefined, 20)
  expect(profileFor(0).profile.history).toEqual(demoProfiles[0]?.profile.history)
  expect(profileFor(40).profile.history).toEqual(Array.from({ length: 20 }, () => 'credited'))
})

it('the local client is not linked', () => {
  const { document } = createTestClient(localProfile.profile, { name: localProfile.name })
  expect(part(document(), 'info', 'account')).toBe('')
  expect(part(document(), 'config', 'user')).toBe('Anonymous')
})

it('every fleet client has two running units, and differs from the others', () => {
  const worlds = [0, 1, 2, 3, 500, 1999].map(index => {
    const { name, profile } = fleetProfile(index, 42)
    const context = createTestClient(profile, { name, seed: index })
    context.clock.advance(1)
    return {
      name,
      states: context.units().map(unit => [unit['state'], isJsonList(unit['gpus']) ? unit['gpus'].length : 0]),
      info: context.document()['info'],
    }
  })
  expect(worlds.map(({ states }) => states)).toEqual(
    worlds.map(() => [
      ['RUN', 0],
      ['RUN', 1],
    ]),
  )
  expect(worlds.map(({ name }) => name)).toEqual([
    'folder-0001',
    'folder-0002',
    'folder-0003',
    'folder-0004',
    'folder-0501',
    'folder-2000',
  ])
  expect(new Set(worlds.map(({ info }) => part(info, 'cpu_brand'))).size).toBeGreaterThan(1)
})
