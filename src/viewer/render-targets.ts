/*
 * Intermediate render targets of a picture.
 */
import type { GpuContext, GpuTarget } from './gpu.ts'

/** Targets of one size, created when first used. */
export type RenderTargets = {
  readonly width: number
  readonly height: number
  /** The number of the visible atom in each pixel, and its depth. */
  readonly ids: GpuTarget
  /** Normal and color of each pixel that shows a ribbon or surface, beside `ids`. */
  readonly normals: () => GpuTarget
  /** A see-through surface in front of the rest: numbers of atoms, normals, colors and depth. */
  readonly veil: () => GpuTarget
  /** The accumulated picture. */
  readonly picture: () => GpuTarget
  /** The farthest depth of each block of `block` × `block` pixels. */
  readonly blockDepths: (block: number) => GpuTarget
  readonly free: () => void
}

export function createRenderTargets(gpu: GpuContext, width: number, height: number): RenderTargets {
  const ids = gpu.target(width, height, ['r32ui'], { hasDepth: true })
  const normalFormat = gpu.canDrawFloats ? 'rgba16f' : 'rgba8'
  let blockDepths: { readonly block: number; readonly target: GpuTarget } | undefined
  let picture: GpuTarget | undefined
  let normals: GpuTarget | undefined
  let veil: GpuTarget | undefined
  return {
    width,
    height,
    ids,
    normals: () => (normals ??= gpu.targetOver(ids, [normalFormat, 'rgba8'])),
    veil: () => (veil ??= gpu.target(width, height, ['r32ui', normalFormat, 'rgba8'], { hasDepth: true })),
    picture: () =>
      (picture ??= gpu.target(width, height, [gpu.canDrawFloats ? 'rgba16f' : 'rgba8'], { isSmooth: true })),
    blockDepths: block => {
      if (blockDepths?.block !== block) {
        blockDepths?.target.free()
        blockDepths = { block, target: gpu.target(Math.ceil(width / block), Math.ceil(height / block), ['r32f']) }
      }
      return blockDepths.target
    },
    free: () => {
      for (const target of [normals, veil, ids, picture, blockDepths?.target]) target?.free()
    },
  }
}
