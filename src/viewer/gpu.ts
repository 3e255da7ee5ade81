/*
 * WebGL 2 resources on top of OGL's state cache: textures, render targets, programs. Everything created here is counted
 * in bytes, and freed alone or all together by `free`.
 */
import { Geometry, Program, Renderer, Texture, type UniformInfo } from 'ogl'

export type Format = 'rgb32f' | 'rgba32f' | 'rgba16f' | 'rgba8' | 'rg32ui' | 'r32ui' | 'r32f' | 'depth'

export type GpuTexture = {
  readonly texture: Texture
  readonly width: number
  readonly height: number
  /** Writes so many texels in rows from the top; the last row may be shorter. */
  readonly write: (data: ArrayBufferView, texels: number) => void
  readonly free: () => void
}

export type GpuTarget = {
  readonly buffer: WebGLFramebuffer
  readonly colors: readonly GpuTexture[]
  readonly depth: GpuTexture | undefined
  readonly width: number
  readonly height: number
  readonly free: () => void
}

export type Uniforms = Record<string, { value: unknown }>

export type GpuProgram = { readonly program: Program; readonly free: () => void }

export type GpuBuffer = {
  readonly buffer: WebGLBuffer
  readonly count: number
  readonly write: (data: Float32Array) => void
  readonly free: () => void
}

export type GpuShape = { readonly geometry: Geometry; readonly free: () => void }

export type GpuContext = ReturnType<typeof createGpuFor>

export type ShapeAttribute = {
  readonly buffer: GpuBuffer
  readonly size: number
  readonly isEach?: boolean
}

export type ProgramState = {
  readonly hasDepth?: boolean
  readonly hides?: 'back' | 'front'
  readonly blend?: 'add' | 'over' | 'under'
}

type FormatFacts = { readonly of: readonly [internal: GLenum, layout: GLenum, type: GLenum]; readonly bytes: number }

function formatsOf(gl: WebGL2RenderingContext): Readonly<Record<Format, FormatFacts>> {
  return {
    rgb32f: { of: [gl.RGB32F, gl.RGB, gl.FLOAT], bytes: 12 },
    rgba32f: { of: [gl.RGBA32F, gl.RGBA, gl.FLOAT], bytes: 16 },
    rgba16f: { of: [gl.RGBA16F, gl.RGBA, gl.HALF_FLOAT], bytes: 8 },
    rgba8: { of: [gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE], bytes: 4 },
    rg32ui: { of: [gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT], bytes: 8 },
    r32ui: { of: [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT], bytes: 4 },
    r32f: { of: [gl.R32F, gl.RED, gl.FLOAT], bytes: 4 },
    depth: { of: [gl.DEPTH_COMPONENT24, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT], bytes: 4 },
  }
}

const ATTRIBUTES = { alpha: true, antialias: false, depth: false, premultipliedAlpha: true }

/** Null without WebGL 2. The graphics process makes it meanwhile: questions to it wait until `fenceOf` it is passed. */
export function contextOf(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  return canvas.getContext('webgl2', { ...ATTRIBUTES, powerPreference: 'high-performance' })
}

/** The function that it returns says whether the graphics process has come as far as this, and does not wait for it. */
export function fenceOf(gl: WebGL2RenderingContext): () => boolean {
  const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
  gl.flush()
  return () => sync === null || gl.isContextLost() || gl.getSyncParameter(sync, gl.SYNC_STATUS) === gl.SIGNALED
}

/** Undefined without WebGL 2. */
export function createGpu(canvas: HTMLCanvasElement): GpuContext | undefined {
  const gl = contextOf(canvas)
  if (gl === null) return undefined
  // OGL uses the canvas's existing context, but sets its CSS size.
  const renderer = new Renderer({
    canvas,
    width: canvas.width,
    height: canvas.height,
    dpr: 1,
    webgl: 2,
    ...ATTRIBUTES,
    autoClear: false,
  })
  canvas.removeAttribute('style')
  return createGpuFor(gl, renderer)
}

