/*
 * A molecule on the GPU: its atoms and bonds, its frames, and where the atoms are now.
 */
import { ballOf, type Ball } from './ball.ts'
import { atomBytes, motionOf } from './colours.ts'
import { createFrameStore, rowsOf, type Frame } from './frames.ts'
import type { Gpu, GpuShape, GpuTarget, GpuTexture } from './gpu.ts'
import { roundMesh } from './mesh.ts'
import { orderAtoms } from './order.ts'
import { ROW } from './shaders/common.ts'
import type { BallForm } from './shaders/atoms.ts'
import type { Colouring, Molecule, Theme } from './viewer.types.ts'

export type Pose = { readonly from: Frame; readonly to: Frame; readonly share: number }

export type Scene = {
  readonly molecule: Molecule
  readonly atoms: GpuTexture
  readonly bonds: GpuTexture
  readonly bondCount: number
  readonly ball: () => Ball
  readonly setFrames: (frames: readonly Float32Array[]) => void
  readonly frameCount: () => number
  /** The frames around a place; undefined before any came. */
  readonly poseAt: (place: number) => Pose | undefined
  /** One pixel an atom: place and radius; density around it. */
  readonly posed: GpuTarget
  readonly colour: (colouring: Colouring, theme: Theme, pose: Pose | undefined) => void
  /** Has the atoms drawn from front to back, to within a few degrees. `towards`: from the ball's middle to the eye. */
  readonly orderFor: (towards: readonly [number, number, number], positions: Float32Array) => void
  readonly shape: (form: BallForm) => GpuShape
  readonly bondShape: GpuShape
  readonly free: () => void
}

/** Cosine of the angle by which the order may be wrong. */
const ORDERLY = Math.cos((7 * Math.PI) / 180)

/** For a molecule of one atom or more. */
export const createScene = (gpu: Gpu, molecule: Molecule): Scene => {
  const count = molecule.names.length
  const rows = rowsOf(count)
  const atoms = gpu.texture('rgba8', ROW, rows)
  const posed = gpu.target(ROW, rows, ['rgba32f', 'rgba8'])
  const bondCount = molecule.bonds.length >> 1
  const bonds = gpu.texture('rg32ui', ROW, rowsOf(bondCount))
  gpu.write(bonds, 'rg32ui', safeBonds(molecule.bonds, count), bondCount)
  const orderBuffer = gpu.buffer(count)
  const corners = roundMesh()
  const cornerBuffer = gpu.buffer(corners.length)
  cornerBuffer.write(corners)
  const order = new Float32Array(count)
  const each = { buffer: orderBuffer, size: 1, count }
  const shapes: Readonly<Record<BallForm, GpuShape>> = {
    points: gpu.shape({ aAtom: each }, count),
    quads: gpu.shape({ aAtom: { ...each, isEach: true } }, 4),
    mesh: gpu.shape({ aAtom: { ...each, isEach: true }, aCorner: { buffer: cornerBuffer, size: 3, count: corners.length / 3 } }, corners.length / 3),
  }
  const bondShape = gpu.shape({}, bondCount * 6)
  const held = [atoms, posed, bonds, orderBuffer, cornerBuffer, bondShape, ...Object.values(shapes)]

  let frames: readonly Float32Array[] = []
  let ball = ballOf(new Float32Array())
  let store = createFrameStore(gpu, molecule.radii, ball)
  let ordered: { readonly towards: readonly [number, number, number]; readonly positions: Float32Array } | undefined
  let coloured = ''

  return {
    molecule, atoms, bonds, bondCount, posed, bondShape,
    ball: () => ball,
    frameCount: () => frames.length,
    setFrames: given => {
      const [first] = given
      if (first !== undefined && frames.length === 0) {
        store.free()
        ball = ballOf(first.subarray(0, count * 3))
        store = createFrameStore(gpu, molecule.radii, ball)
      }
      frames = given
      store.keep(frames)
    },
    poseAt: place => {
      const last = frames.length - 1
      if (last < 0) return undefined
      const at = Number.isFinite(place) ? Math.min(last, Math.max(0, place)) : 0
      const [from, to] = [frames[Math.floor(at)], frames[Math.ceil(at)]]
      if (from === undefined || to === undefined) return undefined
      return { from: store.at(from), to: store.at(to), share: at - Math.floor(at) }
    },
    colour: (colouring, theme, pose) => {
      const pair = colouring === 'motion' && pose !== undefined ? motionPair(frames, pose) : undefined
      const key = `${colouring} ${theme} ${pair?.join(' ') ?? ''}`
      if (key === coloured) return
      coloured = key
      const [from, to] = [frames[pair?.[0] ?? -1], frames[pair?.[1] ?? -1]]
      const motion = from === undefined || to === undefined ? undefined : motionOf(from, to, count)
      gpu.write(atoms, 'rgba8', atomBytes(molecule, colouring, theme, motion), count)
    },
    orderFor: (towards, positions) => {
      if (ordered?.positions === positions && dot(ordered.towards, towards) > ORDERLY) return
      ordered = { towards, positions }
      orderAtoms(positions, towards, ball.radius, ball.centre, order)
      orderBuffer.write(order)
    },
    shape: form => shapes[form],
    free: () => {
      store.free()
      for (const part of held) part.free()
    },
  }
}

/** Motion is what leads from the shown frame to the next one; the last frame shows what led to it. */
const motionPair = (frames: readonly Float32Array[], { from }: Pose): readonly [number, number] => {
  const at = frames.indexOf(from.positions)
  return at + 1 < frames.length ? [at, at + 1] : [at - 1, at]
}

/** A bond with an end that is no atom gets two equal ends, and is not seen. */
const safeBonds = (bonds: Uint32Array, atoms: number): Uint32Array => {
  const safe = bonds.slice(0, bonds.length & ~1)
  for (let at = 0; at + 1 < safe.length; at += 2)
    if ((safe[at] ?? atoms) >= atoms || (safe[at + 1] ?? atoms) >= atoms) safe.fill(0, at, at + 2)
  return safe
}

const dot = (a: readonly [number, number, number], b: readonly [number, number, number]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
