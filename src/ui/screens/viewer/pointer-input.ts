import { angleOf, scaleTurn, type Quaternion } from '../../../viewer/camera.ts'
import {
  NO_TURN,
  panGesture,
  pinchGesture,
  turnGesture,
  wheelSteps,
  type Gesture,
  type PointerPosition,
} from './gestures.ts'

export type PointerHandlers = {
  readonly grab: () => void
  readonly move: (gesture: Gesture) => void
  /** `spin`: rotation per sixtieth of a second with which the molecule coasts. */
  readonly release: (spin: Quaternion) => void
  /** A click or a tap. */
  readonly tap: (at: PointerPosition) => void
  /** The pointer's position over the canvas, throttled; undefined when it leaves. */
  readonly hover: (at: PointerPosition | undefined) => void
}

/** Pixels of movement below which a press is not a drag. */
const DRAG_THRESHOLD = 5
/** Milliseconds. A pointer that rested longer before its release does not make the molecule coast. */
const SWING_WITHIN = 60
const FRAME = 1000 / 60
const SMALLEST_SWING = 0.002
/** Milliseconds. Picking the atom under the pointer stalls the GPU. */
const HOVER_EVERY = 80

type Press = { readonly start: PointerPosition; at: PointerPosition; readonly isPanning: boolean }

/** Handles pointers and the wheel over an element. Returns a function that removes the handlers. */
export function attachPointerInput(element: HTMLElement, handlers: PointerHandlers): () => void {
  const presses = new Map<number, Press>()
  let isDragging = false
  let swing = { turn: NO_TURN, at: 0 }

  const placeOf = (event: MouseEvent): PointerPosition => {
    const { left, top } = element.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }
  const size = (): PointerPosition => [element.clientWidth, element.clientHeight]
  const hovering = createHoverThrottle(handlers.hover)

  const down = (event: PointerEvent): void => {
    if (event.button > 2) return
    element.focus({ preventScroll: true })
    element.setPointerCapture(event.pointerId)
    const at = placeOf(event)
    presses.set(event.pointerId, { start: at, at, isPanning: event.button !== 0 || event.shiftKey })
    hovering.stop()
    swing = { turn: NO_TURN, at: 0 }
    if (presses.size > 1) begin()
  }
  const begin = (): void => {
    if (isDragging) return
    isDragging = true
    handlers.grab()
  }
  const move = (event: PointerEvent): void => {
    const at = placeOf(event)
    const press = presses.get(event.pointerId)
    if (press === undefined) {
      if (event.pointerType === 'mouse') hovering.over(at)
      return
    }
    if (!isDragging && Math.hypot(at[0] - press.start[0], at[1] - press.start[1]) < DRAG_THRESHOLD) return
    begin()
    const gesture = gestureOf(press, at, event.pointerId)
    if (presses.size === 1 && event.timeStamp > swing.at) {
      swing = {
        turn: scaleTurn(
          gesture.turn,
          Math.min(1, FRAME / Math.max(1, event.timeStamp - (swing.at || event.timeStamp - FRAME))),
        ),
        at: event.timeStamp,
      }
    } else swing = { turn: NO_TURN, at: event.timeStamp }
    press.at = at
    handlers.move(gesture)
  }
  const gestureOf = (press: Press, at: PointerPosition, id: number): Gesture => {
    const other = [...presses].find(([pressId]) => pressId !== id)?.[1]
    if (other !== undefined) return pinchGesture([press.at, other.at], [at, other.at])
    return press.isPanning ? panGesture(press.at, at) : turnGesture(press.at, at, size())
  }
  const up = (event: PointerEvent): void => {
    const press = presses.get(event.pointerId)
    if (press === undefined) return
    presses.delete(event.pointerId)
    if (presses.size > 0) return
    if (!isDragging) {
      if (event.type === 'pointerup' && event.button === 0) handlers.tap(placeOf(event))
      return
    }
    isDragging = false
    const isSwung = event.timeStamp - swing.at < SWING_WITHIN && angleOf(swing.turn) > SMALLEST_SWING
    handlers.release(isSwung ? swing.turn : NO_TURN)
  }
  const leave = (): void => {
    hovering.stop()
    handlers.hover(undefined)
  }
  const wheel = (event: WheelEvent): void => {
    event.preventDefault()
    handlers.move({ turn: NO_TURN, pan: [0, 0], zoom: wheelSteps(event) })
  }
  const noMenu = (event: Event): void => event.preventDefault()

  const ends = new AbortController()
  const { signal } = ends
  element.addEventListener('pointerdown', down, { signal })
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', up, { signal })
  element.addEventListener('pointercancel', up, { signal })
  element.addEventListener('pointerleave', leave, { signal })
  element.addEventListener('contextmenu', noMenu, { signal })
  element.addEventListener('wheel', wheel, { signal, passive: false })
  return () => {
    ends.abort()
    hovering.stop()
  }
}

/** Throttles pointer positions; the last one is always reported. */
function createHoverThrottle(notify: (at: PointerPosition) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let place: PointerPosition = [0, 0]
  return {
    over: (at: PointerPosition): void => {
      place = at
      timer ??= setTimeout(() => {
        timer = undefined
        notify(place)
      }, HOVER_EVERY)
    },
    stop: (): void => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
