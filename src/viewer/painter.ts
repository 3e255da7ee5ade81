/*
 * The render passes of one picture: pose, ids, shading, present.
 */
import { LARGEST_RADIUS } from './ball.ts'
import { lensOf } from './camera.ts'
import type { GpuContext, GpuProgram, GpuShape, GpuTarget, ProgramState, Uniforms } from './gpu.ts'
import { chainColor, channelsOf } from './colors.ts'
import { LIGHTS, SIZES } from './lights.ts'
import type { Tier } from './quality.ts'
import type { Meshes, Pose, Scene } from './scene.ts'
import { atomsFragment, atomsVertex, type BallForm } from './shaders/atoms.ts'
import { bondsFragment, bondsVertex } from './shaders/bonds.ts'
import { COVER } from './shaders/common.ts'
import { lightFragment } from './shaders/light.ts'
import { ribbonsFragment, ribbonsVertex } from './shaders/ribbons.ts'
import { surfaceFragment, surfaceVertex } from './shaders/surface.ts'
import { hazeFragment, hazeVertex } from './shaders/haze.ts'
import { poseFragment } from './shaders/pose.ts'
import { farFragment } from './shaders/readback.ts'
import { lineFragment, lineVertex, presentFragment } from './shaders/present.ts'
import type { RenderTargets } from './render-targets.ts'
import { linesBetween, spaceOf, type Space, type View } from './space.ts'
import { createVisibilityReadback } from './visibility-readback.ts'

export type Painter = ReturnType<typeof createPainter>

const NO_ATOM = -1

