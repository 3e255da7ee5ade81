/*
 * One picture: where the atoms are, which of them each pixel sees, and what light falls there.
 */
import { lensOf, rotationMatrix } from './camera.ts'
import type { Gpu, GpuProgram, GpuShape, GpuTarget, Uniforms } from './gpu.ts'
import { LIGHTS, SIZES } from './lights.ts'
import type { Tier } from './quality.ts'
import type { Pose, Scene } from './scene.ts'
import { atomsFragment, atomsVertex, type BallForm } from './shaders/atoms.ts'
import { bondsFragment, bondsVertex } from './shaders/bonds.ts'
import { lightFragment, lightVertex, type BondForm } from './shaders/light.ts'
import { poseFragment, poseVertex } from './shaders/pose.ts'
import { farFragment, farVertex } from './shaders/survey.ts'
import { lineFragment, lineVertex, presentFragment, presentVertex } from './shaders/present.ts'
import { createSurvey, type Survey } from './survey.ts'
import type { Camera, Look } from './viewer.types.ts'

export type View = {
  readonly camera: Camera
  readonly look: Look
  readonly marks: readonly number[]
  /** Of the canvas, in device pixels, and device pixels a CSS pixel. */
  readonly width: number
  readonly height: number
  readonly ratio: number
}

/** The canvas's pixels for one drawing: which atoms they see, and their colours. */
export type Sheet = {
  readonly width: number
  readonly height: number
  readonly seen: GpuTarget
  /** Bonds that are seen through lie in a layer of their own. */
  readonly glass: () => GpuTarget
  readonly picture: () => GpuTarget
  /** One pixel for a block of so many, squared. */
  readonly far: (block: number) => GpuTarget
  readonly free: () => void
}

export type Painter = {
  readonly sheet: (width: number, height: number) => Sheet
  /** Puts the atoms where they are at a place between two frames. */
  readonly pose: (scene: Scene, pose: Pose, view: View) => void
  /** Which atom each pixel sees. `shift` is a part of a pixel. */
  readonly see: (scene: Scene, pose: Pose, view: View, tier: Tier, sheet: Sheet, shift?: readonly [number, number]) => void
  /** Light onto the canvas, or onto the sheet's picture; added to what lies there when it is not the first. */
  readonly light: (view: View, sheet: Sheet, to: 'canvas' | 'picture', isFirst: boolean) => void
  /** The sheet's picture, made of so many, into a target or onto the canvas. */
  readonly present: (sheet: Sheet, pictures: number, to?: GpuTarget) => void
  /** A line between two atoms, over what lies on the canvas or the target, which is so wide. */
  readonly line: (scene: Scene, pose: Pose, view: View, width: number) => void
  readonly clear: (target?: GpuTarget) => void
  readonly survey: Survey
}

const BOND_FORMS: Readonly<Record<Look['style'], BondForm>> = { 1: 'none', 2: 'glass', 3: 'solid' }

const NO_ATOM = -1

