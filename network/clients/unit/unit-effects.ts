import { idFrom } from '../random.ts'
import { sayCoreStart } from './core-log.ts'
import { intervalText, isoTime } from '../time-text.ts'
import type { UnitState } from '../types.ts'
import { endUnit, stateWord } from './unit-end.ts'
import { progressAt, stateOf, transferProgress, wireShare } from './unit-life.ts'
import type { UnitLife } from './unit-life.ts'
import { secondsRun, showNumbers, workRate } from './unit-numbers.ts'
import type { RetryParams, UnitEffect } from './unit.events.ts'
import { numberOf, textsOf } from '../wire-value.ts'
import { sayOf, sayRequest } from '../world.ts'
import type { World } from '../world.ts'

const enterState = (world: World, life: UnitLife, { state }: { readonly state: UnitState }): void => {
  const { doc } = world
  const { wire } = life
  if (state === 'RUN') {
    doc.setUnit(wire, 'progress', 1)
    if (textsOf(wire['gpus']).length === 0) doc.retellUnit(wire, 'gpus', [])
  }
  doc.setUnit(wire, 'state', stateWord(world.profile.version, state))
  if (wire['progress'] !== undefined) doc.setUnit(wire, 'progress', 0)
  if (state === 'RUN') {
    life.isLoaded = false
    doc.setUnit(wire, 'paused', true)
  }
  world.changed()
  world.reschedule()
}

const newRequest = (world: World, life: UnitLife): void => {
  life.requests++
  const { user, team } = world.doc.config
  world.doc.setUnit(life.wire, 'id', idFrom(world.id, life.number, life.requests))
  const url = `https://assign${1 + (life.requests % 2)}.example.org/api/assign`
  sayOf(world, life, 'I1', `Requesting WU assignment for user ${user} team ${team} from ${url}`)
  life.answerRequest = sayRequest(world, 'POST', url)
}

const showRetry = (world: World, life: UnitLife, { at, delay, retries, error }: RetryParams): void => {
  const { doc } = world
  showTransferStop(world, life)
  if (error !== '') doc.setUnit(life.wire, 'error', error)
  doc.setUnit(life.wire, 'delay', delay)
  doc.setUnit(life.wire, 'wait', isoTime(at + delay * 1000))
  doc.setUnit(life.wire, 'retries', retries)
  if (error !== '') sayOf(world, life, 'W', `Server said: ${error}`)
  else sayOf(world, life, 'E', `Exception: Failed response: ${stateOf(life)} interrupted`)
  sayOf(world, life, 'I1', `Retry #${retries} in ${delay} secs`)
  world.changed()
}

/** A transfer that breaks off leaves its progress where it was. */
const showTransferStop = (world: World, life: UnitLife): void => {
  const failsAt = life.transfer?.failsAt
  if (failsAt !== undefined) world.doc.setUnit(life.wire, 'progress', transferProgress(life, failsAt))
}

const clearWait = (world: World, life: UnitLife, { at }: { readonly at: number }): void => {
  world.doc.setUnit(life.wire, 'delay', 0)
  world.doc.setUnit(life.wire, 'wait', isoTime(at))
}

/** Core processes of one client have numbers of their own, that depend on nothing but their time. */
const pidAt = (world: World, life: UnitLife, at: number): number =>
  2000 + ((Math.abs(world.seed) + life.number * 7919 + Math.floor(at / 1000)) % 30_000)

const startCore = (world: World, life: UnitLife, { at }: { readonly at: number }): void => {
  const { doc } = world
  const { wire } = life
  const pid = pidAt(world, life, at)
  life.rate = workRate(world, life)
  life.runningSince = at
  doc.setUnit(wire, 'start_time', isoTime(at))
  doc.setUnit(wire, 'pid', pid)
  if (life.assignment !== undefined && wire['assignment'] === undefined)
    doc.setUnit(wire, 'assignment', life.assignment)
  if (life.workUnit !== undefined && wire['wu'] === undefined) {
    const estimate = Math.round((1 - life.done) / life.rate / 1000)
    doc.setUnit(wire, 'wu', life.done === 0 ? { ...life.workUnit, estimate } : life.workUnit)
  }
  if (wire['wu_progress'] === undefined) doc.setUnit(wire, 'wu_progress', wireShare(life.done))
  if (world.isWatched()) showNumbers(world, life, at)
  life.endSteps = sayCoreStart(world, life, at, pid)
  world.changed()
}

/** The core process has ended: by its own, or because it was interrupted. */
const stopCore = (world: World, life: UnitLife, { at }: { readonly at: number }): void => {
  const { doc } = world
  const { wire } = life
  if (life.runningSince === undefined) return
  if (!world.isWatched()) showNumbers(world, life, at)
  life.endSteps(at)
  const seconds = secondsRun(life, at)
  life.done = progressAt(life, at)
  life.runningSince = undefined
  if (life.done >= 1) {
    if (wire['eta'] === undefined) doc.setUnit(wire, 'eta', intervalText(0))
    doc.setUnit(wire, 'wu_progress', 1)
  }
  doc.setUnit(wire, 'run_time', numberOf(wire['run_time']) + seconds)
  doc.setUnit(wire, 'start_time', null)
  doc.setUnit(wire, 'pid', null)
  world.changed()
}

/** Carries out what the unit's statechart has decided, in the order in which a real client tells it. */
export const carryOut = (world: World, life: UnitLife, effect: UnitEffect): void => {
  switch (effect.type) {
    case 'enterState':
      enterState(world, life, effect.params)
      break
    case 'newRequest':
      newRequest(world, life)
      break
    case 'showRetry':
      showRetry(world, life, effect.params)
      break
    case 'clearWait':
      clearWait(world, life, effect.params)
      break
    case 'showPause':
      world.doc.setUnit(life.wire, 'pause_reason', effect.params.reason)
      break
    case 'hidePause':
      world.doc.setUnit(life.wire, 'pause_reason', null)
      break
    case 'startCore':
      startCore(world, life, effect.params)
      break
    case 'interruptCore':
      sayOf(world, life, 'I1', 'Interrupted')
      break
    case 'stopCore':
      stopCore(world, life, effect.params)
      break
    case 'endUnit':
      endUnit(world, life, effect.params)
      break
    default:
      effect satisfies never
  }
}
