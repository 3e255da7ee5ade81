/*
 * A molecule on the GPU: atoms, bonds, frames, and current positions.
 */
import { waterBounds, type Bounds } from '../folding/molecule/bounds.ts'
import { ballOf, EMPTY_BALL, LARGEST_RADIUS, type Ball } from './ball.ts'
import { CARBON, PHOSPHORUS } from '../folding/molecule/atoms.ts'
import { isSolvent, POLYMER, withoutSolvent } from '../folding/molecule/kinds.ts'
import { CARTOON, SURFACE } from '../folding/molecule/molecule-style.ts'
import { createFluctuation } from '../folding/molecule/fluctuation.ts'
import { hasBackbone } from '../folding/molecule/molecule.ts'
import { atomBytes } from './colors.ts'
import { createFrameStore, rowsOf, type Frame } from './frames.ts'
import type { GpuContext, GpuShape } from './gpu.ts'
import { ROW } from './shaders/common.ts'
import type { BallForm } from './shaders/atoms.ts'
import { createRibbons, type Ribbons } from './ribbons.ts'
import { createSurfaces, type Surfaces } from './surfaces.ts'
import { splitVisible } from './split-visible.ts'
import type { ComputeSurface, DrawStyle, Molecule, ViewerAppearance } from './viewer.types.ts'

export type Pose = { readonly from: Frame; readonly to: Frame; readonly share: number }

export type Scene = ReturnType<typeof createScene>

type Mesh = { readonly kind: 'ribbons' | 'surface'; readonly shape: GpuShape }

export type Meshes = {
  readonly solids: readonly Mesh[]
  /** What is see-through: the nearest of them is drawn. */
  readonly veils: readonly Mesh[]
}

