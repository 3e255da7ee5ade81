/**
 * The baseline: each atom a mesh of 16×16, instanced, lit in the vertex shader, turned by a little from picture to
 * picture; returns the milliseconds that one takes. It runs in the page, so that it may use nothing from here.
 */
export function drawNaively({ atoms, pictures }: { readonly atoms: number; readonly pictures: number }): number {
  const { packedBall } = (
    globalThis as unknown as {
      molecules: {
        packedBall: (atoms: number) => {
          readonly frame: Float32Array
          readonly molecule: { readonly radii: Float32Array }
        }
      }
    }
  ).molecules
  const { frame, molecule } = packedBall(atoms)
  const canvas = document.createElement('canvas')
  canvas.width = innerWidth
  canvas.height = innerHeight
  document.body.prepend(canvas)
  const gl = canvas.getContext('webgl2')
  if (gl === null) throw new Error('There is no WebGL 2.')

  const compile = (type: GLenum, source: string): WebGLShader => {
    const shader = gl.createShader(type)
    if (shader === null) throw new Error('No shader can be made.')
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    return shader
  }
  const program = gl.createProgram()
  gl.attachShader(
    program,
    compile(
      gl.VERTEX_SHADER,
      `#version 300 es
    in vec3 corner; in vec3 place; in float radius; uniform float turn; uniform float reach; uniform float aspect; out vec3 light;
    void main() {
      mat3 turned = mat3(cos(turn), 0.0, -sin(turn), 0.0, 1.0, 0.0, sin(turn), 0.0, cos(turn));
      vec3 at = turned * place + corner * radius;
      light = vec3(0.3 + 0.7 * max(0.0, dot(corner, vec3(-0.44, 0.65, 0.62))));
      float distance = reach * 4.0 - at.z;
      gl_Position = vec4(at.x * 3.73 / aspect, at.y * 3.73, (distance / reach - 4.0) * 0.9 * distance, distance);
    }`,
    ),
  )
  gl.attachShader(
    program,
    compile(
      gl.FRAGMENT_SHADER,
      `#version 300 es
    precision highp float; in vec3 light; out vec4 color; void main() { color = vec4(light, 1.0); }`,
    ),
  )
  gl.linkProgram(program)
  gl.useProgram(program)

  const SIDES = 16
  const corners: number[] = []
  const cornerAt = (ring: number, step: number): number[] => {
    const [up, around] = [(ring / SIDES) * Math.PI, (step / SIDES) * 2 * Math.PI]
    return [Math.sin(up) * Math.cos(around), Math.cos(up), Math.sin(up) * Math.sin(around)]
  }
  for (let ring = 0; ring < SIDES; ring++)
    for (let step = 0; step < SIDES; step++)
      for (const [down, on] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 1],
        [1, 0],
        [1, 1],
      ] as const)
        corners.push(...cornerAt(ring + down, step + on))

  const attach = (name: string, data: Float32Array<ArrayBuffer>, size: number, divisor: number): void => {
    const at = gl.getAttribLocation(program, name)
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0)
    gl.vertexAttribDivisor(at, divisor)
  }
  attach('corner', Float32Array.from(corners), 3, 0)
  attach('place', Float32Array.from(frame), 3, 1)
  attach('radius', Float32Array.from(molecule.radii), 1, 1)
  gl.enable(gl.DEPTH_TEST)
  gl.enable(gl.CULL_FACE)
  gl.frontFace(gl.CW)
  gl.uniform1f(
    gl.getUniformLocation(program, 'reach'),
    frame.reduce((most, value) => Math.max(most, Math.abs(value)), 1),
  )
  gl.uniform1f(gl.getUniformLocation(program, 'aspect'), innerWidth / innerHeight)
  const turn = gl.getUniformLocation(program, 'turn')

  const pixel = new Uint8Array(4)
  const draw = (angle: number): void => {
    gl.uniform1f(turn, angle)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    gl.drawArraysInstanced(gl.TRIANGLES, 0, corners.length / 3, atoms)
    // Waits until it is drawn.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel)
  }
  draw(0)
  const started = performance.now()
  for (let picture = 1; picture <= pictures; picture++) draw(picture * 0.03)
  const ms = (performance.now() - started) / pictures
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  canvas.remove()
  return ms
}
