/*
 * Intermediate render targets of a picture.
 */
import type { GpuContext, GpuTarget } from './gpu.ts'

export type RenderTargets = ReturnType<typeof createRenderTargets>

/** Targets of one size, created when first used. */
export function createRenderTargets(gpu: GpuContext, width: number, height: number) {
  const ids = gpu.target(width, height, ['r32ui'], { hasDepth: true })
  const normalFormat = gpu.canDrawFloats ? 'rgba16f' : 'rgba8'
  let blockDepths: { readonly block: number; readonly target: GpuTarget } | undefined
  let picture: GpuTarget | undefined
  let normals: GpuTarget | undefined
  let veil: GpuTarget | undefined
  return {
    width,
    height,
    /** The number of the visible atom in each pixel, and its depth. */
    ids,
    /** Normal and color of each pixel that shows a ribbon or surface, beside `ids`. */
    normals: () => (normals ??= gpu.targetOver(ids, [normalFormat, 'rgba8'])),
    /** A see-through surface in front of the rest: numbers of atoms, normals, colors and depth. */
    veil: () => (veil ??= gpu.target(width, height, ['r32ui', normalFormat, 'rgba8'], { hasDepth: true })),
    /** The accumulated picture. */
    picture: () =>
      (picture ??= gpu.target(width, height, [gpu.canDrawFloats ? 'rgba16f' : 'rgba8'], { isSmooth: true })),
    /** The farthest depth of each block of `block` × `block` pixels. */
    blockDepths: (block: number): GpuTarget => {
      if (blockDepths?.block !== block) {
        blockDepths?.target.free()
        blockDepths = { block, target: gpu.target(Math.ceil(width / block), Math.ceil(height / block), ['r32f']) }
      }
      return blockDepths.target
    },
    free: (): void => {
      for (const target of [normals, veil, ids, picture, blockDepths?.target]) target?.free()
    },
  }
}