function createGpuFor(gl: WebGL2RenderingContext, renderer: Renderer) {
  const ogl = renderer.gl
  const formats = formatsOf(gl)
  const parallel = gl.getExtension('KHR_parallel_shader_compile')
  /** Programs that may still be compiled, and what says whether one is. */
  const pending = new Map<LateProgram, () => boolean>()
  let isPatient = false
  const held = new Map<object, { readonly bytes: number; readonly free: () => void }>()

  /** Registers an external resource, to be freed with the rest. The returned function frees it, once. */
  const hold = (bytes: number, free: () => void): (() => void) => {
    const entry = {}
    held.set(entry, { bytes, free })
    return () => {
      if (held.delete(entry)) free()
    }
  }

  const texture = (format: Format, width: number, height: number, isSmooth = false): GpuTexture => {
    const {
      of: [internalFormat, layout, type],
      bytes,
    } = formats[format]
    const filter = isSmooth ? gl.LINEAR : gl.NEAREST
    const made = new Texture(ogl, {
      width,
      height,
      internalFormat,
      format: layout,
      type,
      minFilter: filter,
      magFilter: filter,
      generateMipmaps: false,
      flipY: false,
      unpackAlignment: 4,
    })
    made.update()
    return {
      texture: made,
      width,
      height,
      write: (data, texels) => {
        made.bind()
        const rows = Math.floor(texels / width)
        const rest = texels - rows * width
        if (rows > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, rows, layout, type, data, 0)
        const perTexel = layout === gl.RGB ? 3 : layout === gl.RGBA ? 4 : 2
        if (rest > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, rows, rest, 1, layout, type, data, rows * width * perTexel)
      },
      free: hold(width * height * bytes, () => gl.deleteTexture(made.texture)),
    }
  }

  /** `ownedTextures`: those that are freed with the target. */
  const targetOf = (
    width: number,
    height: number,
    colors: readonly GpuTexture[],
    depth: GpuTexture | undefined,
    ownedTextures: readonly (GpuTexture | undefined)[],
  ): GpuTarget => {
    const buffer = gl.createFramebuffer()
    renderer.bindFramebuffer({ buffer })
    colors.forEach(({ texture: { texture } }, index) =>
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + index, gl.TEXTURE_2D, texture, 0),
    )
    if (depth !== undefined)
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depth.texture.texture, 0)
    gl.drawBuffers(colors.map((_, index) => gl.COLOR_ATTACHMENT0 + index))
    const freeBuffer = hold(0, () => gl.deleteFramebuffer(buffer))
    return {
      buffer,
      colors,
      depth,
      width,
      height,
      free: () => {
        renderer.bindFramebuffer({})
        freeBuffer()
        for (const part of ownedTextures) part?.free()
      },
    }
  }

  /** Selects a target, or the canvas, for drawing. */
  const into = (target: GpuTarget | undefined): void => {
    renderer.bindFramebuffer(target === undefined ? {} : { buffer: target.buffer })
    renderer.setViewport(target?.width ?? gl.drawingBufferWidth, target?.height ?? gl.drawingBufferHeight)
  }

  return {
    gl,
    /** Whether the processor draws. */
    isSoftware: SOFTWARE.test(rendererOf(gl)),
    /** Whether floating-point textures can be rendered to. */
    canDrawFloats: gl.getExtension('EXT_color_buffer_float') !== null,
    largestPoint: largestPointOf(gl),
    bytes: () => [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    hold,
    texture,
    target: (
      width: number,
      height: number,
      formats: readonly Format[],
      { hasDepth = false, isSmooth = false }: { readonly hasDepth?: boolean; readonly isSmooth?: boolean } = {},
    ): GpuTarget => {
      const colors = formats.map(format => texture(format, width, height, isSmooth))
      const depth = hasDepth ? texture('depth', width, height) : undefined
      return targetOf(width, height, colors, depth, [...colors, depth])
    },
    /** Draws into the first color and the depth of `base`, and into colors of its own. */
    targetOver: (base: GpuTarget, formats: readonly Format[]): GpuTarget => {
      const ownedTextures = formats.map(format => texture(format, base.width, base.height))
      return targetOf(
        base.width,
        base.height,
        [...base.colors.slice(0, 1), ...ownedTextures],
        base.depth,
        ownedTextures,
      )
    },
    program: (
      vertex: string,
      fragment: string,
      uniforms: Uniforms,
      { hasDepth = false, hides, blend }: ProgramState = {},
    ): GpuProgram => {
      const program = new LateProgram(ogl, {
        vertex,
        fragment,
        uniforms,
        cullFace: hides === undefined ? false : hides === 'back' ? gl.BACK : gl.FRONT,
        depthTest: hasDepth,
        depthWrite: hasDepth,
        depthFunc: gl.LESS,
      })
      if (blend === 'under') program.setBlendFunc(gl.ONE_MINUS_DST_ALPHA, gl.ONE)
      else if (blend !== undefined) program.setBlendFunc(gl.ONE, blend === 'add' ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA)
      const isLinked = (): boolean =>
        parallel !== null && gl.getProgramParameter(program.program, parallel.COMPLETION_STATUS_KHR) !== false
      pending.set(program, parallel === null ? fenceOf(gl) : isLinked)
      const free = hold(0, () => {
        pending.delete(program)
        gl.deleteShader(program.vertexShader)
        gl.deleteShader(program.fragmentShader)
        program.remove()
      })
      return { program, free }
    },
    /** Of floats, or of the corners of triangles. */
    buffer: (content: Float32Array | Uint32Array): GpuBuffer => {
      const buffer = gl.createBuffer()
      const target = content instanceof Float32Array ? gl.ARRAY_BUFFER : gl.ELEMENT_ARRAY_BUFFER
      const bind = (): void => {
        gl.bindVertexArray(null)
        renderer.currentGeometry = null
        gl.bindBuffer(target, buffer)
        renderer.state.boundBuffer = buffer
      }
      bind()
      gl.bufferData(target, content, gl.DYNAMIC_DRAW)
      return {
        buffer,
        count: content.length,
        write: data => {
          bind()
          gl.bufferSubData(target, 0, data)
        },
        free: hold(content.byteLength, () => gl.deleteBuffer(buffer)),
      }
    },
    /** `drawn`: how many corners, or which, three a triangle. */
    shape: (attributes: Readonly<Record<string, ShapeAttribute>>, drawn: number | GpuBuffer): GpuShape => {
      const geometry = new Geometry(ogl)
      for (const [name, { buffer, size, isEach = false }] of Object.entries(attributes))
        geometry.addAttribute(name, {
          buffer: buffer.buffer,
          size,
          count: buffer.count / size,
          type: gl.FLOAT,
          instanced: isEach ? 1 : 0,
        })
      if (typeof drawn === 'number') geometry.setDrawRange(0, drawn)
      else geometry.setIndex({ buffer: drawn.buffer, count: drawn.count, type: gl.UNSIGNED_INT })
      const free = hold(0, () => {
        // Buffers are not deleted, since other shapes may use them.
        for (const key of Object.keys(geometry.VAOs)) gl.deleteVertexArray(geometry.VAOs[key] ?? null)
        geometry.VAOs = {}
      })
      return { geometry, free }
    },
    into,
    /** Clears color and depth of the target that `into` has selected. */
    clear: (target: GpuTarget | undefined): void => {
      renderer.setDepthMask(true)
      const isNumbers = target?.colors[0]?.texture.format === gl.RED_INTEGER
      if (isNumbers) gl.clearBufferuiv(gl.COLOR, 0, [0, 0, 0, 0])
      else gl.clearBufferfv(gl.COLOR, 0, [0, 0, 0, 0])
      if (target?.depth !== undefined) gl.clearBufferfv(gl.DEPTH, 0, [1])
    },
    /** Restricts drawing to a box of pixels: x, y, width, height. */
    within: ([x = 0, y = 0, width = 0, height = 0]: readonly number[], draw: () => void): void => {
      renderer.enable(gl.SCISSOR_TEST)
      gl.scissor(x, y, width, height)
      draw()
      renderer.disable(gl.SCISSOR_TEST)
    },
    draw: (drawing: GpuProgram, { geometry }: GpuShape, mode: GLenum = gl.TRIANGLES): void => {
      if (isPatient && pending.size > 0) return
      const { program } = drawing
      program.use()
      geometry.draw({ mode, program })
    },
    /** Whether all programs are compiled, and their places known, which are asked for until time is over. */
    isCompiled: (isOver: () => boolean): boolean => {
      for (const [program, isLinked] of pending) {
        if (!isLinked()) return false
        pending.delete(program)
        program.findPlaces()
        if (isOver()) break
      }
      return pending.size === 0
    },
    /** Draws nothing from where a new program is needed; undefined when one was. */
    patiently: <T>(draw: () => T): T | undefined => {
      isPatient = true
      const drawn = draw()
      isPatient = false
      return pending.size === 0 ? drawn : undefined
    },
    free: (): void => {
      renderer.bindFramebuffer({})
      for (const { free } of held.values()) free()
      held.clear()
    },
  }
}

