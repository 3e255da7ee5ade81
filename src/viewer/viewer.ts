/*
 * The molecule viewer. All its state is kept outside the GPU, so that it can be restored after a lost WebGL context.
 */
import { fitCamera } from './camera.ts'
import { SURFACE } from '../folding/molecule/molecule-style.ts'
import { createGpu, type GpuContext } from './gpu.ts'
import { createLoop } from './loop.ts'
import { createPainter, type Painter } from './painter.ts'
import { pickAtom } from './pick.ts'
import { adapt, REST, REST_PICTURES, startQuality, TIERS, type Tier } from './quality.ts'
import { createScene, type Pose, type Scene } from './scene.ts'
import { createPool } from './pool.ts'
import { createRenderTargets, type RenderTargets } from './render-targets.ts'
import { pictureOf } from './snapshot.ts'
import type { View } from './space.ts'
import type { CreateViewer, ViewerAppearance, Molecule, PictureOptions, ViewerStatistics } from './viewer.types.ts'

/** Everything on the GPU, which is lost with the context. */
type GpuState = {
  readonly gpu: GpuContext
  readonly painter: Painter
  readonly scene: Scene | undefined
  readonly targetsBySize: ReturnType<typeof createPool<string, RenderTargets>>
}

export const FIRST_LOOK: ViewerAppearance = {
  style: 1,
  coloring: 'element',
  theme: 'light',
  hasOutlines: true,
  showsSolvent: false,
  isSeeThrough: false,
  closeUp: undefined,
  hydrogenBonds: [],
  hasGhost: false,
  isStill: false,
}

/** Accumulated pictures needed to look better than the moving one. */
const MIN_PICTURES = 4

/** Visible atoms are read back in every nth moving picture of that many atoms: to read waits for the picture before. */
const READBACK_INTERVAL = 3
const WORTH_READBACK = 2000

/** Milliseconds of a frame of the screen for what a picture needs, and of all until one is drawn whatever changes meanwhile. */
const SLICE = 12
const LONGEST_WAIT = 1000

/** Of one picture. */
const MAX_PIXELS = 8_500_000

