import { describe, expect, it } from 'vitest'
import { fitCamera, multiply, turnAbout } from '../../../viewer/camera.ts'
import { startViewer } from '../../../../test/machines/viewer.ts'
import { shotOf } from './recorder.ts'

describe('the pictures of a video', () => {
  it('turn once, so that the last is followed by the first', () => {
    const { look, see } = startViewer()
    look()
    const quarter = see(snapshot => shotOf('turn', 0.25, fitCamera(), snapshot))
    const expected = multiply(turnAbout([0, 1, 0], Math.PI / 2), fitCamera().rotation)
    quarter.camera?.rotation.forEach((value, axis) => expect(value).toBeCloseTo(expected[axis] ?? NaN, 9))
    expect(quarter.place).toBeUndefined()
  })

  it('show all frames, once or back and forth', () => {
    const { look, send, see } = startViewer()
    look(5)
    const places = (): readonly unknown[] =>
      [0, 0.25, 0.5, 0.75].map(share => see(snapshot => shotOf('trajectory', share, fitCamera(), snapshot).place))
    expect(places()).toEqual([0, 1, 2, 3])
    send({ type: 'viewer.setSwing', swings: true })
    expect(places()).toEqual([0, 2, 4, 2])
  })
})
