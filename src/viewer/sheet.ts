/*
 * What one picture is drawn into before it is on the canvas.
 */
import type { Gpu, GpuTarget } from './gpu.ts'

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

export const createSheet = (gpu: Gpu, width: number, height: number): Sheet => {
  const seen = gpu.target(width, height, ['r32ui'], { hasDepth: true })
  let glass: GpuTarget | undefined
  let far: { readonly block: number; readonly target: GpuTarget } | undefined
  let picture: GpuTarget | undefined
  return {
    width,
    height,
    seen,
    glass: () => (glass ??= gpu.target(width, height, ['r32ui'], { hasDepth: true })),
    picture: () =>
      (picture ??= gpu.target(width, height, [gpu.canDrawFloats ? 'rgba16f' : 'rgba8'], { isSmooth: true })),
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
}
