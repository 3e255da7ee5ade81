import { createGpu } from '../../src/viewer/gpu.ts'

const COMPILED = 1

/**
 * A context in which programs are compiled when that is said, and which counts what is drawn and what is asked of programs.
 * `isParallel`: the browser says of a program whether it is compiled; otherwise only how far the graphics process is.
 */
export function startFakeGpu({ isParallel = true } = {}) {
  const state = { isCompiled: false, drawn: 0, asked: [] as string[] }
  const constants = new Map<string, number>()
  const members: Record<string, unknown> = {
    getExtension: () => (isParallel ? { COMPLETION_STATUS_KHR: COMPILED } : null),
    getParameter: () => 0,
    isContextLost: () => false,
    getSyncParameter: () => (state.isCompiled ? constants.get('SIGNALED') : 0),
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
    removeAttribute: () => undefined,
  }
  const gpu = createGpu(canvas as unknown as HTMLCanvasElement)
  if (gpu === undefined) throw new Error('There is no context.')
  return { gpu, state }
}
