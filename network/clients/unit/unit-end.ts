import type { JsonObject } from '../../../src/protocol/json.ts'
import { isoTime } from '../time-text.ts'
import type { UnitResult, UnitState } from '../types.ts'
import type { UnitLife } from './unit-life.ts'
import { textOf } from '../wire-value.ts'
import { say } from '../world.ts'
import type { World } from '../world.ts'

const MOST_LOST_UNITS = 4
const LONGEST_FAILURE_POWER = 10
const REMOVED_AFTER_MS = 200

/** Clients before 8.4 call the end of a unit CLEAN. */
export const stateWord = (version: string, state: UnitState): UnitState => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return state === 'DONE' && (major < 8 || (major === 8 && minor < 4)) ? 'CLEAN' : state
}

/** States in which a unit has been downloaded, so that its loss counts. */
const wasDownloaded = (state: string): boolean => state !== 'ASSIGN' && state !== 'DOWNLOAD'

/** A unit ends: its row, its last words to readers, what it means for its group, and a moment later its removal. */
export const endUnit = (
  world: World,
  life: UnitLife,
  { result, at }: { readonly result: UnitResult; readonly at: number },
): void => {
  const { doc } = world
  const { wire } = life
  const before = textOf(wire['state'])
  doc.setUnit(wire, 'end_time', isoTime(at))
  doc.setUnit(wire, 'result', result)
  const row: JsonObject = { ...wire }
  world.addHistory(row)
  doc.setUnit(wire, 'state', stateWord(world.profile.version, 'DONE'))
  if (wire['progress'] !== undefined) doc.setUnit(wire, 'progress', 0)
  countForGroup(world, textOf(wire['group']), result, wasDownloaded(before), at)
  world.schedule.at(at + REMOVED_AFTER_MS, () => {
    const index = world.lives.indexOf(life)
    if (index !== -1) world.lives.splice(index, 1)
    doc.removeUnit(wire)
    world.changed()
    world.reschedule()
  })
  world.changed()
  world.reschedule()
}

/**
 * Failures delay new units, too many losses pause the group, a credited unit forgives everything (docs/protocol.md §4).
 */
const countForGroup = (world: World, name: string, result: UnitResult, downloaded: boolean, at: number): void => {
  const { doc } = world
  const group = doc.groups.get(name)
  if (group === undefined || result === 'aborted') return
  if (result === 'credited') {
    clearFailures(world, name, at)
    return
  }
  if (result !== 'dumped') {
    const failed = (group.extra.failed_wus ?? 0) + 1
    doc.setGroupExtra(name, 'failed_wus', failed)
    doc.setGroupExtra(name, 'wait', isoTime(at + 2 ** Math.min(failed, LONGEST_FAILURE_POWER) * 1000))
  }
  if (!downloaded) return
  const lost = (group.extra.lost_wus ?? 0) + 1
  doc.setGroupExtra(name, 'lost_wus', lost)
  if (lost <= MOST_LOST_UNITS) return
  const text = 'Paused due too many failed Work Units.'
  doc.setGroupExtra(name, 'failed', text)
  doc.setGroupConfig(name, 'paused', true)
  say(world, 'W', `${name === '' ? 'Default' : name}:${text}`)
}

/** A credited unit, or folding after a pause, starts a group's count anew. */
export const clearFailures = (world: World, name: string, at: number): void => {
  world.doc.setGroupExtra(name, 'wait', isoTime(at))
  world.doc.setGroupExtra(name, 'failed_wus', 0)
  world.doc.setGroupExtra(name, 'lost_wus', 0)
  world.doc.setGroupExtra(name, 'failed', '')
}
