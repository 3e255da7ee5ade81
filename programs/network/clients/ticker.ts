import { chance } from './random.ts'
import { hasChangingNumbers, updateNumbers, updateOneNumber } from './unit/unit-numbers.ts'
import type { ClientContext } from './client-context.ts'

const SECOND = 1000

/**
 * Updates the numbers of a client that has readers: once a second, as the real client does, or, for benchmarks, one
 * change of each running unit every `changesEvery` ms, evenly spread.
 */
export function createTicker(context: ClientContext, changesEvery: number | undefined, onTick: () => void) {
  let cancel: (() => void) | undefined
  let turn = 0

  const updateAll = (now: number): number => {
    context.batch(() => {
      for (const unit of context.units) if (hasChangingNumbers(unit)) updateNumbers(context, unit, now)
    })
    return SECOND
  }

  const updateNext = (now: number, every: number): number => {
    const moving = context.units.filter(hasChangingNumbers)
    const unit = moving[turn % Math.max(1, moving.length)]
    if (unit !== undefined) updateOneNumber(context, unit, now, Math.floor(turn / moving.length))
    turn++
    return every / Math.max(1, moving.length)
  }

  const tick = (): void => {
    const now = context.schedule.now()
    const wait = changesEvery === undefined ? updateAll(now) : updateNext(now, changesEvery)
    onTick()
    cancel = context.schedule.at(now + wait, tick)
  }

  return {
    start: (): void => {
      cancel ??= context.schedule.at(
        context.schedule.now() + chance(context.seed, 'tick') * (changesEvery ?? SECOND),
        tick,
      )
    },
    stop: (): void => {
      cancel?.()
      cancel = undefined
    },
  }
}
