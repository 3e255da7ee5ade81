/*
 * What one picture is drawn into before it is on the canvas.
 */
import type { Gpu, GpuTarget } from './gpu.ts'

/** The canvas's pixels for one drawing: which atoms they see, and their colors. */
export type RenderTargets = {
  readonly width: number
  readonly height: number
  readonly ids: GpuTarget
  /** Bonds that are seen through lie in a layer of their own. */
  readonly bondIds: () => GpuTarget
  readonly picture: () => GpuTarget
  /** One pixel for a block of so many, squared. */
  readonly blockDepths: (block: number) => GpuTarget
  readonly free: () => void
}

export const createRenderTargets = (gpu: Gpu, width: number, height: number): RenderTargets => {
  const ids = gpu.target(width, height, ['r32ui'], { hasDepth: true })
  let bondIds: GpuTarget | undefined
  let blockDepths: { readonly block: number; readonly target: GpuTarget } | undefined
  let picture: GpuTarget | undefined
  return {
    width,
    height,
    ids,
    bondIds: () => (bondIds ??= gpu.target(width, height, ['r32ui'], { hasDepth: true })),
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
      for (const target of [ids, bondIds, picture, blockDepths?.target]) target?.free()
    },
  }
}
