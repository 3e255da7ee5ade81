import type { JsonObject } from '../../../../src/protocol/json.ts'
import { chooseProject, makeAssignment, makeWorkUnit, paceFactor, pointsPerDay } from './assignment.ts'
import { chance, chanceBetween, idFrom } from '../random.ts'
import { isoTime } from '../time-text.ts'
import type { UnitResult } from '../types.ts'
import type { ClientContext } from '../client-context.ts'

const HOUR = 3_600_000

function stateBefore(result: UnitResult): string {
  if (result === 'credited' || result === 'rejected') return 'UPLOAD'
  if (result === 'aborted') return 'ASSIGN'
  return result === 'dumped' || result === 'failed' ? 'DUMP' : 'CORE'
}

/**
 * History rows of units that ended before the first start (`born`), on the CPUs and on each GPU one after the other;
 * `results` newest first, rows oldest first.
 */
export function seedHistoryRows(
  context: ClientContext,
  results: readonly UnitResult[],
  born: number,
): readonly JsonObject[] {
  const { gpus, units } = context.profile
  const places = [undefined, ...Object.keys(gpus).filter(id => gpus[id]?.supported)].map(gpu => ({
    gpu,
    // Before what runs now, of which a usual unit takes four hours.
    end: born - 4 * HOUR * (units.find(unit => unit.gpus?.[0] === gpu)?.progress ?? 0),
  }))
  const rows = results.map((result, index) => {
    const place = places.reduce((last, each) => (each.end > last.end ? each : last))
    const end = place.end - chanceBetween(0.02, 0.4, context.seed, 'gap', index) * HOUR
    const { row, began } = seedHistoryRow(context, result, results.length - index, { ...place, end })
    place.end = began
    return row
  })
  return rows.reverse()
}

function seedHistoryRow(
  context: ClientContext,
  result: UnitResult,
  number: number,
  { gpu, end }: { readonly gpu: string | undefined; readonly end: number },
): { row: JsonObject; began: number } {
  const { seed, profile } = context
  const gpus = gpu === undefined ? [] : [gpu]
  const cpus = gpu === undefined ? Math.max(1, profile.cpus - 1) : 1
  const ids = { cpus, gpus, group: '', id: idFrom(context.id, number, 'past'), number, state: stateBefore(result) }
  if (result === 'aborted') return { row: { ...ids, end_time: isoTime(end), result }, began: end }
  const project = chooseProject(context.projects, gpu !== undefined, seed, number)
  const share =
    result === 'credited' || result === 'rejected' ? 1 : Math.round(chance(seed, number, 'past share') * 900) / 1000
  const hours = project.hours * paceFactor(seed, number)
  const began = end - share * hours * HOUR
  const row: JsonObject = {
    ...ids,
    run_time: Math.round(share * hours * 3600),
    wu_progress: share,
    eta: share === 1 ? '1s' : '1h 10m',
    ppd: Math.round(pointsPerDay(project, hours / 24)),
    assignment: makeAssignment(project, { seed, number, cpus, gpus, at: began }),
    wu: makeWorkUnit(seed, number, began),
    paused: false,
    progress: 0,
    end_time: isoTime(end),
    result,
  }
  return { row, began }
}
