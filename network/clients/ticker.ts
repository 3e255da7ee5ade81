import { chance } from './random.ts'
import { isMoving, showNumbers, showOneNumber } from './unit/unit-numbers.ts'
import type { World } from './world.ts'

const SECOND = 1000

/**
 * Keeps the numbers of a watched client up to date: like the real client once a second, or, for benches, one change of
 * each running unit every `changesEvery` ms, spread evenly.
 */
export const createTicker = (world: World, changesEvery: number | undefined, ticked: () => void) => {
  let cancel: (() => void) | undefined
  let turn = 0

  const showAll = (now: number): number => {
    world.together(() => {
      for (const life of world.lives) if (isMoving(life)) showNumbers(world, life, now)
    })
    return SECOND
  }

  const showNext = (now: number, every: number): number => {
    const moving = world.lives.filter(isMoving)
    const life = moving[turn % Math.max(1, moving.length)]
    if (life !== undefined) showOneNumber(world, life, now, Math.floor(turn / moving.length))
    turn++
    return every / Math.max(1, moving.length)
  }

  const tick = (): void => {
    const now = world.schedule.now()
    const wait = changesEvery === undefined ? showAll(now) : showNext(now, changesEvery)
    ticked()
    cancel = world.schedule.at(now + wait, tick)
  }

  return {
    start: (): void => {
      cancel ??= world.schedule.at(world.schedule.now() + chance(world.seed, 'tick') * (changesEvery ?? SECOND), tick)
    },
    stop: (): void => {
      cancel?.()
      cancel = undefined
    },
  }
}