export const createPainter = (gpu: Gpu): Painter => {
  const { gl } = gpu
  const cover = gpu.shape({}, 3)
  const strip = gpu.shape({}, 4)
  const uniforms: Uniforms = {}
  let box: Space['box'] = [0, 0, 0, 0]
  const programs = new Map<string, GpuProgram>()
  const pictureFormat = gpu.canDrawFloats ? 'rgba16f' : 'rgba8'

  const program = (name: string, make: () => GpuProgram): GpuProgram => {
    const made = programs.get(name) ?? make()
    programs.set(name, made)
    return made
  }

  const set = (values: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(values)) {
      const known = uniforms[name]
      if (known === undefined) uniforms[name] = { value }
      else known.value = value
    }
  }

  const balls = (form: BallForm, isTested: boolean, shape: GpuShape): void => {
    const name = isTested ? `${form} tested` : form
    const made = program(name, () => gpu.program(atomsVertex(form, isTested), atomsFragment(form), uniforms, { hasDepth: true }))
    gpu.draw(made, shape, form === 'points' ? gl.POINTS : form === 'quads' ? gl.TRIANGLE_STRIP : gl.TRIANGLES)
  }

  /** How far each block of pixels sees by now. */
  const measureDepths = (sheet: Sheet, { typical }: Space): void => {
    const block = Math.min(LARGEST_BLOCK, Math.max(SMALLEST_BLOCK, 2 ** Math.ceil(Math.log2(typical / 2))))
    const far = sheet.far(block)
    set({ uDepths: sheet.seen.depth?.texture, uBlock: block, uFar: far.colours[0]?.texture })
    gpu.into(far)
    gpu.draw(program('far', () => gpu.program(farVertex, farFragment, uniforms)), cover)
  }

  const clear = (target?: GpuTarget): void => {
    gpu.into(target)
    gpu.clear(target)
  }

  return {
    clear,
    survey: createSurvey(gpu, cover),
    sheet: (width, height) => {
      const seen = gpu.target(width, height, ['r32ui'], { hasDepth: true })
      let glass: GpuTarget | undefined
      let far: { readonly block: number; readonly target: GpuTarget } | undefined
      let picture: GpuTarget | undefined
      return {
        width, height, seen,
        glass: () => (glass ??= gpu.target(width, height, ['r32ui'], { hasDepth: true })),
        picture: () => (picture ??= gpu.target(width, height, [pictureFormat], { isSmooth: true })),
        far: block => {
          if (far?.block !== block) {
            far?.target.free()
            far = { block, target: gpu.target(Math.ceil(width / block), Math.ceil(height / block), ['r32f']) }
          }
          return far.target
        },
        free: () => {
          for (const target of [seen, glass, picture, far?.target]) target?.free()
        },
      }
    },

    pose: (scene, pose, { look, marks }) => {
      const sizes = SIZES[look.style]
      set({
        uPlaces: pose.from.places.texture, uNextPlaces: pose.to.places.texture,
        uShades: pose.from.shades().texture, uNextShades: pose.to.shades().texture,
        uAtoms: scene.atoms.texture, uBlend: pose.share, uCentre: scene.ball().centre,
        uSizes: [sizes.ball, sizes.fixed, sizes.mark], uMarks: fourMarks(marks),
      })
      gpu.into(scene.posed)
      gpu.draw(program('pose', () => gpu.program(poseVertex, poseFragment, uniforms)), cover)
    },

    see: (scene, pose, view, tier, sheet, shift = [0, 0]) => {
      const { look } = view
      const sizes = SIZES[look.style]
      const space = spaceOf(view, scene, pose, sheet, shift)
      set({ ...space.uniforms, ...lookUniforms(view, space, tier, sheet), ...sceneUniforms(scene), uSize: [sheet.width, sheet.height], uGrain: shift[0] * 7 })
      box = space.box
      clear(sheet.seen)
      const form = formFor(tier, space, gpu)
      const [front, hidden] = [scene.shape('front', form), scene.shape('hidden', form)]
      if (front !== undefined) balls(form, false, front)
      const isTested = front !== undefined && form !== 'mesh' && gpu.canDrawFloats
      if (hidden !== undefined && isTested) measureDepths(sheet, space)
      if (hidden !== undefined) {
        gpu.into(sheet.seen)
        balls(form, isTested, hidden)
      }
      const bonds = BOND_FORMS[look.style]
      set({ uSeen: sheet.seen.colours[0]?.texture, uDepths: sheet.seen.depth?.texture, uBondRadius: sizes.bond, uGlass: sizes.bondOpacity })
      if (bonds === 'none') return
      if (bonds === 'glass') {
        clear(sheet.glass())
        set({ uSeenBonds: sheet.glass().colours[0]?.texture })
      }
      if (scene.bondCount === 0) return
      const isGlass = bonds === 'glass'
      gpu.draw(program(`${bonds} bonds`, () => gpu.program(bondsVertex, bondsFragment(isGlass), uniforms, { hasDepth: true })), scene.bondShape)
    },

    light: ({ look }, sheet, to, isFirst) => {
      const target = to === 'canvas' ? undefined : sheet.picture()
      if (isFirst) clear(target)
      else gpu.into(target)
      const bonds = BOND_FORMS[look.style]
      gpu.within(box, () => {
        gpu.draw(program(`${bonds} light`, () => gpu.program(lightVertex, lightFragment(bonds), uniforms, { blend: 'add' })), cover)
      })
    },

    present: (sheet, pictures, to) => {
      const [width, height] = [to?.width ?? gl.drawingBufferWidth, to?.height ?? gl.drawingBufferHeight]
      clear(to)
      set({ uPicture: sheet.picture().colours[0]?.texture, uCanvas: [1 / width, 1 / height], uShare: 1 / pictures })
      gpu.draw(program('present', () => gpu.program(presentVertex, presentFragment, uniforms)), cover)
    },

    line: (scene, pose, view, width) => {
      const ends = lineEnds(scene, pose, view)
      if (ends === undefined) return
      set({ uFrom: ends[0], uTo: ends[1], uLens: lensOf(view.width, view.height), uSize: [width, (width * view.height) / view.width], uWidth: (2.2 * view.ratio * width) / view.width, uMarkColour: LIGHTS[view.look.theme].mark })
      gpu.draw(program('line', () => gpu.program(lineVertex, lineFragment, uniforms, { blend: 'over' })), strip, gl.TRIANGLE_STRIP)
    },
  }
}