/** Undefined without WebGL 2. */
export const createViewer: CreateViewer = (canvas, computeSurface) => {
  const firstGpu = createGpu(canvas)
  if (firstGpu === undefined) return undefined

  let gpuState: GpuState | undefined = firstGpu.gl.isContextLost() ? undefined : setUp(firstGpu)
  let molecule: Molecule | undefined
  let frames: readonly Float32Array[] = []
  let place = 0
  let view: View = {
    camera: fitCamera(),
    look: FIRST_LOOK,
    marks: [],
    pointed: undefined,
    width: canvas.width,
    height: canvas.height,
    ratio: 1,
  }
  let quality = startQuality(0)
  let pictures = 0
  let framesDrawn = 0
  let moved = 0
  let waitingSince: number | undefined
  let lastTargets: RenderTargets | undefined
  const listeners = new Set<(statistics: ViewerStatistics) => void>()

  const statistics = (): ViewerStatistics => ({
    tier: quality.tier,
    scale: scaleOf(tierNow(), view),
    frameMs: quality.mean,
    framesDrawn,
    gpuBytes: gpuState?.gpu.bytes() ?? 0,
    isLost: gpuState === undefined,
    isAtRest: loop.isAtRest(),
    surfaceShare: gpuState?.scene?.surfaceShare(),
  })
  const report = (): void => {
    for (const listen of listeners) listen(statistics())
  }
  const tierNow = (): Tier => TIERS[quality.tier] ?? REST

  /** There are no surfaces between frames. */
  const placeOf = (wanted: number): number =>
    view.look.isStill || view.look.style === SURFACE ? Math.round(wanted) : wanted
  const placeNow = (): number => placeOf(place)

  /** Draws the current pose into its target; undefined when there is nothing to show. */
  const poseNow = (
    { scene, painter }: GpuState,
    at = placeNow(),
  ): { readonly scene: Scene; readonly pose: Pose } | undefined => {
    scene?.showSolvent(view.look.showsSolvent)
    const pose = scene?.poseAt(at)
    if (scene === undefined || pose === undefined) return undefined
    scene.setAppearance(view.look, pose)
    painter.pose(scene, pose, view)
    return { scene, pose }
  }

  /** Computes what the next picture needs, for as long as a slice; whether all of it is there. */
  const isPrepared = ({ gpu, scene }: GpuState, tier: Tier): boolean => {
    const begun = performance.now()
    waitingSince ??= begun
    const end = begun - waitingSince > LONGEST_WAIT ? Infinity : begun + SLICE
    const isOver = (): boolean => performance.now() > end
    scene?.showSolvent(view.look.showsSolvent)
    const pose = scene?.poseAt(placeNow())
    if (pose !== undefined) scene?.setAppearance(view.look, pose)
    if (isOver() || !gpu.isCompiled(isOver)) return false
    return (pose === undefined || scene?.prepare(view.look, pose, tier.triangles, isOver) !== false) && !isOver()
  }

  /** Draws the number of the visible atom into each pixel; undefined while a program is being compiled, or a mesh computed. */
  const drawIds = (state: GpuState, tier: Tier, shift?: readonly [number, number]) => {
    const draw = () => {
      const shown = poseNow(state)
      const targets = renderTargetsFor(state, scaleOf(tier, view), view)
      if (shown === undefined) return { shown, targets }
      updateVisibleAtoms(shown.scene, state.painter)
      state.painter.drawIds(shown.scene, shown.pose, view, tier, targets, shift)
      return { shown, targets }
    }
    const drawn = isPrepared(state, tier) ? state.gpu.patiently(draw) : undefined
    if (drawn !== undefined) waitingSince = undefined
    return drawn
  }

  const fitCanvas = (width: number, height: number): void => {
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
  }

  const move = (ms: number | undefined): void => {
    if (gpuState === undefined || view.width * view.height === 0) return
    const { painter } = gpuState
    // To resize it waits for what is being drawn.
    if (lastTargets === undefined) fitCanvas(...sizeAt(scaleOf(tierNow(), view), view))
    const drawn = drawIds(gpuState, tierNow())
    if (drawn === undefined) {
      loop.change()
      return
    }
    if (ms !== undefined) quality = adapt(quality, ms)
    pictures = 0
    const { shown, targets } = drawn
    if (shown === undefined) {
      painter.clear()
      lastTargets = undefined
    } else {
      if (shown.scene.atomCount() >= WORTH_READBACK && moved++ % READBACK_INTERVAL === 0)
        painter.readback.request(targets)
      // CSS scales a canvas of another size at no extra cost.
      fitCanvas(targets.width, targets.height)
      painter.shade(targets, 'canvas', true)
      painter.haze(shown.scene, view)
      painter.line(shown.scene, shown.pose, view, targets.width)
      lastTargets = targets
    }
    framesDrawn += 1
    report()
  }

  const refine = (): boolean => {
    if (gpuState === undefined || view.width * view.height === 0) return false
    const { painter, gpu } = gpuState
    const drawn = drawIds(gpuState, REST, shiftOf(pictures))
    if (drawn === undefined) return true
    const { shown, targets } = drawn
    if (shown === undefined) return false
    const most = gpu.canDrawFloats ? REST_PICTURES : 1
    painter.shade(targets, 'picture', pictures === 0)
    pictures += 1
    if (pictures >= Math.min(MIN_PICTURES, most)) {
      fitCanvas(view.width, view.height)
      painter.present(targets, pictures)
      painter.haze(shown.scene, view)
      painter.line(shown.scene, shown.pose, view, view.width)
    }
    lastTargets = targets
    framesDrawn += 1
    report()
    return pictures < most
  }

  const loop = createLoop({ move, refine, rest: report })
  const onSurface = (): void => {
    if (gpuState?.scene?.surfaceShare() === undefined) loop.change()
    else report()
  }
  const sceneOf = (gpu: GpuContext): Scene | undefined => {
    if (molecule === undefined || molecule.names.length === 0) return undefined
    const scene = createScene(gpu, molecule, computeSurface, onSurface)
    scene.setFrames(frames)
    return scene
  }

  const onLost = (event: Event): void => {
    event.preventDefault()
    gpuState = undefined
    lastTargets = undefined
    report()
  }
  const onRestored = (): void => {
    const gpu = createGpu(canvas)
    gpuState = gpu === undefined ? undefined : setUp(gpu, sceneOf(gpu))
    report()
    loop.change()
  }
  canvas.addEventListener('webglcontextlost', onLost)
  canvas.addEventListener('webglcontextrestored', onRestored)

  const isDrawing = (scene: Scene | undefined): boolean => gpuState?.scene === scene

  const picture = async (options: PictureOptions = {}): Promise<ImageData> => {
    if (gpuState === undefined) throw new Error('The GPU is lost: there is no picture.')
    const state = gpuState
    const at = options.place === undefined ? placeNow() : placeOf(options.place)
    const pose = state.scene?.poseAt(at)
    if (pose !== undefined) await state.scene?.ready(view.look, pose)
    if (!isDrawing(state.scene)) throw new Error('The molecule has changed.')
    const shown = poseNow(state, at)
    const made = pictureOf(state.gpu, state.painter, shown, { ...view, camera: options.camera ?? view.camera }, options)
    loop.change()
    return made
  }

  return {
    isSoftware: firstGpu.isSoftware,
    setMolecule: newMolecule => {
      if (newMolecule === molecule) return
      molecule = newMolecule
      frames = []
      place = 0
      quality = startQuality(newMolecule?.names.length ?? 0, firstGpu.isSoftware)
      view = { ...view, marks: [], pointed: undefined }
      if (gpuState !== undefined) {
        gpuState.painter.readback.cancel()
        gpuState.scene?.free()
        gpuState = { ...gpuState, scene: sceneOf(gpuState.gpu) }
      }
      loop.change()
    },
    setFrames: newFrames => {
      frames = newFrames
      gpuState?.scene?.setFrames(newFrames)
      loop.change()
    },
    show: newPlace => {
      if (newPlace === place) return
      place = newPlace
      loop.change()
    },
    setCamera: camera => {
      view = { ...view, camera }
      loop.change()
    },
    setAppearance: look => {
      view = { ...view, look }
      loop.change()
    },
    resize: (width, height, ratio) => {
      const [wide, high] = [Math.max(0, Math.round(width * ratio)), Math.max(0, Math.round(height * ratio))]
      if (wide === view.width && high === view.height && ratio === view.ratio) return
      view = { ...view, width: wide, height: high, ratio }
      loop.change()
    },
    pick: (x, y) => {
      const pose = gpuState?.scene?.poseAt(placeNow())
      if (gpuState?.scene === undefined || pose === undefined || lastTargets === undefined) return -1
      return pickAtom(gpuState.gpu, lastTargets, gpuState.scene, pose, [x, y], view)
    },
    setMarks: (marks, pointed) => {
      view = { ...view, marks: [...marks], pointed }
      loop.change()
    },
    picture,
    onStatistics: listen => {
      listeners.add(listen)
      listen(statistics())
      return () => {
        listeners.delete(listen)
      }
    },
    dispose: () => {
      loop.dispose()
      listeners.clear()
      canvas.removeEventListener('webglcontextlost', onLost)
      canvas.removeEventListener('webglcontextrestored', onRestored)
      gpuState?.gpu.free()
      gpuState = undefined
      lastTargets = undefined
      molecule = undefined
      frames = []
    },
  }
}

