import type { JsonObject } from '../../../../src/protocol/json.ts'
import { isoTime } from '../time-text.ts'
import type { UnitResult, UnitState } from '../types.ts'
import type { SimulatedUnit } from './simulated-unit.ts'
import { textOf } from '../wire-value.ts'
import { logClient, type ClientContext } from '../client-context.ts'

const MAX_LOST_UNITS = 4
const MAX_FAILURE_EXPONENT = 10
const REMOVED_AFTER_MS = 200

/** The state on the wire: clients before 8.4 call DONE CLEAN. */
export function wireState(version: string, state: UnitState): UnitState {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return state === 'DONE' && (major < 8 || (major === 8 && minor < 4)) ? 'CLEAN' : state
}

/**
 * Ends a unit: adds its history row, sends its last changes, updates its group's counts, and removes it a moment later.
 */
export function endUnit(
  context: ClientContext,
  unit: SimulatedUnit,
  { result, at }: { readonly result: UnitResult; readonly at: number },
): void {
  const { doc } = context
  const { wire } = unit
  const before = textOf(wire['state'])
  doc.setUnit(wire, 'end_time', isoTime(at))
  doc.setUnit(wire, 'result', result)
  const row: JsonObject = { ...wire }
  context.addHistory(row)
  doc.setUnit(wire, 'state', wireState(context.profile.version, 'DONE'))
  if (wire['progress'] !== undefined) doc.setUnit(wire, 'progress', 0)
  countResult(context, textOf(wire['group']), result, before !== 'ASSIGN' && before !== 'DOWNLOAD', at)
  context.schedule.at(at + REMOVED_AFTER_MS, () => {
    const index = context.units.indexOf(unit)
    if (index !== -1) context.units.splice(index, 1)
    doc.removeUnit(wire)
    context.changed()
    context.reschedule()
  })
  context.changed()
  context.reschedule()
}

/**
 * Failures delay new units, too many lost units pause the group, and a credited unit resets both (docs/protocol.md §4).
 */
function countResult(context: ClientContext, name: string, result: UnitResult, downloaded: boolean, at: number): void {
  const { doc } = context
  const group = doc.groups.get(name)
  if (group === undefined || result === 'aborted') return
  if (result === 'credited') {
    clearFailures(context, name, at)
    return
  }
  if (result !== 'dumped') {
    const failed = (group.extra.failed_wus ?? 0) + 1
    doc.setGroupExtra(name, 'failed_wus', failed)
    doc.setGroupExtra(name, 'wait', isoTime(at + 2 ** Math.min(failed, MAX_FAILURE_EXPONENT) * 1000))
  }
  if (!downloaded) return
  const lost = (group.extra.lost_wus ?? 0) + 1
  doc.setGroupExtra(name, 'lost_wus', lost)
  if (lost <= MAX_LOST_UNITS) return
  const text = 'Paused due too many failed Work Units.'
  doc.setGroupExtra(name, 'failed', text)
  doc.setGroupConfig(name, 'paused', true)
  logClient(context, 'W', `${name === '' ? 'Default' : name}:${text}`)
}

/** Resets the failure counts of a group: after a credited unit, or when it folds after a pause. */
export function clearFailures(context: ClientContext, name: string, at: number): void {
  context.doc.setGroupExtra(name, 'wait', isoTime(at))
  context.doc.setGroupExtra(name, 'failed_wus', 0)
  context.doc.setGroupExtra(name, 'lost_wus', 0)
  context.doc.setGroupExtra(name, 'failed', '')
}
