import { chanceBetween } from '../random.ts'
import { bytesText } from '../time-text.ts'
import { REQUEST_MS, progressAt, stateOf, whenDone } from './unit-life.ts'
import type { UnitLife } from './unit-life.ts'
import { numberOf, textOf } from '../wire-value.ts'
import { say, sayOf } from '../world.ts'
import type { World } from '../world.ts'

const STEPS = 500_000

/** Percents between two step lines, so that a fast world writes no more than a line a second. */
const percentsPerLine = (rate: number): number =>
  [1, 2, 5, 10, 20].find(percents => percents / 100 / rate >= 1000) ?? 50

/** The lines of a core that starts, and of the steps that it will take; returns what ends the steps early. */
export const sayCoreStart = (world: World, life: UnitLife, at: number, pid: number): ((at: number) => void) => {
  const { version } = world.profile
  const core = (life.project?.core ?? '0xa9').slice(2)
  const args = `-dir ${textOf(life.wire['id'])} -suffix 01 -version ${version} -lifeline ${numberOf(world.doc.info['pid'])} -np ${numberOf(life.wire['cpus'], 1)}`
  say(world, 'I3', `Running FahCore: cores/${core}/FahCore_${core} ${args}`)
  sayOf(world, life, 'I3', `Started FahCore on PID ${pid}`)
  sayOf(world, life, 'I1', `Core ${core} reads work unit, project ${life.project?.project ?? 0}`)
  const each = percentsPerLine(life.rate)
  const first = Math.floor((progressAt(life, at) * 100) / each + 1e-6) + 1
  return world.log.addSpan({
    start: whenDone(life, (first * each) / 100),
    every: each / 100 / life.rate,
    count: Math.floor(100 / each) - first + 1,
    text: index => stepLine(life.number, (first + index) * each),
  })
}

const stepLine = (number: number, percent: number): string =>
  `WU${number}:Completed ${(STEPS / 100) * percent} out of ${STEPS} steps (${percent}%)`

/** The lines of a transfer: one for the request, then one for every tenth of the bytes. */
export const sayTransfer = (world: World, life: UnitLife): void => {
  const { transfer } = life
  if (transfer === undefined) return
  const word = `WU${life.number}:${stateOf(life)}`
  const bytes = chanceBetween(1.5, 40, world.seed, life.number, stateOf(life)) * 1024 ** 2
  const tenth = (transfer.length - REQUEST_MS) / 10
  world.log.addSpan({ start: transfer.start + REQUEST_MS, every: 1, count: 1, text: () => `${word} 100% 976B of 976B` })
  world.log.addSpan({
    start: transfer.start + REQUEST_MS + tenth,
    every: tenth,
    count: transfer.failsAt === undefined ? 10 : 3,
    text: index => `${word} ${(index + 1) * 10}% ${bytesText((bytes * (index + 1)) / 10)} of ${bytesText(bytes)}`,
  })
}