const sceneUniforms = (scene: Scene): Readonly<Record<string, unknown>> => ({
  uPose: scene.posed.colours[0]?.texture,
  uShades: scene.posed.colours[1]?.texture,
  uAtoms: scene.atoms.texture,
  uBonds: scene.bonds.texture,
  uAtomCount: scene.molecule.names.length,
})

const lookUniforms = ({ look, marks, ratio, width }: View, { pixel, typical }: Space, tier: Tier, sheet: Sheet): Readonly<Record<string, unknown>> => {
  const lights = LIGHTS[look.theme]
  const sizes = SIZES[look.style]
  return {
    uSky: lights.sky, uGround: lights.ground, uKey: lights.key, uFill: lights.fill, uGloss: lights.gloss,
    uMarks: fourMarks(marks), uMarkColour: lights.mark,
    uTaps: tier.taps, uEdgeTaps: look.hasOutlines ? tier.edgeTaps : 0,
    uReach: [sizes.reach, sizes.reach / pixel],
    uOutline: 1 / sizes.outlineStep,
    uDeep: sizes.deep,
    // Outlines of what is hardly wider than they are would leave nothing of it.
    uInk: INK * Math.min(1, Math.max(0.12, (typical / Math.max(1, (ratio * sheet.width) / width) - 2) / 7)),
    uEdgeWays: edgeWays(Math.max(1, (ratio * sheet.width) / width)),
    uLast: [sheet.width - 1, sheet.height - 1],
  }
}

/** Pixels around one, the corners first: x and y of each. */
const edgeWays = (reach: number): readonly number[] => {
  const [corner, side] = [Math.max(1, Math.round(reach * Math.SQRT1_2)), Math.max(1, Math.round(reach))]
  return [-corner, -corner, corner, -corner, -corner, corner, corner, corner, side, 0, -side, 0, 0, side, 0, -side]
}

const fourMarks = (marks: readonly number[]): readonly number[] => [0, 1, 2, 3].map(at => marks[at] ?? NO_ATOM)

const INK = 0.82

/** Share of the ball's radius that is nearest to the eye and free of fog. */
const CLEAR = 0.55

type Space = {
  readonly uniforms: Readonly<Record<string, unknown>>
  /** Size of a pixel of the sheet at distance 1. */
  readonly pixel: number
  readonly nearest: number
  readonly isWholeInView: boolean
  /** What of the sheet can be covered: x, y, width, height. */
  readonly box: readonly [number, number, number, number]
  /** Pixels across an atom in the ball's middle. */
  readonly typical: number
}