/** Requires at least one atom. `onSurface`: a surface has been computed, or more of one. */
export function createScene(
  gpu: GpuContext,
  molecule: Molecule,
  computeSurface: ComputeSurface,
  onSurface: () => void,
) {
  const count = molecule.names.length
  const rows = rowsOf(count)
  const atoms = gpu.texture('rgba8', ROW, rows)
  /** One pixel per atom: position and radius; ambient occlusion. */
  const posed = gpu.target(ROW, rows, ['rgba32f', 'rgba8'])
  const bondCount = molecule.bonds.length >> 1
  const bonds = gpu.texture('rg32ui', ROW, rowsOf(bondCount))
  const allBonds = safeBonds(molecule.bonds, count)
  const lists = { front: createList(gpu, count), hidden: createList(gpu, count) }
  const bondShape = gpu.shape({}, 0)
  const held = [atoms, posed, bonds, bondShape, lists.front, lists.hidden]

  let frames: readonly Float32Array[] = []
  let ball = EMPTY_BALL
  let water: Bounds | undefined
  let showsSolvent = false
  let store = createFrameStore(gpu, radiiOf(molecule, showsSolvent), ball)
  const ribbons = new Map<number | 'ghost', Ribbons | undefined>()
  let surfaces: Surfaces | undefined
  let colored = ''
  let closeUp: Uint8Array | undefined
  let fluctuation: ReturnType<typeof createFluctuation> | undefined
  let measured = frames
  /** Atoms and bonds that are drawn as such. */
  let [drawnAtoms, drawnBonds] = [new Uint32Array(), new Uint32Array()]
  const createStore = (): void => {
    store.free()
    store = createFrameStore(gpu, radiiOf(molecule, showsSolvent), ball)
  }

  /** Updates which atoms are visible (see `split-visible.ts`). */
  const split = (seen: Uint32Array): void => {
    const shown = splitVisible(seen, drawnAtoms, lists.front.numbers, lists.hidden.numbers)
    lists.front.show(shown)
    lists.hidden.show(drawnAtoms.length - shown)
  }

  /** `bytes`: those of `atomBytes`. */
  const draw = (bytes: Uint8Array): void => {
    const isDrawn = (atom: number | undefined): boolean => (bytes[(atom ?? count) * 4 + 3] ?? 0) > 0
    const before = drawnAtoms
    drawnAtoms = indexesOf(count, isDrawn)
    if (before.length === drawnAtoms.length && before.every((atom, at) => atom === drawnAtoms[at])) return
    drawnBonds = indexesOf(bondCount, bond => isDrawn(allBonds[bond * 2]) && isDrawn(allBonds[bond * 2 + 1]))
    bonds.write(pairsOf(allBonds, drawnBonds), drawnBonds.length)
    bondShape.geometry.setDrawRange(0, drawnBonds.length * 6)
    split(new Uint32Array())
  }

  const knownSurfaces = (): Surfaces => (surfaces ??= createSurfaces(gpu, molecule, computeSurface, onSurface))
  const knownRibbons = (use: number | 'ghost'): Ribbons | undefined => {
    if (!ribbons.has(use))
      ribbons.set(use, createRibbons(gpu, molecule.polymers, use === 'ghost' ? GHOST_TRIANGLES : use))
    return ribbons.get(use)
  }
  const ribbonsAt = (use: number | 'ghost', from: Float32Array, to: Float32Array): readonly Mesh[] => {
    const shape = knownRibbons(use)?.shape(from, to)
    return shape === undefined ? [] : [{ kind: 'ribbons', shape }]
  }
  /** The first frame, where it is drawn too and another one is shown. */
  const ghostAt = ({ hasGhost }: ViewerAppearance, { from, share }: Pose): Frame | undefined => {
    const [first] = frames
    const isShown = hasGhost && first !== undefined && (from.positions !== first || share > 0)
    return isShown ? store.at(first) : undefined
  }
  const surfaceAt = ({ from }: Pose): GpuShape | undefined => knownSurfaces().shape(from.positions)

  return {
    molecule,
    atoms,
    bonds,
    bondCount,
    /** The bond that is drawn as the nth one. */
    bondAt: (drawn: number) => drawnBonds[drawn] ?? drawn,
    /** How many atoms are drawn as such. */
    atomCount: () => drawnAtoms.length,
    posed,
    bondShape,
    ball: () => ball,
    /** The lowest and highest x, y and z of the water of the first frame, if there is much. */
    waterBounds: () => water,
    setFrames: (newFrames: readonly Float32Array[]): void => {
      const found = ball === EMPTY_BALL ? firstBall(newFrames, molecule) : undefined
      if (found !== undefined) {
        ball = found.ball
        water = found.water
        createStore()
      }
      frames = newFrames
      store.keep(frames)
      surfaces?.keep(frames)
    },
    /** The two frames around a position in the trajectory; undefined without frames. */
    poseAt: (place: number): Pose | undefined => {
      const last = frames.length - 1
      if (last < 0) return undefined
      const at = Number.isFinite(place) ? Math.min(last, Math.max(0, place)) : 0
      const [from, to] = [frames[Math.floor(at)], frames[Math.ceil(at)]]
      if (from === undefined || to === undefined) return undefined
      return { from: store.at(from), to: store.at(to), share: at - Math.floor(at) }
    },
    /** Colors the atoms, and hides those that the style shows otherwise. */
    setAppearance: (look: ViewerAppearance, pose: Pose | undefined): void => {
      const { coloring, theme, style } = look
      const isCovered = style === SURFACE && !look.isSeeThrough && pose !== undefined && surfaceAt(pose) !== undefined
      const positions = pose?.from.positions
      const place = coloring === 'structure' && positions !== undefined ? frames.indexOf(positions) : undefined
      const hasRibbons = drawsRibbons(style, molecule)
      const key = [coloring, theme, hasRibbons, isCovered, look.showsSolvent, place].join(' ')
      if (key === colored && look.closeUp === closeUp && (coloring !== 'motion' || frames === measured)) return
      colored = key
      closeUp = look.closeUp
      measured = frames
      const motion = coloring === 'motion' ? (fluctuation ??= createFluctuation(count))(frames) : undefined
      const isHidden = hiddenKinds(look.showsSolvent, hasRibbons, isCovered)
      const frame = coloring === 'structure' ? positions : frames[0]
      const isCartoon = hasRibbons && !isCovered
      const bytes = atomBytes(molecule, { coloring, theme, frame, motion, isCartoon })
      const elements = closeUp === undefined ? bytes : atomBytes(molecule, { coloring: 'element', theme })
      molecule.kinds.forEach((kind, atom) => {
        if (!isHidden(kind)) return
        if (closeUp?.[atom] !== 1 || isCovered || isSolvent(kind)) bytes[atom * 4 + 3] = 0
        else if (!CARRIERS.has(molecule.classes[atom] ?? 0))
          bytes.set(elements.subarray(atom * 4, atom * 4 + 3), atom * 4)
      })
      atoms.write(bytes, count)
      draw(bytes)
    },
    showSolvent: (isShown: boolean): void => {
      if (isShown === showsSolvent) return
      showsSolvent = isShown
      createStore()
    },
    /** Computes what is drawn of a pose, step by step; whether all of it is there when time is over. */
    prepare: (
      { style }: ViewerAppearance,
      { from, to }: Pose,
      mostTriangles: number,
      isOver: () => boolean,
    ): boolean => {
      const steps = [from, to].flatMap(frame => [frame.shades, frame.reach])
      for (const step of steps) {
        step()
        if (isOver()) return false
      }
      if (!drawsRibbons(style, molecule)) return true
      const known = knownRibbons(mostTriangles)
      return !isOver() && (known?.prepare(from.positions, to.positions, isOver) ?? true)
    },
    /** Triangles that are drawn with the atoms, or in front of them. */
    meshes: (look: ViewerAppearance, pose: Pose, mostTriangles: number): Meshes => {
      const shape = look.style === SURFACE ? surfaceAt(pose) : undefined
      const surface: readonly Mesh[] = shape === undefined ? [] : [{ kind: 'surface', shape }]
      const first = ghostAt(look, pose)?.positions
      const ghost = first === undefined ? [] : ribbonsAt('ghost', first, first)
      if (surface.length > 0 && !look.isSeeThrough) return { solids: surface, veils: ghost }
      const isDrawn = drawsRibbons(look.style, molecule)
      const solids = isDrawn ? ribbonsAt(mostTriangles, pose.from.positions, pose.to.positions) : []
      return { solids, veils: [...surface, ...ghost] }
    },
    ghost: ghostAt,
    /** Resolves when what is drawn of a pose has been computed. */
    ready: async ({ style }: ViewerAppearance, pose: Pose): Promise<void> => {
      if (style === SURFACE) await knownSurfaces().ready(pose.from.positions)
    },
    /** Of the surface that is being computed, the share that is done. */
    surfaceShare: () => surfaces?.share(),
    splitVisible: split,
    /** Atoms that were visible in the last picture read back, or all others. Initially none are visible. */
    shape: (which: 'front' | 'hidden', form: BallForm) => lists[which].shape(form),
    free: (): void => {
      store.free()
      for (const one of ribbons.values()) one?.free()
      surfaces?.free()
      for (const part of held) part.free()
    },
  }
}

