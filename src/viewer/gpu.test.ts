import { expect, it } from 'vitest'
import { createGpu } from './gpu.ts'

const COMPILED = 1

/** A context in which programs are compiled when that is said, and which counts what is drawn. */
function startContext() {
  const state = { isCompiled: false, drawn: 0, asked: [] as string[] }
  const constants = new Map<string, number>()
  const members: Record<string, unknown> = {
    getExtension: () => ({ COMPLETION_STATUS_KHR: COMPILED }),
    getParameter: () => 0,
    getProgramParameter: (_: unknown, name: number) => {
      if (name === COMPILED) return state.isCompiled
      state.asked.push('program')
      return name === constants.get('LINK_STATUS') ? true : 0
    },
    getShaderInfoLog: () => state.asked.push('log'),
    drawArrays: () => (state.drawn += 1),
  }
  const gl = new Proxy(members, {
    get: (_, name) => {
      const key = String(name)
      if (key in members) return members[key]
      if (!/^[A-Z]/.test(key)) return () => ({})
      const value = constants.get(key) ?? constants.size + 100
      constants.set(key, value)
      return value
    },
  })
  const canvas = {
    width: 1,
    height: 1,
    style: {},
    getContext: () => gl,
    getAttribute: () => null,
    removeAttribute: () => undefined,
  }
  const gpu = createGpu(canvas as unknown as HTMLCanvasElement)
  if (gpu === undefined) throw new Error('There is no context.')
  return { gpu, state }
}

it('a patient picture leaves out a program that is being compiled, and asks for nothing that would wait for it', () => {
  const { gpu, state } = startContext()
  const [program, shape] = [gpu.program('vertex', 'fragment', {}), gpu.shape({}, 3)]
  const draw = (): number => {
    gpu.draw(program, shape)
    return state.drawn
  }
  expect(gpu.patiently(draw)).toBeUndefined()
  expect(state).toMatchObject({ drawn: 0, asked: [] })
  state.isCompiled = true
  expect(gpu.patiently(draw)).toBe(1)
  expect(state.asked).not.toContain('log')
})

it('a picture that is saved waits for its programs', () => {
  const { gpu, state } = startContext()
  gpu.draw(gpu.program('vertex', 'fragment', {}), gpu.shape({}, 3))
  expect(state.drawn).toBe(1)
})
