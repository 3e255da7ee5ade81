import { chanceBetween } from '../random.ts'
import { bytesText } from '../time-text.ts'
import { REQUEST_MS, progressAt, stateOf, whenDone, type SimulatedUnit } from './simulated-unit.ts'
import { numberOf, textOf } from '../wire-value.ts'
import { logClient, logUnit, type ClientContext } from '../client-context.ts'

const STEPS = 500_000

/** Percent between two step lines, so that there is at most one line a second at any speed. */
function percentsPerLine(rate: number): number {
  return [1, 2, 5, 10, 20].find(percents => percents / 100 / rate >= 1000) ?? 50
}

/** Logs the start of a core and its steps; returns a function that ends the steps early. */
export function logCoreStart(
  context: ClientContext,
  unit: SimulatedUnit,
  at: number,
  pid: number,
): (at: number) => void {
  const { version } = context.profile
  const core = (unit.project?.core ?? '0xa9').slice(2)
  const args = `-dir ${textOf(unit.wire['id'])} -suffix 01 -version ${version} -lifeline ${numberOf(context.doc.info['pid'])} -np ${numberOf(unit.wire['cpus'], 1)}`
  logClient(context, 'I3', `Running FahCore: cores/${core}/FahCore_${core} ${args}`)
  logUnit(context, unit, 'I3', `Started FahCore on PID ${pid}`)
  logUnit(context, unit, 'I1', `Core ${core} reads work unit, project ${unit.project?.project ?? 0}`)
  const each = percentsPerLine(unit.rate)
  const first = Math.floor((progressAt(unit, at) * 100) / each + 1e-6) + 1
  return context.log.addSpan({
    start: whenDone(unit, (first * each) / 100),
    every: each / 100 / unit.rate,
    count: Math.floor(100 / each) - first + 1,
    text: index => stepLine(unit.number, (first + index) * each),
  })
}

function stepLine(number: number, percent: number): string {
  return `WU${number}:Completed ${(STEPS / 100) * percent} out of ${STEPS} steps (${percent}%)`
}

/** Logs a transfer: one line for the request, then one for every tenth of the bytes. */
export function logTransfer(context: ClientContext, unit: SimulatedUnit): void {
  const { transfer } = unit
  if (transfer === undefined) return
  const word = `WU${unit.number}:${stateOf(unit)}`
  const bytes = chanceBetween(1.5, 40, context.seed, unit.number, stateOf(unit)) * 1024 ** 2
  const tenth = (transfer.length - REQUEST_MS) / 10
  context.log.addSpan({
    start: transfer.start + REQUEST_MS,
    every: 1,
    count: 1,
    text: () => `${word} 100% 976B of 976B`,
  })
  context.log.addSpan({
    start: transfer.start + REQUEST_MS + tenth,
    every: tenth,
    count: transfer.failsAt === undefined ? 10 : 3,
    text: index => `${word} ${(index + 1) * 10}% ${bytesText((bytes * (index + 1)) / 10)} of ${bytesText(bytes)}`,
  })
}
