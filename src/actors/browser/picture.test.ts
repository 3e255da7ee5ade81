import { describe, expect, it } from 'vitest'
import { fittingSize } from './picture.ts'

describe('the size of a picture', () => {
  it.each([
    [128, 128, { width: 128, height: 128 }],
    [1000, 500, { width: 128, height: 64 }],
    [300, 400, { width: 96, height: 128 }],
    [32, 40, { width: 32, height: 40 }],
    [512, 128, { width: 128, height: 32 }],
  ])(
    'fits into the ideal square without being distorted or blown up: %i × %i [5.18, 9.16]',
    (width, height, fitting) => {
      expect(fittingSize(width, height)).toEqual(fitting)
    },
  )

  it.each([
    [31, 100],
    [100, 31],
    [1000, 100],
    [1, 1],
  ])('is refused when a side would be shorter than 32 pixels: %i × %i [5.18, 9.16]', (width, height) => {
    expect(fittingSize(width, height)).toBeUndefined()
  })
})
