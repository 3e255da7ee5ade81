/*
 * A picture of triangles and discs, computed without a graphics card: the nearest of each sample is kept, and a pixel is the
 * mean of its samples.
 */

/** Samples of a pixel in each direction. */
const SAMPLES = 2

/** A place in the picture: pixels from the top left, and how near it is, as the reciprocal of its distance. */
export type RasterPoint = {
  readonly x: number
  readonly y: number
  readonly nearness: number
  /** Red, green and blue, up to 255. */
  readonly color: readonly number[]
}

/** Share of the color that the edge of a disc keeps. */
const RIM_LIGHT = 0.65

export function createRaster(width: number, height: number) {
  const [columns, rows] = [width * SAMPLES, height * SAMPLES]
  const nearest = new Float32Array(columns * rows)
  const colors = new Uint8ClampedArray(columns * rows * 3)

  /** The samples whose centers can be between two coordinates, from the first up to the last, exclusive. */
  const samplesBetween = (low: number, high: number, count: number): readonly [number, number] => [
    Math.max(0, Math.ceil(low * SAMPLES - 0.5)),
    Math.min(count, Math.floor(high * SAMPLES - 0.5) + 1),
  ]

  const put = (at: number, nearness: number, red: number, green: number, blue: number): void => {
    nearest[at] = nearness
    colors[at * 3] = red
    colors[at * 3 + 1] = green
    colors[at * 3 + 2] = blue
  }

  return {
    /**
     * Colors go over smoothly from corner to corner. One whose corners go around clockwise in the picture is left out, as is one with
     * a corner that is not in it (NaN).
     */
    fillTriangle: (a: RasterPoint, b: RasterPoint, c: RasterPoint): void => {
      const area = (b.y - a.y) * (c.x - a.x) - (b.x - a.x) * (c.y - a.y)
      if (!(area > 0)) return
      const [left, right] = samplesBetween(Math.min(a.x, b.x, c.x), Math.max(a.x, b.x, c.x), columns)
      const [top, bottom] = samplesBetween(Math.min(a.y, b.y, c.y), Math.max(a.y, b.y, c.y), rows)
      const [[ar = 0, ag = 0, ab = 0], [br = 0, bg = 0, bb = 0], [cr = 0, cg = 0, cb = 0]] = [a.color, b.color, c.color]
      for (let row = top; row < bottom; row++) {
        const y = (row + 0.5) / SAMPLES
        for (let column = left; column < right; column++) {
          const x = (column + 0.5) / SAMPLES
          const ofA = ((c.y - b.y) * (x - b.x) - (c.x - b.x) * (y - b.y)) / area
          const ofB = ((a.y - c.y) * (x - c.x) - (a.x - c.x) * (y - c.y)) / area
          const ofC = 1 - ofA - ofB
          if (ofA < 0 || ofB < 0 || ofC < 0) continue
          const nearness = ofA * a.nearness + ofB * b.nearness + ofC * c.nearness
          const at = row * columns + column
          if (nearness <= (nearest[at] ?? 0)) continue
          put(
            at,
            nearness,
            ofA * ar + ofB * br + ofC * cr,
            ofA * ag + ofB * bg + ofC * cg,
            ofA * ab + ofB * bb + ofC * cb,
          )
        }
      }
    },

    /** Flat, towards the eye. `rim`: the width of its edge, which is darker. */
    fillDisc: (center: RasterPoint, radius: number, rim: number): void => {
      const { x, y, nearness, color } = center
      const [red = 0, green = 0, blue = 0] = color
      const [outside, inside] = [radius + rim / 2, radius - rim / 2]
      const [left, right] = samplesBetween(x - outside, x + outside, columns)
      const [top, bottom] = samplesBetween(y - outside, y + outside, rows)
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) {
          const away = Math.hypot((column + 0.5) / SAMPLES - x, (row + 0.5) / SAMPLES - y)
          const at = row * columns + column
          if (away > outside || nearness <= (nearest[at] ?? 0)) continue
          const light = away > inside ? RIM_LIGHT : 1
          put(at, nearness, red * light, green * light, blue * light)
        }
    },

    /** Red, green, blue and opacity of each pixel, row by row from the top. */
    pixels: (): Uint8ClampedArray<ArrayBuffer> => {
      const pixels = new Uint8ClampedArray(width * height * 4)
      for (let pixel = 0; pixel < width * height; pixel++) {
        const first = Math.floor(pixel / width) * SAMPLES * columns + (pixel % width) * SAMPLES
        let [covered, red, green, blue] = [0, 0, 0, 0]
        for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
          const at = first + Math.floor(sample / SAMPLES) * columns + (sample % SAMPLES)
          if (nearest[at] === 0) continue
          covered += 1
          red += colors[at * 3] ?? 0
          green += colors[at * 3 + 1] ?? 0
          blue += colors[at * 3 + 2] ?? 0
        }
        if (covered === 0) continue
        pixels[pixel * 4] = red / covered
        pixels[pixel * 4 + 1] = green / covered
        pixels[pixel * 4 + 2] = blue / covered
        pixels[pixel * 4 + 3] = (covered * 255) / (SAMPLES * SAMPLES)
      }
      return pixels
    },
  }
}
