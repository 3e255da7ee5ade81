import type { GpuContext } from './gpu.ts'
import type { Painter } from './painter.ts'
import { createRenderTargets } from './render-targets.ts'
import { REST } from './quality.ts'
import type { Pose, Scene } from './scene.ts'
import type { View } from './space.ts'
import type { PictureOptions } from './viewer.types.ts'

/** Accumulated pictures, along one side. */
const SIDE = 3

const LARGEST_SIDE = 8192

/** A picture with a transparent background; `scale` multiplies the canvas's sides. `side`: accumulated pictures. */
export function pictureOf(
  gpu: GpuContext,
  painter: Painter,
  shown: { readonly scene: Scene; readonly pose: Pose } | undefined,
  view: View,
  { scale = 1, side: wanted = SIDE }: Pick<PictureOptions, 'scale' | 'side'>,
): ImageData {
  const share = Math.min(
    Math.max(0.1, Number.isFinite(scale) ? scale : 1),
    LARGEST_SIDE / Math.max(1, view.width, view.height),
  )
  const [width, height] = [Math.max(1, Math.round(view.width * share)), Math.max(1, Math.round(view.height * share))]
  if (shown === undefined) return new ImageData(width, height)
  const large: View = { ...view, width, height, ratio: view.ratio * share }
  const targets = createRenderTargets(gpu, width, height)
  const flat = gpu.target(width, height, ['rgba8'])
  const side = gpu.canDrawFloats ? wanted : 1
  const pictures = side * side
  for (let picture = 0; picture < pictures; picture++) {
    const shift = [((picture % side) + 0.5) / side - 0.5, (Math.floor(picture / side) + 0.5) / side - 0.5] as const
    painter.drawIds(shown.scene, shown.pose, large, REST, targets, shift)
    painter.shade(targets, 'picture', picture === 0)
  }
  painter.present(targets, pictures, flat)
  painter.line(shown.scene, shown.pose, large, width)
  const pixels = new Uint8Array(width * height * 4)
  gpu.gl.readPixels(0, 0, width, height, gpu.gl.RGBA, gpu.gl.UNSIGNED_BYTE, pixels)
  flat.free()
  targets.free()
  return new ImageData(upright(pixels, width, height), width, height)
}

/** Reverses the rows, which WebGL counts from the bottom, and divides colors by alpha. */
function upright(pixels: Uint8Array, width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const turned = new Uint8ClampedArray(pixels.length)
  const row = width * 4
  for (let y = 0; y < height; y++) turned.set(pixels.subarray(y * row, (y + 1) * row), (height - 1 - y) * row)
  for (let at = 0; at < turned.length; at += 4) {
    const opacity = (turned[at + 3] ?? 0) / 255
    if (opacity === 0) continue
    for (const channel of [0, 1, 2]) turned[at + channel] = (turned[at + channel] ?? 0) / opacity
  }
  return turned
}