export function createPainter(gpu: GpuContext) {
  const { gl } = gpu
  const cover = gpu.shape({}, 3)
  const strip = gpu.shape({}, 4)
  const boxSides = gpu.shape({}, 36)
  const uniforms: Uniforms = {}
  let box: Space['box'] = [0, 0, 0, 0]
  let meshes: Meshes = { solids: [], veils: [] }
  let isOutside = false
  let light: GpuProgram | undefined
  const programs = new Map<string, GpuProgram>()

  const program = (name: string, vertex: string, fragment: string, state?: ProgramState): GpuProgram => {
    const made = programs.get(name) ?? gpu.program(vertex, fragment, uniforms, state)
    programs.set(name, made)
    return made
  }

  const set = (values: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(values)) {
      const uniform = uniforms[name]
      if (uniform === undefined) uniforms[name] = { value }
      else uniform.value = value
    }
  }

  const balls = (form: BallForm, isTested: boolean, shape: GpuShape): void => {
    const name = isTested ? `${form} tested` : form
    const made = program(name, atomsVertex(form, isTested), atomsFragment, { hasDepth: true })
    gpu.draw(made, shape, form === 'points' ? gl.POINTS : gl.TRIANGLE_STRIP)
  }

  const presentProgram = (): GpuProgram => program('present', COVER, presentFragment)
  const hazeProgram = (): GpuProgram => program('haze', hazeVertex, hazeFragment, { hides: 'front', blend: 'under' })
  const lineProgram = (): GpuProgram => program('line', lineVertex, lineFragment, { blend: 'over' })

  /** Computes the farthest depth of each block of pixels. */
  const measureDepths = (targets: RenderTargets, { typical }: Space): void => {
    const block = Math.min(LARGEST_BLOCK, Math.max(SMALLEST_BLOCK, 2 ** Math.ceil(Math.log2(typical / 2))))
    const far = targets.blockDepths(block)
    set({ uDepths: targets.ids.depth?.texture, uBlock: block, uFar: far.colors[0]?.texture })
    gpu.into(far)
    gpu.draw(program('far', COVER, farFragment), cover)
  }

  /** Meshes are closed: from outside their back is never seen. */
  const drawMesh = ({ kind, shape }: Meshes['solids'][number]): void => {
    const [vertex, fragment] = kind === 'ribbons' ? [ribbonsVertex, ribbonsFragment] : [surfaceVertex, surfaceFragment]
    const state = { hasDepth: true, ...(isOutside ? { hides: 'back' as const } : {}) }
    gpu.draw(program(`${kind} ${isOutside}`, vertex, fragment, state), shape)
  }

  const drawMeshes = (targets: RenderTargets): void => {
    const { solids, veils } = meshes
    if (veils.length > 0) {
      const veilTarget = targets.veil()
      set({
        uVeilLook: veils.some(({ kind }) => kind === 'surface') ? SURFACE_VEIL : GHOST_VEIL,
        uVeil: veilTarget.colors[0]?.texture,
        uVeilNormals: veilTarget.colors[1]?.texture,
        uVeilColors: veilTarget.colors[2]?.texture,
        uVeilDepths: veilTarget.depth?.texture,
      })
      clear(veilTarget)
      for (const veil of veils) drawMesh(veil)
    }
    if (solids.length > 0) {
      const [, normals, colors] = targets.normals().colors
      set({ uNormals: normals?.texture, uMeshColors: colors?.texture })
      gpu.into(targets.normals())
      for (const solid of solids) drawMesh(solid)
    }
    gpu.into(targets.ids)
  }

  const clear = (target?: GpuTarget): void => {
    gpu.into(target)
    gpu.clear(target)
  }

  return {
    clear,
    readback: createVisibilityReadback(gpu, cover),

    /** Interpolates the atoms between two frames. */
    pose: (scene: Scene, pose: Pose, view: View): void => {
      const { look } = view
      const sizes = SIZES[look.style]
      set({
        uPlaces: pose.from.places.texture,
        uNextPlaces: pose.to.places.texture,
        uShades: pose.from.shades().texture,
        uNextShades: pose.to.shades().texture,
        uAtoms: scene.atoms.texture,
        uBlend: pose.share,
        uCenter: scene.ball().center,
        uSizes: [sizes.ball, sizes.fixed, sizes.mark],
        uMarks: fourMarks(view),
      })
      gpu.into(scene.posed)
      gpu.draw(program('pose', COVER, poseFragment), cover)
    },

    /** Draws the number of the visible atom into each pixel. `shift` is a subpixel offset. */
    drawIds: (
      scene: Scene,
      pose: Pose,
      view: View,
      tier: Tier,
      targets: RenderTargets,
      shift: readonly [number, number] = [0, 0],
    ): void => {
      const { look } = view
      const sizes = SIZES[look.style]
      const space = spaceOf(view, scene, pose, targets, shift)
      set({
        ...space.uniforms,
        ...lookUniforms(view, space, tier, targets),
        ...sceneUniforms(scene),
        uSize: [targets.width, targets.height],
        uGrain: shift[0] * 7,
      })
      ;({ box, isOutside } = space)
      clear(targets.ids)
      meshes = scene.meshes(look, pose, tier.triangles)
      drawMeshes(targets)
      const form = formFor(space, gpu)
      const [front, hidden] = [scene.shape('front', form), scene.shape('hidden', form)]
      if (front !== undefined) balls(form, false, front)
      const isTested = front !== undefined && gpu.canDrawFloats
      if (hidden !== undefined && isTested) measureDepths(targets, space)
      if (hidden !== undefined) {
        gpu.into(targets.ids)
        balls(form, isTested, hidden)
      }
      set({
        uSeen: targets.ids.colors[0]?.texture,
        uDepths: targets.ids.depth?.texture,
        uBondRadius: sizes.bond,
      })
      const hasAtoms = scene.atomCount() > 0
      if (sizes.bond > 0 && scene.bondCount > 0 && hasAtoms)
        gpu.draw(program('bonds', bondsVertex, bondsFragment, { hasDepth: true }), scene.bondShape)
      const contents = {
        hasBonds: sizes.bond > 0,
        hasAtoms,
        hasRibbons: meshes.solids.length > 0,
        hasVeil: meshes.veils.length > 0,
      }
      light = program(`light ${Object.values(contents).join(' ')}`, COVER, lightFragment(contents), { blend: 'add' })
      // What is drawn later in the same picture is compiled with the rest.
      presentProgram()
      if (hazeBounds(scene, view) !== undefined) hazeProgram()
      if (look.hydrogenBonds.length > 0 || view.marks.length > 1) lineProgram()
    },

    /** Shades what `drawIds` has drawn last onto the canvas or into the accumulated picture; adds to it unless it is the first. */
    shade: (targets: RenderTargets, to: 'canvas' | 'picture', isFirst: boolean): void => {
      if (light === undefined) return
      const shading = light
      const target = to === 'canvas' ? undefined : targets.picture()
      if (isFirst) clear(target)
      else gpu.into(target)
      gpu.within(box, () => {
        gpu.draw(shading, cover)
      })
    },

    /** Draws the average of the accumulated pictures into a target or onto the canvas. */
    present: (targets: RenderTargets, pictures: number, to?: GpuTarget): void => {
      const [width, height] = [to?.width ?? gl.drawingBufferWidth, to?.height ?? gl.drawingBufferHeight]
      clear(to)
      set({ uPicture: targets.picture().colors[0]?.texture, uCanvas: [1 / width, 1 / height], uShare: 1 / pictures })
      gpu.draw(presentProgram(), cover)
    },

    /** Draws the box of hidden water behind what is on the canvas. */
    haze: (scene: Scene, view: View): void => {
      const bounds = hazeBounds(scene, view)
      if (bounds === undefined) return
      set({ uLow: bounds[0], uHigh: bounds[1], uHazeColor: channelsOf(chainColor(0, view.look.theme)) })
      gpu.draw(hazeProgram(), boxSides)
    },

    /** Draws the lines between marked atoms and of hydrogen bonds on the canvas or target, which has this width. */
    line: (scene: Scene, pose: Pose, view: View, width: number): void => {
      set({
        uLens: lensOf(view.width, view.height),
        uSize: [width, (width * view.height) / view.width],
      })
      const draw = (pairs: readonly (readonly number[])[], kind: 'mark' | 'bond'): void => {
        const { points, look } = LINES[kind]
        set({
          uWidth: (points * view.ratio * width) / view.width,
          uLineLook: look,
          uMarkColor: LIGHTS[view.look.theme][kind],
        })
        for (const [uFrom, uTo] of linesBetween(pairs, scene, pose, view)) {
          set({ uFrom, uTo })
          gpu.draw(lineProgram(), strip, gl.TRIANGLE_STRIP)
        }
      }
      draw(view.look.hydrogenBonds, 'bond')
      draw(
        view.marks.slice(1).map((atom, at) => [view.marks[at] ?? atom, atom]),
        'mark',
      )
    },
  }
}

