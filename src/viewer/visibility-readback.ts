/*
 * Reads back asynchronously which atoms a picture shows.
 */
import type { GpuContext, GpuShape, GpuTarget, Uniforms } from './gpu.ts'
import { COVER } from './shaders/common.ts'
import { sampleIdsFragment } from './shaders/readback.ts'
import type { RenderTargets } from './render-targets.ts'

/** Every nth pixel is sampled, along each side. Atoms missed are drawn by the depth test. */
const STRIDE = 3

export function createVisibilityReadback(gpu: GpuContext, cover: GpuShape) {
  const { gl } = gpu
  const uniforms: Uniforms = { uSeen: { value: undefined }, uStride: { value: STRIDE } }
  const program = gpu.program(COVER, sampleIdsFragment, uniforms)
  let target: GpuTarget | undefined
  let pending: { readonly sync: WebGLSync; readonly buffer: WebGLBuffer; readonly free: () => void } | undefined
  let pixels = new Uint32Array(0)

  const targetFor = (width: number, height: number): GpuTarget => {
    if (target?.width === width && target.height === height) return target
    target?.free()
    target = gpu.target(width, height, ['r32ui'])
    pixels = new Uint32Array(width * height * 4)
    return target
  }

  const cancel = (): void => {
    if (pending === undefined) return
    gl.deleteSync(pending.sync)
    pending.free()
    pending = undefined
  }

  return {
    cancel,
    /** Asks what a target shows, unless an answer is still pending. */
    request: ({ ids, width, height }: RenderTargets): void => {
      if (pending !== undefined) return
      const target = targetFor(Math.ceil(width / STRIDE), Math.ceil(height / STRIDE))
      uniforms['uSeen'] = { value: ids.colors[0]?.texture }
      gpu.into(target)
      gpu.draw(program, cover)
      // A new buffer for each read: browsers can read a buffer that is written once without stalling.
      const buffer = gl.createBuffer()
      const free = gpu.hold(pixels.byteLength, () => gl.deleteBuffer(buffer))
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer)
      gl.bufferData(gl.PIXEL_PACK_BUFFER, pixels.byteLength, gl.STREAM_READ)
      gl.readPixels(0, 0, target.width, target.height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, 0)
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null)
      const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
      if (sync === null) free()
      else pending = { sync, buffer, free }
    },
    /** Four integers per sampled pixel, when the read has finished. */
    take: (): Uint32Array | undefined => {
      if (pending === undefined || gl.getSyncParameter(pending.sync, gl.SYNC_STATUS) !== gl.SIGNALED) return undefined
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, pending.buffer)
      gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, pixels)
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null)
      cancel()
      return pixels
    },
  }
}
