/*
 * When the work units of a fleet finish. Instants are epoch milliseconds.
 */
import type { ClientInfo, Unit } from '../../protocol/client/client-data.ts'
import { type ClientView, clientName, infoOf, unitsOf } from '../client/client.ts'
import { shownUnitResources } from '../client/resources.ts'
import { text } from '../shared/read.ts'
import { isWorking, clientTime } from '../unit/unit-meaning.ts'
import { deadlineRisk, timeLeft, projectOf, workShare, type DeadlineRisk } from '../unit/unit-progress.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A unit whose core runs, and when it will be done at its present speed. */
export type Finish = {
  /** Distinct within the fleet. */
  readonly key: string
  /** The id of the shown connection to its client. */
  readonly client: string
  readonly machine: string
  readonly unit: Unit
  readonly info: ClientInfo | undefined
  /** Whole minutes, so that the order does not change with each report. */
  readonly at: number
  readonly risk: DeadlineRisk
}

/** The units of a connected client that run and report the time left. `now`: on the client's clock. */
export function finishesOf(client: ClientView, now: number): readonly Finish[] {
  if (!client.isConnected) return []
  const info = infoOf(client)
  const machine = clientName(client)
  const time = clientTime(client.data, now)
  return unitsOf(client.data).flatMap((unit, index) => {
    const left = isWorking(unit, time) ? timeLeft(unit, time) : undefined
    if (left === undefined) return []
    return [
      {
        key: `${client.id} ${text(unit.id) ?? index}`,
        client: client.id,
        machine,
        unit,
        info,
        at: Math.ceil((now + left * 1000) / MINUTE) * MINUTE,
        risk: deadlineRisk(unit, now),
      },
    ]
  })
}

/** The next to finish first; at the same minute in a fixed order. */
export function inOrderOfFinish(finishes: readonly Finish[]): readonly Finish[] {
  return [...finishes].sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
}

export type FinishDetails = {
  /** The unit's id; undefined when it has none. */
  readonly id: string | undefined
  readonly project: number | undefined
  readonly resources: string | undefined
  /** Share of the work, 0..1. */
  readonly progress: number | undefined
}

/** What is shown of a unit in view; computing it for all units of a large fleet would take most of the time. */
export function finishDetails({ unit, info }: Finish): FinishDetails {
  return {
    id: text(unit.id),
    project: projectOf(unit),
    resources: shownUnitResources(unit, info),
    progress: workShare(unit),
  }
}

/** An hour of the time line: how many units finish in it. */
export type FinishHour = {
  /** Its start. */
  readonly at: number
  readonly count: number
  /** Those of them that miss their timeout or deadline. */
  readonly atRisk: number
}

/** The length of the time line, in hours. */
export const FINISH_HOURS = 24

/** 24 hours from the start of the present one, `first`. Units that finish later are in none. */
export function finishHours(finishes: readonly Finish[], first: number): readonly FinishHour[] {
  const counts = Array.from({ length: FINISH_HOURS }, (_, index) => ({ at: first + index * HOUR, count: 0, atRisk: 0 }))
  for (const { at, risk } of finishes) {
    const hour = counts[Math.floor((at - first) / HOUR)]
    if (hour === undefined) continue
    hour.count++
    if (risk !== 'none') hour.atRisk++
  }
  return counts
}

/** Whether a unit finishes within an hour of the time line that starts at `hour`. */
export function finishesInHour({ at }: Finish, hour: number): boolean {
  return at >= hour && at < hour + HOUR
}

/** The units that miss their timeout or deadline at their present speed. */
export function unitsAtRisk(finishes: readonly Finish[]): readonly Finish[] {
  return finishes.filter(({ risk }) => risk !== 'none')
}