function hazeBounds(scene: Scene, { look }: View) {
  return look.showsSolvent ? undefined : scene.waterBounds()
}

function sceneUniforms(scene: Scene): Readonly<Record<string, unknown>> {
  return {
    uPose: scene.posed.colors[0]?.texture,
    uShades: scene.posed.colors[1]?.texture,
    uAtoms: scene.atoms.texture,
    uBonds: scene.bonds.texture,
    uAtomCount: scene.molecule.names.length,
    uRibbonStart: scene.molecule.names.length + scene.bondCount + 1,
  }
}

function lookUniforms(
  view: View,
  { pixel, typical }: Space,
  tier: Tier,
  targets: RenderTargets,
): Readonly<Record<string, unknown>> {
  const { look, ratio, width } = view
  const lights = LIGHTS[look.theme]
  const sizes = SIZES[look.style]
  return {
    uSky: lights.sky,
    uGround: lights.ground,
    uKey: lights.key,
    uFill: lights.fill,
    uGloss: lights.gloss,
    uMarks: fourMarks(view),
    uMarkColor: lights.mark,
    uTaps: tier.taps,
    uEdgeTaps: look.hasOutlines ? tier.edgeTaps : 0,
    uReach: [sizes.reach, sizes.reach / pixel],
    uOutline: 1 / sizes.outlineStep,
    uDeep: sizes.deep,
    // Fainter outlines for atoms that are hardly wider than the outline.
    uInk: INK * Math.min(1, Math.max(0.12, (typical / Math.max(1, (ratio * targets.width) / width) - 2) / 7)),
    uEdgeWays: edgeWays(Math.max(1, (ratio * targets.width) / width)),
    uLast: [targets.width - 1, targets.height - 1],
  }
}

/** Offsets around a pixel, the corners first: x and y of each. */
function edgeWays(reach: number): readonly number[] {
  const [corner, side] = [Math.max(1, Math.round(reach * Math.SQRT1_2)), Math.max(1, Math.round(reach))]
  return [-corner, -corner, corner, -corner, -corner, corner, corner, corner, side, 0, -side, 0, 0, side, 0, -side]
}

function fourMarks({ marks, pointed = NO_ATOM }: View): readonly number[] {
  return [0, 1, 2, 3].map(at => marks[at] ?? pointed)
}

const INK = 0.82

/** Half the width in CSS pixels; how much is seen of what is behind something, and how white the middle is. */
const LINES = { mark: { points: 2.2, look: [1, 0.85] }, bond: { points: 2.4, look: [0.25, 0.15] } } as const

/** How much a veil covers where it faces the eye and where it leans, and how gray it is. */
const SURFACE_VEIL = [0.22, 0.9, 0]
const GHOST_VEIL = [0.3, 0.55, 0.75]

/** Pixels a side of depth blocks. */
const SMALLEST_BLOCK = 4
const LARGEST_BLOCK = 64

/** Points are fastest, but are clipped when their center is out of view, and limited in size. */
function formFor({ nearest, pixel, isWholeInView }: Space, { largestPoint }: GpuContext): BallForm {
  return isWholeInView && (2 * LARGEST_RADIUS) / nearest / pixel < largestPoint ? 'points' : 'quads'
}