function setUp(gpu: GpuContext, scene?: Scene): GpuState {
  return { gpu, painter: createPainter(gpu), scene, targetsBySize: createPool(MAX_RENDER_TARGETS) }
}

function updateVisibleAtoms(scene: Scene, { readback }: Painter): void {
  const seen = readback.take()
  if (seen !== undefined) scene.splitVisible(seen)
}

/** For the moving picture and the still one, which may have the same size. */
const MAX_RENDER_TARGETS = 2

function sizeAt(scale: number, { width, height }: View): readonly [number, number] {
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
}

function renderTargetsFor({ gpu, targetsBySize }: GpuState, scale: number, view: View): RenderTargets {
  const [wide, high] = sizeAt(scale, view)
  const key = `${wide} ${high}`
  return targetsBySize.get(key) ?? targetsBySize.add(key, createRenderTargets(gpu, wide, high))
}

function scaleOf(tier: Tier, { width, height }: View): number {
  return Math.min(tier.scale, Math.sqrt(MAX_PIXELS / Math.max(1, width * height)))
}

/** Evenly distributed subpixel offsets (Halton sequence of bases 2 and 3). */
function shiftOf(picture: number): readonly [number, number] {
  return [halton(picture + 1, 2) - 0.5, halton(picture + 1, 3) - 0.5]
}

function halton(index: number, base: number): number {
  let [result, share, left] = [0, 1, index]
  while (left > 0) {
    share /= base
    result += share * (left % base)
    left = Math.floor(left / base)
  }
  return result
}
