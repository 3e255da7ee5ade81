import { describe, expect, it } from 'vitest'
import { angleOf, fitCamera, ZOOM_STEP } from '../../../viewer/camera.ts'
import { applyGesture, NO_TURN, panGesture, pinchGesture, turnGesture, wheelSteps } from './gestures.ts'

const size = [400, 400] as const

describe('two fingers', () => {
  it('that move apart zoom in by the ratio of their distances', () => {
    const { zoom, turn, pan } = pinchGesture(
      [
        [150, 200],
        [250, 200],
      ],
      [
        [100, 200],
        [300, 200],
      ],
    )
    expect(ZOOM_STEP ** zoom).toEqual(expect.closeTo(0.5, 6))
    expect(angleOf(turn)).toBe(0)
    expect(pan).toEqual([0, 0])
  })

  it('that move in parallel pan', () => {
    const gesture = pinchGesture(
      [
        [100, 100],
        [200, 100],
      ],
      [
        [110, 130],
        [210, 130],
      ],
    )
    expect(gesture.pan).toEqual([10, 30])
    expect(gesture.zoom).toEqual(expect.closeTo(0, 9))
    expect(angleOf(gesture.turn)).toBe(0)
    const { pan, distance } = applyGesture(fitCamera(), gesture, size)
    expect((pan[0] / pan[1]).toFixed(3)).toBe('-0.333')
    expect(distance).toEqual(expect.closeTo(fitCamera().distance, 9))
  })

  it('that rotate turn the molecule the same way', () => {
    const clockwise = pinchGesture(
      [
        [100, 200],
        [300, 200],
      ],
      [
        [200, 100],
        [200, 300],
      ],
    )
    expect(clockwise.turn).toEqual([
      expect.closeTo(0, 9),
      expect.closeTo(0, 9),
      expect.closeTo(-Math.SQRT1_2, 6),
      expect.closeTo(Math.SQRT1_2, 6),
    ])
  })

  it('on the same spot give valid numbers', () => {
    const gesture = pinchGesture(
      [
        [100, 100],
        [100, 100],
      ],
      [
        [100, 100],
        [180, 100],
      ],
    )
    expect({ zoom: gesture.zoom, turn: gesture.turn }).toEqual({ zoom: 0, turn: NO_TURN })
  })
})

describe('one finger', () => {
  it('rotates to the right when it moves to the right', () => {
    const { turn, pan, zoom } = turnGesture([200, 200], [240, 200], size)
    expect(turn[1] > 0).toBe(true)
    expect(Math.abs(turn[0]) < 1e-9).toBe(true)
    expect(pan).toEqual([0, 0])
    expect(zoom).toBe(0)
  })

  it('with the other button pans', () => expect(panGesture([1, 2], [4, 6]).pan).toEqual([3, 4]))
})

describe('the wheel', () => {
  it.each([
    ['a notch forward zooms in', { deltaY: -100, deltaMode: 0, ctrlKey: false }, 2],
    ['lines are longer than pixels', { deltaY: 3, deltaMode: 1, ctrlKey: false }, -0.96],
    ['a pinch on a trackpad is finer', { deltaY: -5, deltaMode: 0, ctrlKey: true }, 1],
    ['large movements are limited', { deltaY: 5000, deltaMode: 0, ctrlKey: false }, -6],
  ])('%s', (_, wheel, steps) => expect(wheelSteps(wheel)).toBeCloseTo(steps, 9))
})
