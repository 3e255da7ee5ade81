import type { HistoryAnswer } from '../../src/folding/unit/server-history.ts'
import { fileMachine, readingOf } from '../../src/folding/unit/unit-file.ts'
import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import { endedUnit } from '../store/recorder.ts'
import type { EndedUnit } from '../store/store.ts'
import type { ApiServices, Handlers } from './api.ts'
import type { historyRoutes } from './history-routes.ts'

type HistoryServices = Pick<ApiServices, 'store' | 'metrics' | 'now'>

/** Handlers of the routes by which pages read the history, and give their own. */
export const historyHandlers = ({
  store,
  metrics,
  now,
}: HistoryServices): Pick<Handlers, keyof typeof historyRoutes> => ({
  history: async ({ query: { limit, after } }, context) => {
    const { units, next } = await store.units({}, limit, after)
    const machines = after === undefined ? await store.machines() : []
    return context.json({
      machines: machines.map(({ id, name, os, version }) => ({ id, name, os, version })),
      units: units.map(servedUnit),
      next: next ?? null,
    } satisfies HistoryAnswer)
  },
  takeHistory: async ({ identity, body }, context) => {
    const names = new Map((await store.machines()).map(({ id, name }) => [id, name]))
    const machines = new Map(
      body.machines
        .filter(({ id }) => names.has(id))
        .map(machine => [machine.id, fileMachine(machine.id, machine.name, Reflect.get(machine, 'info'))]),
    )
    const rows = body.units.flatMap(row => {
      const machine = machines.get(row.machine)
      const json: unknown = row
      return machine === undefined || !isJsonObject(json as Json) ? [] : [{ machine, row: json as Json }]
    })
    const reading = readingOf(rows)
    const units = reading.ok
      ? reading.excerpt.units.flatMap(({ machine, unit }) => {
          const known = machines.get(machine)
          return known === undefined ? [] : (endedUnit(known, unit) ?? [])
        })
      : []
    const taken = await store.imports.addMissing(units)
    for (const { machine, result, credit } of taken)
      metrics.countUnits(names.get(machine) ?? machine, result, 1, credit ?? 0)
    if (taken.length > 0) {
      const id = await store.addAction({
        at: now(),
        who: identity.name,
        machine: [...new Set(taken.map(({ machine }) => names.get(machine) ?? machine))].slice(0, 3).join(', '),
        command: `take in ${taken.length} units of a page`,
        reason: 'history of a browser',
      })
      await store.settleAction(id, 'confirmed')
    }
    return context.json({ taken: taken.length, known: units.length - taken.length })
  },
})

const servedUnit = (unit: EndedUnit): HistoryAnswer['units'][number] => ({
  key: unit.key,
  machine: unit.machine,
  unit: unit.unit,
  number: unit.number,
  group: unit.group_name,
  resource: unit.resource,
  project: unit.project,
  run: unit.run,
  clone: unit.clone,
  gen: unit.gen,
  core: unit.core,
  result: unit.result,
  credit: unit.credit,
  pointsPerDay: unit.ppd,
  tpf: unit.tpf ?? null,
  progress: unit.progress ?? null,
  runTime: unit.run_time,
  assigned: unit.assigned,
  ended: unit.ended,
})