/** Classes of atoms that keep the color of their residue in a close-up: ribbons take theirs from such atoms. */
const CARRIERS: ReadonlySet<number> = new Set([CARBON, PHOSPHORUS])

const GHOST_TRIANGLES = 50_000

/** A cartoon, also the one inside a see-through surface. */
function drawsRibbons(style: DrawStyle, molecule: Molecule): boolean {
  return (style === CARTOON || style === SURFACE) && hasBackbone(molecule)
}

/** The kinds of atoms that are not drawn as atoms. */
function hiddenKinds(showsSolvent: boolean, hasRibbons: boolean, isCovered: boolean) {
  return (kind: number): boolean => (isSolvent(kind) ? !showsSolvent : isCovered || (hasRibbons && kind === POLYMER))
}

/** Atoms without a radius cast no shade. */
function radiiOf({ radii, kinds }: Molecule, showsSolvent: boolean): Float32Array {
  return showsSolvent ? radii : radii.map((radius, atom) => (isSolvent(kinds[atom]) ? 0 : radius))
}

/** The bounding sphere of the first frame with positions, without the solvent, and the box of its water. */
function firstBall(
  frames: readonly Float32Array[],
  { names, kinds }: Molecule,
): { readonly ball: Ball; readonly water: Bounds | undefined } | undefined {
  for (const positions of frames) {
    const frame = positions.subarray(0, names.length * 3)
    const ball = ballOf(withoutSolvent(kinds, frame))
    if (ball === EMPTY_BALL) continue
    return { ball, water: waterBounds(frame, kinds, LARGEST_RADIUS) }
  }
  return undefined
}

/** A bond with an invalid end gets two equal ends, so that it is not visible. */
function safeBonds(bonds: Uint32Array, atoms: number): Uint32Array {
  const safe = bonds.slice(0, bonds.length & ~1)
  for (let at = 0; at + 1 < safe.length; at += 2)
    if ((safe[at] ?? atoms) >= atoms || (safe[at + 1] ?? atoms) >= atoms) safe.fill(0, at, at + 2)
  return safe
}

function indexesOf(count: number, fits: (index: number) => boolean): Uint32Array<ArrayBuffer> {
  const found = new Uint32Array(count)
  let length = 0
  for (let index = 0; index < count; index++) if (fits(index)) found[length++] = index
  return found.slice(0, length)
}

function pairsOf(bonds: Uint32Array, chosen: Uint32Array): Uint32Array {
  const pairs = new Uint32Array(chosen.length * 2)
  chosen.forEach((bond, at) => {
    pairs[at * 2] = bonds[bond * 2] ?? 0
    pairs[at * 2 + 1] = bonds[bond * 2 + 1] ?? 0
  })
  return pairs
}

/** A list of atoms, with a shape for each form of drawing. */
function createList(gpu: GpuContext, atoms: number) {
  const numbers = new Float32Array(atoms)
  const buffer = gpu.buffer(numbers)
  const each = { buffer, size: 1 }
  const shapes: Readonly<Record<BallForm, GpuShape>> = {
    points: gpu.shape({ aAtom: each }, 0),
    quads: gpu.shape({ aAtom: { ...each, isEach: true } }, 4),
  }
  let shown = 0
  return {
    numbers,
    /** Draws the first `count` of `numbers`. */
    show: (count: number): void => {
      shown = count
      buffer.write(numbers.subarray(0, count))
      shapes.points.geometry.setDrawRange(0, count)
      shapes.quads.geometry.setInstancedCount(count)
    },
    /** Undefined when there is nothing to draw. */
    shape: (form: BallForm) => (shown === 0 ? undefined : shapes[form]),
    free: (): void => {
      buffer.free()
      for (const shape of Object.values(shapes)) shape.free()
    },
  }
}
