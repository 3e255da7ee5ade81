import type { Subscription } from 'xstate'
import type { ViewerContext } from '../../../machines/screens/viewer/viewer.context.ts'
import type { ViewerRef, ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import {
  isMoving,
  selectColoring,
  selectDrawStyle,
  selectPace,
} from '../../../machines/screens/viewer/viewer.selectors.ts'
import { knownAlignment } from '../../../folding/molecule/aligned-frames.ts'
import { withoutSolvent } from '../../../folding/molecule/kinds.ts'
import { knownMolecule } from '../../../folding/molecule/molecule.ts'
import { residueHydrogenBonds } from '../../../folding/molecule/residue-hydrogen-bonds.ts'
import { surroundingsOf } from '../../../folding/molecule/surroundings.ts'
import { minus, scaled } from '../../../folding/molecule/vectors.ts'
import { ballOf, type Ball } from '../../../viewer/ball.ts'
import {
  angleOf,
  closeUpCamera,
  fitCamera,
  multiply,
  panCamera,
  scaleTurn,
  spinOn,
  turnCamera,
  VIEW_ANGLE,
  zoomCamera,
  type Quaternion,
} from '../../../viewer/camera.ts'
import { contextOf, fenceOf } from '../../../viewer/gpu.ts'
import { createViewer, FIRST_LOOK } from '../../../viewer/viewer.ts'
import type { Camera, ViewerAppearance, Theme, Viewer } from '../../../viewer/viewer.types.ts'
import type { Topology } from '../../../protocol/client/visualization.ts'
import { composedPicture, settingOf, type Setting } from './composed-picture.ts'
import { coveredOf, fittingCamera } from './fit.ts'
import { applyGesture, NO_TURN } from './gestures.ts'
import { createRecorder } from './recorder.ts'
import { createSurfaceComputer } from './surface-computer.ts'
import { attachPointerInput } from './pointer-input.ts'
import { createAnimationLoop, isSlow, movementOf, NO_PROGRESS, progressAfter, wayOf } from './movement.ts'

/** The canvas of one molecule, with its camera. */
export type MoleculeCanvas = NonNullable<ReturnType<typeof openMoleculeCanvas>>

const FRAME = 1000 / 60
/** Milliseconds between two looks at whether there is a context. */
const WAIT = 10
/** Pixels of the longer side of a video. */
const VIDEO_WIDTH = 1280
/** Pictures that are averaged, along one side, in a video and in a large picture. */
const VIDEO_SIDE = 2
const LARGE_SIDE = 2
/** Radians per frame below which coasting ends. */
const SLOWEST = 0.0004
/** Ångström around the middle of a residue that is looked at closely. */
const CLOSE_UP = 9
/** CSS pixels: what is said about an atom has room below the pointer, above the controls. */
const CARD_ROOM = 136

/**
 * Draws the state of the viewer's client on a canvas inside `host`, and sends pointer input to the client. The page is laid out and
 * the context made before, neither of which is waited for. `onMounted` gets undefined without WebGL. Returns what ends it.
 */
export function mountMoleculeCanvas(
  host: HTMLElement,
  actor: ViewerRef,
  theme: Theme,
  firstCamera: Camera | undefined,
  onMounted: (canvas: MoleculeCanvas | undefined) => void,
): () => void {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  const gl = contextOf(canvas)
  let timer: ReturnType<typeof setTimeout> | undefined
  let opened: MoleculeCanvas | undefined
  const open = (): void => {
    opened = openMoleculeCanvas(host, canvas, actor, theme, firstCamera)
    onMounted(opened)
  }
  const wait = (isMade: () => boolean): void => {
    timer = setTimeout(() => (isMade() ? open() : wait(isMade)), WAIT)
  }
  const laidOut = new ResizeObserver(() => {
    laidOut.disconnect()
    if (gl !== null) wait(fenceOf(gl))
  })
  if (gl === null) onMounted(undefined)
  else laidOut.observe(host)
  return () => {
    laidOut.disconnect()
    clearTimeout(timer)
    opened?.dispose()
  }
}

/** The camera is local state, like a scroll position. */
function openMoleculeCanvas(
  host: HTMLElement,
  canvas: HTMLCanvasElement,
  actor: ViewerRef,
  theme: Theme,
  firstCamera: Camera | undefined,
) {
  const surfaces = createSurfaceComputer(
    () => new Worker(new URL('./surface.worker.ts', import.meta.url), { type: 'module', name: 'surfaces' }),
  )
  const viewer = createViewer(canvas, surfaces.compute)
  if (viewer === undefined) return undefined
  host.append(canvas)

  const listeners = new Set<() => void>()
  const notify = (): void => listeners.forEach(listen => listen())
  let camera = fitCamera()
  let size: readonly [number, number] = [1, 1]
  let first = new Float32Array() as Float32Array
  let ball: Ball = ballOf(first)
  let isFitted = false
  let spin: Quaternion = NO_TURN
  let shown: ViewerSnapshot | undefined
  let progress = NO_PROGRESS
  let isLive = true
  const look = createLookUpdater(viewer, theme)
  const feed = createFrameFeed(viewer, notify)
  let caption: string | undefined
  let surfaceShare: number | undefined
  const pixels = () => size.map(side => side * devicePixelRatio)
  /** A video has no transparency. */
  const setting = (isVideo: boolean): Setting => {
    const { isTransparent, hasCaption } = actor.getSnapshot().context
    return settingOf(host, isTransparent && !isVideo, hasCaption ? caption : undefined)
  }
  const recorder = createRecorder({
    actor,
    camera: () => camera,
    size: () => {
      const [width = 2, height = 2] = pixels().map(side => 2 * Math.max(1, Math.floor((side * videoScale()) / 2)))
      return [width, height]
    },
    draw: async (options, pictureSize) =>
      composedPicture(
        await viewer.picture({ ...options, scale: videoScale(), side: VIDEO_SIDE }),
        setting(true),
        pictureSize,
      ),
  })
  const videoScale = (): number => VIDEO_WIDTH / Math.max(...pixels())

  const moveCamera = (next: Camera): void => {
    camera = next
    viewer.setCamera(camera)
    notify()
  }
  const resize = (): void => {
    size = [Math.max(1, host.clientWidth), Math.max(1, host.clientHeight)]
    viewer.resize(size[0], size[1], devicePixelRatio)
    notify()
  }
  const follow = (snapshot: ViewerSnapshot): void => {
    const before = shown
    const { structure, frames, picked, hovered } = snapshot.context
    const [{ topology }, [firstFrame]] = [structure, frames]
    progress = progressAfter(progress, before, snapshot)
    shown = snapshot
    if (topology === undefined || firstFrame === undefined) {
      if (before !== undefined) viewer.setMolecule(undefined)
      feed.stop()
      recorder.follow(snapshot)
      shown = undefined
      return
    }
    if (topology !== before?.context.structure.topology) {
      viewer.setMolecule(knownMolecule(topology))
      isFitted = false
    }
    if (frames !== before?.context.frames) {
      feed.give(topology, frames)
      first = withoutSolvent(knownMolecule(topology).kinds, knownAlignment(topology).aligned(firstFrame))
      ball = ballOf(first)
      if (!isFitted) moveCamera(firstCamera ?? fittingCamera(first, ball, size, coveredOf(host)))
      else notify()
      isFitted = true
    }
    viewer.show(movementOf(snapshot, 0, wayOf(progress)).place)
    if (picked !== before?.context.picked || hovered !== before.context.hovered) viewer.setMarks(picked, hovered)
    look.follow(snapshot)
    recorder.follow(snapshot)
    if (isMoving(snapshot)) loop.start()
  }
  const onFrame = (elapsed: number): boolean => {
    if (shown === undefined || !isLive || !isMoving(shown)) return false
    const pace = selectPace(shown)
    if (pace !== undefined) progress = { ...progress, share: progress.share + elapsed / pace }
    const { turn, coasted, place } = movementOf(shown, elapsed, wayOf(progress))
    viewer.show(place)
    if (turn > 0) moveCamera(turnCamera(camera, [0, 1, 0], turn))
    if (coasted > 0) coast(coasted)
    return true
  }
  const loop = createAnimationLoop(globalThis, onFrame)
  const coast = (elapsed: number): void => {
    moveCamera({ ...camera, rotation: multiply(scaleTurn(spin, elapsed / FRAME), camera.rotation) })
    spin = spinOn(spin, elapsed)
    if (angleOf(spin) < SLOWEST) actor.send({ type: 'viewer.endCoasting' })
  }
  const atomAt = ([x, y]: readonly [number, number]): number | undefined => {
    const atom = viewer.pick(x, y)
    return atom < 0 ? undefined : atom
  }
  const point = (atom: number | undefined): void => {
    if (actor.getSnapshot().context.hovered !== atom) actor.send({ type: 'viewer.hover', atom })
  }

  const detachPointerInput = attachPointerInput(host, {
    grab: () => {
      point(undefined)
      actor.send({ type: 'viewer.grab' })
    },
    move: gesture => moveCamera(applyGesture(camera, gesture, size)),
    release: swing => {
      spin = swing
      actor.send({ type: 'viewer.release', isCoasting: angleOf(swing) > 0 })
    },
    tap: at => actor.send({ type: 'viewer.pick', atom: atomAt(at) }),
    hover: at => {
      if (at !== undefined) placePointer(host, at)
      point(at === undefined ? undefined : atomAt(at))
    },
  })
  const sizes = new ResizeObserver(resize)
  sizes.observe(host)
  resize()
  viewer.setCamera(camera)
  let subscription: Subscription | undefined
  const beginning = setTimeout(() => {
    follow(actor.getSnapshot())
    subscription = actor.subscribe(follow)
  })
  let wasSlow: boolean | undefined
  viewer.onStatistics(statistics => {
    if (wasSlow === undefined && isLive && shown !== undefined && isMoving(shown)) {
      wasSlow = isSlow(statistics)
      if (wasSlow === true) actor.send({ type: 'viewer.economize', because: 'slow' })
    }
    if (statistics.surfaceShare === surfaceShare) return
    surfaceShare = statistics.surfaceShare
    notify()
  })

  return {
    /** Whether the processor draws. */
    isSoftware: viewer.isSoftware,
    fit: (): void => moveCamera(fittingCamera(first, ball, size, coveredOf(host), camera.rotation)),
    /** Fills the view with a residue and what is beside it. */
    closeUp: (residue: number): void => {
      const found = closeUpOf(actor.getSnapshot().context, residue)
      if (found === undefined) return
      const pivot = scaled(minus(found.center, ball.center), 1 / ball.radius)
      const { above, below } = coveredOf(host)
      moveCamera(panCamera(closeUpCamera(camera, pivot, CLOSE_UP / ball.radius), [0, (above - below) / 2], size))
    },
    camera: () => camera,
    /** Says where a pointer is that is over something else than the canvas. */
    pointAt: ({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): void => {
      const { left, top } = host.getBoundingClientRect()
      placePointer(host, [clientX - left, clientY - top])
    },
    zoom: (steps: number): void => moveCamera(zoomCamera(camera, steps)),
    /** A PNG; `longest`: pixels of its longer side. */
    snapshot: async (longest?: number): Promise<Blob> => {
      const scale = longest === undefined ? 2 : longest / Math.max(...pixels())
      const picture = await viewer.picture({ scale, ...(longest === undefined ? {} : { side: LARGE_SIDE }) })
      return (await composedPicture(picture, setting(false))).convertToBlob()
    },
    /** Of pictures and videos for which one is wanted. */
    setCaption: (value: string): void => {
      caption = value
    },
    setTheme: look.setTheme,
    /** Turns off animation while a recording is shown. */
    setLive: (live: boolean): void => {
      isLive = live
      if (isLive) loop.start()
    },
    /** Ångström per CSS pixel at the center of the molecule. */
    angstromsPerPixel: () => (2 * Math.tan(VIEW_ANGLE / 2) * camera.distance * ball.radius) / Math.min(...size),
    /** Of the surface that is being computed, the share that is done. */
    surfaceShare: () => surfaceShare,
    /** How far the backbone of each frame is from that of the first, in ångström: of the frames that are aligned so far. */
    deviations: feed.deviations,
    /** Called when one of the values above may have changed. */
    subscribe: (listen: () => void) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    dispose: (): void => {
      clearTimeout(beginning)
      subscription?.unsubscribe()
      sizes.disconnect()
      loop.stop()
      feed.stop()
      recorder.stop()
      detachPointerInput()
      viewer.dispose()
      surfaces.stop()
      canvas.remove()
    },
  }
}

/** Where what is said about the atom under the pointer is shown: from where lines begin, and from above. */
function placePointer(host: HTMLElement, [x, y]: readonly [number, number]): void {
  const across = getComputedStyle(host).direction === 'rtl' ? host.clientWidth - x : x
  host.parentElement?.style.setProperty('--pointer-x', `${across}px`)
  host.parentElement?.style.setProperty('--pointer-y', `${Math.min(y, host.clientHeight - CARD_ROOM)}px`)
}

/** What is shown with a residue that is looked at closely, in the first frame. */
function closeUpOf({ structure: { topology }, frames: [frame] }: ViewerContext, residue: number | undefined) {
  if (residue === undefined || topology === undefined || frame === undefined) return undefined
  return surroundingsOf(knownMolecule(topology), residue, knownAlignment(topology).aligned(frame))
}

const NO_BONDS: ViewerAppearance['hydrogenBonds'] = []

/** Those of a residue that is looked at closely, in the shown frame. */
function hydrogenBondsOf({ structure: { topology }, frames, frame, focus }: ViewerContext) {
  const positions = frames[frame]
  if (focus === undefined || topology === undefined || positions === undefined) return NO_BONDS
  return residueHydrogenBonds(knownMolecule(topology), focus, knownAlignment(topology).aligned(positions))
}

/** Milliseconds of aligning frames between two pauses. */
const SLICE = 8

/** Aligns frames and passes them to the viewer, in slices, so that the page stays responsive. */
function createFrameFeed(viewer: Viewer, onMore: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let deviations: readonly number[] = []
  const stop = (): void => clearTimeout(timer)
  return {
    stop,
    deviations: () => deviations,
    give: (topology: Topology, frames: readonly Float32Array[]): void => {
      stop()
      const { aligned, deviation } = knownAlignment(topology)
      const ready: Float32Array[] = []
      const distances: number[] = []
      const go = (): void => {
        const begun = performance.now()
        for (const frame of frames.slice(ready.length)) {
          ready.push(aligned(frame))
          distances.push(deviation(frame))
          if (performance.now() - begun > SLICE) break
        }
        viewer.setFrames([...ready])
        deviations = [...distances]
        onMore()
        if (ready.length < frames.length) timer = setTimeout(go)
      }
      timer = setTimeout(go)
    },
  }
}

/** Passes the drawing options to the viewer when one of them changes. */
function createLookUpdater(viewer: Viewer, first: Theme) {
  let look: ViewerAppearance = { ...FIRST_LOOK, theme: first }
  viewer.setAppearance(look)
  const change = (part: Partial<ViewerAppearance>): void => {
    const next = { ...look, ...part }
    if (Object.keys(next).every(key => next[key as keyof ViewerAppearance] === look[key as keyof ViewerAppearance]))
      return
    look = next
    viewer.setAppearance(look)
  }
  let before: ViewerContext | undefined
  return {
    setTheme: (theme: Theme): void => change({ theme }),
    follow: (snapshot: ViewerSnapshot): void => {
      const { context } = snapshot
      const { focus, frames, frame, hasOutlines, showsSolvent, isSeeThrough, hasGhost, prefersStill } = context
      const isSameFocus = focus === before?.focus && frames[0] === before?.frames[0]
      const isSameFrame = frames[frame] === before?.frames[before.frame]
      before = context
      change({
        ...(isSameFocus ? {} : { closeUp: closeUpOf(context, focus)?.atoms }),
        ...(isSameFocus && isSameFrame ? {} : { hydrogenBonds: hydrogenBondsOf(context) }),
        style: selectDrawStyle(snapshot),
        coloring: selectColoring(snapshot),
        hasOutlines,
        showsSolvent,
        isSeeThrough,
        hasGhost,
        isStill: prefersStill,
      })
    },
  }
}
