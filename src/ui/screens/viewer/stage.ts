import type { ViewerRef, ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import {
  hasMolecule,
  hasOutlines,
  isMoving,
  prefersStill,
  selectColouring,
  selectDrawStyle,
  selectPicked,
} from '../../../machines/screens/viewer/viewer.selectors.ts'
import { ballOf, type Ball } from '../../../viewer/ball.ts'
import {
  angleOf,
  fitCamera,
  multiply,
  scaleTurn,
  spinOn,
  turnCamera,
  VIEW_ANGLE,
  zoomCamera,
  type Quaternion,
} from '../../../viewer/camera.ts'
import { createViewer } from '../../../viewer/viewer.ts'
import type { Camera, Look, Theme, Viewer } from '../../../viewer/viewer.types.ts'
import { coveredOf } from './covered.ts'
import { fittingCamera } from './fit.ts'
import { moved, NO_TURN } from './gestures.ts'
import { attachHands } from './pointer-input.ts'
import { knownMolecule } from './known-molecule.ts'
import { createPulse, movementOf } from './movement.ts'

/** The drawing of one molecule on the page, and the camera before it. */
export type Stage = {
  readonly fit: () => void
  readonly zoom: (steps: number) => void
  readonly snapshot: () => Promise<Blob>
  readonly setTheme: (theme: Theme) => void
  /** In a recording nothing moves but what was recorded. */
  readonly setLive: (isLive: boolean) => void
  /** Ångström a CSS pixel in the middle of the molecule. */
  readonly angstromsPerPixel: () => number
  /** Calls whenever that may have changed. */
  readonly subscribe: (listen: () => void) => () => void
  readonly dispose: () => void
}

const FRAME = 1000 / 60
const SLOWEST = 0.0004

/**
 * Draws what the viewer's machine says, on a canvas inside `host`, and tells it what hands do there. The camera is the
 * stage's own, like the place to which a page is scrolled. Undefined without WebGL.
 */
export const mountStage = (host: HTMLElement, actor: ViewerRef, theme: Theme): Stage | undefined => {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  const viewer = createViewer(canvas)
  if (viewer === undefined) return undefined
  host.append(canvas)

  const listeners = new Set<() => void>()
  const tell = (): void => listeners.forEach(listen => listen())
  let camera = fitCamera()
  let size: readonly [number, number] = [1, 1]
  let first = new Float32Array() as Float32Array
  let ball: Ball = ballOf(first)
  let isFitted = false
  let spin: Quaternion = NO_TURN
  let shown: ViewerSnapshot | undefined
  let shownFor = 0
  let isLive = true
  const look = createLooking(viewer, theme)

  const turnTo = (next: Camera): void => {
    camera = next
    viewer.setCamera(camera)
    tell()
  }
  const resize = (): void => {
    size = [Math.max(1, host.clientWidth), Math.max(1, host.clientHeight)]
    viewer.resize(size[0], size[1], devicePixelRatio)
    tell()
  }
  const follow = (snapshot: ViewerSnapshot): void => {
    const before = shown?.context
    const { structure, frames, frame } = snapshot.context
    shown = snapshot
    if (!hasMolecule(snapshot)) {
      if (before !== undefined) viewer.setMolecule(undefined)
      shown = undefined
      return
    }
    if (structure.topology !== before?.structure.topology) {
      viewer.setMolecule(structure.topology === undefined ? undefined : knownMolecule(structure.topology).molecule)
      isFitted = false
    }
    if (frames !== before?.frames) {
      viewer.setFrames(frames)
      first = frames[0] ?? first
      ball = ballOf(first)
      if (!isFitted) turnTo(fittingCamera(first, ball, size, coveredOf(host)))
      else tell()
      isFitted = true
    }
    if (frame !== before?.frame) shownFor = 0
    if (frame !== before?.frame || frames !== before.frames || !isMoving(snapshot)) viewer.show(frame)
    if (selectPicked(snapshot) !== before?.picked) viewer.setMarks(selectPicked(snapshot))
    look.follow(snapshot)
    if (isMoving(snapshot)) pulse.start()
  }
  const beat = (elapsed: number): boolean => {
    if (shown === undefined || !isLive || !isMoving(shown)) return false
    shownFor += elapsed
    const { turn, coasted, place } = movementOf(shown, elapsed, shownFor)
    viewer.show(place)
    if (turn > 0) turnTo(turnCamera(camera, [0, 1, 0], turn))
    if (coasted > 0) coast(coasted)
    return true
  }
  const pulse = createPulse(globalThis, beat)
  const coast = (elapsed: number): void => {
    turnTo({ ...camera, rotation: multiply(scaleTurn(spin, elapsed / FRAME), camera.rotation) })
    spin = spinOn(spin, elapsed)
    if (angleOf(spin) < SLOWEST) actor.send({ type: 'viewer.rest' })
  }
  const atomAt = ([x, y]: readonly [number, number]): number | undefined => {
    const atom = viewer.pick(x, y)
    return atom < 0 ? undefined : atom
  }
  const point = (atom: number | undefined): void => {
    if (actor.getSnapshot().context.hovered !== atom) actor.send({ type: 'viewer.point', atom })
  }

  const detachHands = attachHands(host, {
    grab: () => {
      point(undefined)
      actor.send({ type: 'viewer.grab' })
    },
    move: gesture => turnTo(moved(camera, gesture, size)),
    release: swing => {
      spin = swing
      actor.send({ type: 'viewer.release', isCoasting: angleOf(swing) > 0 })
    },
    tap: at => actor.send({ type: 'viewer.pick', atom: atomAt(at) }),
    hover: at => point(at === undefined ? undefined : atomAt(at)),
  })
  const sizes = new ResizeObserver(resize)
  sizes.observe(host)
  resize()
  viewer.setCamera(camera)
  follow(actor.getSnapshot())
  const subscription = actor.subscribe(follow)

  return {
    fit: () => turnTo(fittingCamera(first, ball, size, coveredOf(host), camera.rotation)),
    zoom: steps => turnTo(zoomCamera(camera, steps)),
    snapshot: () => viewer.snapshot({ scale: 2 }),
    setTheme: look.setTheme,
    setLive: live => {
      isLive = live
      if (isLive) pulse.start()
    },
    angstromsPerPixel: () => (2 * Math.tan(VIEW_ANGLE / 2) * camera.distance * ball.radius) / Math.min(...size),
    subscribe: listen => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    dispose: () => {
      subscription.unsubscribe()
      sizes.disconnect()
      pulse.stop()
      detachHands()
      viewer.dispose()
      canvas.remove()
    },
  }
}

/** Tells the viewer how to draw whenever one of the reasons for that has changed. */
const createLooking = (viewer: Viewer, first: Theme) => {
  let look: Look = { style: 2, colouring: 'element', theme: first, hasOutlines: true, isStill: false }
  viewer.setLook(look)
  const change = (part: Partial<Look>): void => {
    const next = { ...look, ...part }
    if (Object.keys(next).every(key => next[key as keyof Look] === look[key as keyof Look])) return
    look = next
    viewer.setLook(look)
  }
  return {
    setTheme: (theme: Theme): void => change({ theme }),
    follow: (snapshot: ViewerSnapshot): void =>
      change({
        style: selectDrawStyle(snapshot),
        colouring: selectColouring(snapshot),
        hasOutlines: hasOutlines(snapshot),
        isStill: prefersStill(snapshot),
      }),
  }
}
