import { useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { QUARTER, shiftRule, type Grip, type WeekRule } from '../../../folding/schedule/shift-rule.ts'
import { isSameValue } from '../../../folding/shared/equal.ts'
import type { Schedule } from '../../../folding/schedule/schedule.ts'

/** Weekly times of a schedule, by the position of their rule. */
export type Dragged = { readonly schedule: Schedule; readonly at: number; readonly rule: WeekRule }

const MINUTE_MS = 60_000
/** Pixels that a pointer may move and still press. */
const SLACK = 4

type Held = Dragged & { readonly x: number; readonly msAPixel: number; readonly grip: Grip; next: WeekRule | undefined }

type Options = {
  /** The schedules whose bands may be dragged. */
  readonly schedules: readonly Schedule[]
  /** How long the whole width is. */
  readonly ms: number
  /** While it is dragged; undefined when that is given up. */
  readonly onMove: (to: Dragged | undefined) => void
  readonly onDrop: (to: Dragged) => void
}

/** The weekly times of a band, from the data of its element. */
function draggedOf(target: EventTarget, schedules: readonly Schedule[]): Dragged | undefined {
  if (!(target instanceof Element)) return undefined
  const { schedule: id, rule: position } = target.closest<HTMLElement>('[data-rule]')?.dataset ?? {}
  const schedule = schedules.find(each => each.id === id)
  const at = Number(position)
  const rule = schedule?.rules[at]
  return schedule === undefined || rule === undefined || rule.kind !== 'week' ? undefined : { schedule, at, rule }
}

/** Pixels at the end of a band by which it is made longer; narrow bands have less. */
const GRIP = 12

/** What of a band is below the pointer. */
function gripOf({ target, clientX }: PointerEvent<HTMLElement>): Grip {
  const band = target instanceof Element ? target.closest('[data-rule]') : null
  if (band === null) return 'whole'
  const { left, right, width } = band.getBoundingClientRect()
  const room = Math.min(GRIP, width / 4)
  if (clientX < left + room && band.querySelector('[data-grip=begin]') !== null) return 'begin'
  return clientX > right - room && band.querySelector('[data-grip=end]') !== null ? 'end' : 'whole'
}

/** Handlers of a row of bands: by pointer and by arrow keys, its weekly times are moved, or begin or end at another time. */
export function useDrag({ schedules, ms, onMove, onDrop }: Options) {
  const held = useRef<Held>(undefined)
  const isDropped = useRef(false)
  const dropped = (from: Dragged, rule: WeekRule): void => {
    if (!isSameValue(from.rule, rule)) onDrop({ schedule: from.schedule, at: from.at, rule })
  }
  const drop = (): void => {
    const last = held.current
    held.current = undefined
    if (last?.next === undefined) return
    isDropped.current = true
    onMove(undefined)
    dropped(last, last.next)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      isDropped.current = false
      const dragged = draggedOf(event.target, schedules)
      if (dragged === undefined || event.button !== 0) return
      const msAPixel = ms / event.currentTarget.getBoundingClientRect().width
      held.current = { ...dragged, x: event.clientX, msAPixel, grip: gripOf(event), next: undefined }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const { current } = held
      if (current === undefined) return
      // It was released where this row does not hear of it.
      if (event.buttons === 0) {
        held.current = undefined
        onMove(undefined)
        return
      }
      const by = event.clientX - current.x
      if (current.next === undefined && Math.abs(by) < SLACK) return
      // From here on it is no press.
      event.currentTarget.setPointerCapture(event.pointerId)
      const next = shiftRule(current.rule, current.grip, (by * current.msAPixel) / MINUTE_MS)
      if (isSameValue(current.next, next)) return
      current.next = next
      onMove({ ...current, rule: next })
    },
    onPointerUp: drop,
    // WebKit clicks what is below the pointer although the row has captured it. Keys click without detail.
    onClickCapture: (event: MouseEvent): void => {
      if (isDropped.current && event.detail > 0) event.stopPropagation()
    },
    onPointerCancel: (): void => {
      held.current = undefined
      onMove(undefined)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
      const by = { ArrowLeft: -QUARTER, ArrowRight: QUARTER }[event.key]
      const dragged = draggedOf(event.target, schedules)
      if (by === undefined || dragged === undefined || event.ctrlKey || event.altKey || event.metaKey) return
      event.preventDefault()
      dropped(dragged, shiftRule(dragged.rule, event.shiftKey ? 'end' : 'whole', by))
    },
  }
}