const spaceOf = ({ camera, look, width, height, ratio }: View, scene: Scene, { from, to }: Pose, sheet: Sheet, [right, up]: readonly [number, number]): Space => {
  const { radius } = scene.ball()
  const reach = Math.max(from.reach, to.reach)
  const [wide, high] = lensOf(width, height)
  const turn = rotationMatrix(camera.rotation)
  const move = moveOf(camera, radius)
  const distance = -move[2]
  const near = Math.max(NEAR, distance - reach)
  const far = distance + reach
  const pixel = (2 * high) / sheet.height
  const smallest = Math.max(0.55 * pixel, (1.05 * ratio * 2 * high) / height)
  const shift = [(right * 2) / sheet.width, (up * 2) / sheet.height] as const
  return {
    pixel,
    nearest: near,
    ...boxOf(move, reach, [wide, high], sheet),
    typical: (2 * (SIZES[look.style].ball * TYPICAL_RADIUS + SIZES[look.style].fixed)) / distance / pixel,
    uniforms: {
      uTurn: turn, uMove: move, uLens: [wide, high], uShift: shift,
      uRay: [(2 * wide) / sheet.width, (2 * high) / sheet.height, (-1 - shift[0]) * wide, (-1 - shift[1]) * high],
      uRange: [near, 1 / (far - near), far - near, look.style === 1 ? 0.5 * pixel : smallest],
      uFog: [distance - CLEAR * radius, 1 / ((1 + CLEAR) * radius * 1.05), LIGHTS[look.theme].fog],
    },
  }
}

/** Pixels a side of the blocks whose depths are known. */
const SMALLEST_BLOCK = 4
const LARGEST_BLOCK = 64

const TYPICAL_RADIUS = 1.7

/** ångström before the eye where the world begins. */
const NEAR = 1

const moveOf = ({ pan, distance }: Camera, radius: number): readonly [number, number, number] => [pan[0] * radius, pan[1] * radius, -distance * radius]

/** The ball's box on the sheet; all of it when the eye is inside the ball. */
const boxOf = (
  [x, y, z]: readonly [number, number, number], reach: number, lens: readonly [number, number], { width, height }: Sheet,
): Pick<Space, 'box' | 'isWholeInView'> => {
  const left = z * z - reach * reach
  if (left <= 0 || z >= 0) return { box: [0, 0, width, height], isWholeInView: false }
  const side = (offset: number, tangent: number, size: number): readonly [number, number] => {
    const half = (reach * Math.sqrt(offset * offset + left)) / left / tangent
    const middle = (offset * -z) / left / tangent
    return [((middle - half + 1) / 2) * size - 2, ((middle + half + 1) / 2) * size + 2]
  }
  const [x0, x1] = side(x, lens[0], width)
  const [y0, y1] = side(y, lens[1], height)
  const [fromX, fromY] = [Math.max(0, Math.floor(x0)), Math.max(0, Math.floor(y0))]
  return {
    isWholeInView: x0 >= 0 && y0 >= 0 && x1 <= width && y1 <= height,
    box: [fromX, fromY, Math.max(0, Math.min(width, Math.ceil(x1)) - fromX), Math.max(0, Math.min(height, Math.ceil(y1)) - fromY)],
  }
}

/** Points are quickest, but vanish when their middle is out of view, and have a largest size. */
const formFor = (tier: Tier, { nearest, pixel, isWholeInView }: Space, { largestPoint }: Gpu): BallForm => {
  if (tier.isMesh) return 'mesh'
  return isWholeInView && (2 * LARGEST_RADIUS) / nearest / pixel < largestPoint ? 'points' : 'quads'
}

/** In ångström: of what fits into a byte, marked. */
const LARGEST_RADIUS = 2.8

/** Both ends in the eye's space; undefined unless two atoms with places are marked. */
const lineEnds = (scene: Scene, pose: Pose, view: View): readonly (readonly number[])[] | undefined => {
  const [first, second] = view.marks
  if (first === undefined || second === undefined) return undefined
  const ends = [first, second].map(atom => eyePlace(scene, pose, view, atom))
  return ends.every(end => end.every(Number.isFinite) && (end[2] ?? 0) < -NEAR) ? ends : undefined
}

/** Where an atom is in the eye's space, in ångström; NaN for one without a place. */
export const eyePlace = (scene: Scene, { from, to, share }: Pose, { camera }: View, atom: number): readonly number[] => {
  const { centre, radius } = scene.ball()
  const m = rotationMatrix(camera.rotation)
  const move = moveOf(camera, radius)
  const local = [0, 1, 2].map(axis => {
    const [a = Number.NaN, b = Number.NaN] = [from.positions[atom * 3 + axis], to.positions[atom * 3 + axis]]
    return a + (b - a) * share - (centre[axis] ?? 0)
  })
  return [0, 1, 2].map(row => [0, 1, 2].reduce((sum, axis) => sum + (m[axis * 3 + row] ?? 0) * (local[axis] ?? 0), move[row] ?? 0))
}
