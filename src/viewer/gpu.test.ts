import { expect, it } from 'vitest'
import { startFakeGpu } from '../../test/molecule/fake-gpu.ts'

function never(): boolean {
  return false
}
function always(): boolean {
  return true
}

it.each([true, false])(
  'a program that is being compiled is not drawn with, nor asked for anything, parallel: %s',
  isParallel => {
    const { gpu, state } = startFakeGpu({ isParallel })
    const [program, shape] = [gpu.program('vertex', 'fragment', {}), gpu.shape({}, 3)]
    const draw = (): number => {
      gpu.draw(program, shape)
      return state.drawn
    }
    expect(gpu.isCompiled(never)).toBe(false)
    expect(gpu.patiently(draw)).toBeUndefined()
    expect(state).toMatchObject({ drawn: 0, asked: [] })
    state.isCompiled = true
    expect(gpu.isCompiled(never)).toBe(true)
    expect(gpu.patiently(draw)).toBe(1)
    expect(state.asked).not.toContain('log')
  },
)

it('a picture that needs a new program draws nothing from there on', () => {
  const { gpu, state } = startFakeGpu()
  const shape = gpu.shape({}, 3)
  const drawn = gpu.patiently(() => {
    gpu.draw(gpu.program('vertex', 'fragment', {}), shape)
    gpu.draw(gpu.program('vertex', 'other', {}), shape)
    return true
  })
  expect(drawn).toBeUndefined()
  expect(state).toMatchObject({ drawn: 0, asked: [] })
})

it('when time is over, the places of one more program are asked for', () => {
  const { gpu, state } = startFakeGpu()
  for (const fragment of ['one', 'two', 'three']) gpu.program('vertex', fragment, {})
  state.isCompiled = true
  expect([1, 2, 3].map(() => gpu.isCompiled(always))).toEqual([false, false, true])
})

it('a picture that is saved waits for its programs', () => {
  const { gpu, state } = startFakeGpu()
  gpu.draw(gpu.program('vertex', 'fragment', {}), gpu.shape({}, 3))
  expect(state.drawn).toBe(1)
})