/** OGL's own asks for logs and places at once, and so waits for the compiler. */
class LateProgram extends Program {
  private hasPlaces = false

  override setShaders({ vertex, fragment }: { readonly vertex: string; readonly fragment: string }): void {
    const { gl } = this
    for (const [shader, source] of [
      [this.vertexShader, vertex],
      [this.fragmentShader, fragment],
    ] as const) {
      gl.shaderSource(shader, source)
      gl.compileShader(shader)
    }
    gl.linkProgram(this.program)
  }

  override use(): void {
    this.findPlaces()
    super.use()
  }

  findPlaces(): void {
    if (this.hasPlaces) return
    this.hasPlaces = true
    const { gl, program } = this
    const hasFailed = gl.getProgramParameter(program, gl.LINK_STATUS) === false && !gl.isContextLost()
    if (hasFailed)
      throw new Error(
        `${gl.getProgramInfoLog(program)} ${gl.getShaderInfoLog(this.vertexShader)} ${gl.getShaderInfoLog(this.fragmentShader)}`,
      )
    const indexes = (count: GLenum): readonly number[] => [
      ...Array(Number(gl.getProgramParameter(program, count))).keys(),
    ]
    this.uniformLocations = new Map(
      indexes(gl.ACTIVE_UNIFORMS).flatMap(index => {
        const info = gl.getActiveUniform(program, index)
        const place = info === null ? null : gl.getUniformLocation(program, info.name)
        if (info === null || place === null) return []
        const names = { uniformName: info.name.replace('[0]', ''), nameComponents: [] }
        return [[Object.assign(info, names) as unknown as UniformInfo, place] as const]
      }),
    )
    this.attributeLocations = new Map(
      indexes(gl.ACTIVE_ATTRIBUTES).flatMap(index => {
        const info = gl.getActiveAttrib(program, index)
        const place = info === null ? -1 : gl.getAttribLocation(program, info.name)
        return info === null || place < 0 ? [] : [[info, place] as const]
      }),
    )
    this.attributeOrder = [...this.attributeLocations].map(([{ name }, place]) => `${place} ${name}`).join()
  }
}

/** Names of renderers without a graphics card: of Chrome, of Mesa, of Apple and of Windows. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

function rendererOf(gl: WebGL2RenderingContext): string {
  const names = gl.getExtension('WEBGL_debug_renderer_info')
  return String(gl.getParameter(names === null ? gl.RENDERER : names.UNMASKED_RENDERER_WEBGL))
}

function largestPointOf(gl: WebGL2RenderingContext): number {
  const range: unknown = gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE)
  return range instanceof Float32Array ? (range[1] ?? 1) : 1
}
