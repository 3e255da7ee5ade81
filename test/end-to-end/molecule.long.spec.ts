import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { molecules as Molecules } from '../molecule/page.ts'
import { openMoleculePage } from '../molecule/serve.ts'
import { expect, test } from './fixtures.ts'

declare const molecules: typeof Molecules

const SIZE = { width: 400, height: 300 }

test.use({ viewport: SIZE })

test.beforeEach(async ({ page, pageErrors: _ }) => {
  await openMoleculePage(page)
})

/** As far from the expected color as a channel may be: rounding to eight bits, once drawn and once as a PNG. */
const ROUNDING = 3

test('the middle of a single ball has the color that its light gives it', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.moleculeOfPlaces([[3, -7, 11]]), { hasOutlines: false })
    return (await molecules.pixelsOf(viewer)).at(200, 150)
  })
  // Carbon #857f78 facing the eye, alone. Light of lights.ts and shaders/light.ts, reckoned by hand.
  const [key, fill, shine] = [(0.6172 + 0.18) / 1.18, 0.5345, 0.8992 ** 32]
  const ambient = [0.51, 0.505, 0.515]
  const [keyLight, fillLight] = [
    [0.74, 0.7, 0.64],
    [0.09, 0.1, 0.13],
  ]
  const expected = [0x85, 0x7f, 0x78].map((value, channel) => {
    const light = (ambient[channel] ?? 0) + (keyLight[channel] ?? 0) * key + (fillLight[channel] ?? 0) * fill
    return Math.sqrt((value / 255) ** 2 * light + 0.1 * shine) * 255
  })
  // A ball alone sees a little of itself in the density, and none behind the eye.
  for (const channel of [0, 1, 2]) expect(Math.abs((seen[channel] ?? 0) - (expected[channel] ?? 0))).toBeLessThan(14)
  const hue = (values: readonly number[]): number => (values[0] ?? 0) / (values[2] ?? 1)
  expect(Math.abs(hue(seen) - hue(expected))).toBeLessThan(0.03)
  expect(seen[3]).toBeGreaterThan(255 - ROUNDING)
})

test('a ball is as large as its radius requires, at every distance', async ({ page }) => {
  const widths = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.moleculeOfPlaces([[0, 0, 0]]), { hasOutlines: false })
    const found: [number, number][] = []
    for (const distance of [4, 6, 9]) {
      viewer.setCamera({ ...molecules.fitCamera(), distance })
      const { at, width } = await molecules.pixelsOf(viewer)
      found.push([
        distance,
        Array.from({ length: width }, (_, x) => at(x, 150)[3] ?? 0).filter(cover => cover > 100).length,
      ])
    }
    return found
  })
  for (const [distance, width] of widths) {
    // The ball of one atom has a radius of 2 Å, the atom one of 1.7.
    const slope = Math.tan(Math.asin(1.7 / (distance * 2)))
    const expected = (slope / Math.tan(Math.PI / 12)) * SIZE.height
    expect(Math.abs(width - expected)).toBeLessThan(1.5)
  }
})

test('two balls cut each other where they meet', async ({ page }) => {
  const picks = await page.evaluate(async () => {
    // The first is nearer to the eye; from their meeting circle outwards each is in front of the other.
    const viewer = molecules.open(
      molecules.moleculeOfPlaces([
        [-0.8, 0, 0.4],
        [0.8, 0, -0.4],
      ]),
    )
    await molecules.atRest(viewer)
    const row: number[] = []
    for (let x = 60; x <= 340; x++) row.push(viewer.pick(x, 150))
    return row
  })
  const change = picks.indexOf(1)
  expect(picks.lastIndexOf(0)).toBe(change - 1)
  // Where the ray of the row's pixel meets both balls at one distance: on the plane between them, −1.6 x + 0.8 z = 0.
  const distance = (1.04 / Math.sin(Math.PI / 12)) * (2 + Math.hypot(0.8, 0.4))
  const meeting = meetingColumn(distance)
  expect(Math.abs(change + 60 - meeting)).toBeLessThan(2)
})

/** The column in which the seam of the two balls lies, seen in the middle row. */
function meetingColumn(distance: number): number {
  // On the seam z = 2 x, and (x + 0.8)² + (2 x − 0.4)² = 1.7², the nearer solution.
  const [a, b, c] = [5, 2 * 0.8 - 2 * 2 * 0.4, 0.8 ** 2 + 0.4 ** 2 - 1.7 ** 2]
  const x = (-b + Math.sqrt(b * b - 4 * a * c)) / (2 * a)
  return SIZE.width / 2 + (x / (distance - 2 * x) / Math.tan(Math.PI / 12)) * (SIZE.height / 2)
}

test('what is nearer hides what is behind, whichever came first', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const places: [number, number, number][] = [
      [0, 0, -4],
      [0, 0, 4],
      [0, 0, 0],
    ]
    const viewer = molecules.open(molecules.moleculeOfPlaces(places))
    const found: number[] = []
    for (const angle of [0, Math.PI]) {
      viewer.setCamera(molecules.turnCamera(molecules.fitCamera(), [0, 1, 0], angle))
      await molecules.atRest(viewer)
      found.push(viewer.pick(200, 150))
    }
    return found
  })
  expect(seen).toEqual([1, 0])
})

test('each atom is picked where it is drawn, and beside it nothing', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const places: [number, number, number][] = [
      [-4, 0, 0],
      [4, 0, 0],
      [0, 4, 0],
      [0, -4, 0],
    ]
    const viewer = molecules.open(molecules.moleculeOfPlaces(places, [0, 2, 3, 4], [0, 1]))
    const found: Record<string, number[]> = {}
    for (const style of [1, 2, 3] as const) {
      viewer.setAppearance({ ...molecules.LOOK, style })
      await molecules.atRest(viewer)
      const scale = 150 / Math.tan(Math.PI / 12) / ((1.04 / Math.sin(Math.PI / 12)) * 6)
      found[style] = [
        ...places.map(([x, y]) => viewer.pick(200 + x * scale, 150 - y * scale)),
        viewer.pick(5, 5),
        viewer.pick(200, 150),
        viewer.pick(-50, 9000),
      ]
    }
    return found
  })
  expect(seen[1]).toEqual([0, 1, 2, 3, -1, -1, -1])
  // A bond is picked for its nearer end.
  for (const style of [2, 3]) {
    const bond = seen[style]?.[5]
    expect([0, 1]).toContain(bond)
    expect(seen[style]).toEqual([0, 1, 2, 3, -1, bond, -1])
  }
})

test('the styles agree on where the molecule is', async ({ page }) => {
  const middles = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.packedBall(300))
    const found: { x: number; y: number; cover: number }[] = []
    for (const style of [1, 2, 3] as const) {
      viewer.setAppearance({ ...molecules.LOOK, style })
      const { data, width } = await molecules.pixelsOf(viewer)
      let [sum, x, y] = [0, 0, 0]
      for (let at = 0; at < data.length / 4; at++) {
        const cover = data[at * 4 + 3] ?? 0
        sum += cover
        x += cover * (at % width)
        y += cover * Math.floor(at / width)
      }
      found.push({ x: x / sum, y: y / sum, cover: sum / 255 })
    }
    return found
  })
  const [balls, sticksAndBalls, sticks] = middles
  for (const middle of middles)
    expect(Math.hypot(middle.x - (balls?.x ?? 0), middle.y - (balls?.y ?? 0))).toBeLessThan(6)
  expect(balls?.cover ?? 0).toBeGreaterThan((sticks?.cover ?? Infinity) * 1.2)
  expect(sticks?.cover ?? 0).toBeGreaterThan(sticksAndBalls?.cover ?? Infinity)
})

test('the same camera gives the same picture, whatever was shown before', async ({ page }) => {
  const difference = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.packedBall(3000))
    const first = await molecules.pixelsOf(viewer)
    for (let step = 0; step < 12; step++) {
      viewer.setCamera(molecules.turnCamera(molecules.fitCamera(), [0.3, 1, 0], step / 4))
      await molecules.until(viewer, ({ framesDrawn }) => framesDrawn > step)
    }
    viewer.setCamera(molecules.fitCamera())
    const again = await molecules.pixelsOf(viewer)
    return first.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (again.data[at] ?? 0))), 0)
  })
  expect(difference).toBeLessThanOrEqual(1)
})

test('a place between two frames lies between them', async ({ page }) => {
  const columns = await page.evaluate(async () => {
    const sample = molecules.moleculeOfPlaces([
      [-6, 0, 0],
      [6, 3, 0],
    ])
    const viewer = molecules.open(sample)
    viewer.setFrames([sample.frame, Float32Array.of(2, 0, 0, 6, 3, 0), Float32Array.of(2, 0, 0)])
    const found: (number | undefined)[] = []
    for (const place of [0, 0.5, 1, 2, 99, Number.NaN]) {
      viewer.show(place)
      await molecules.atRest(viewer)
      const hits = Array.from({ length: 134 }, (_, step) => step * 3).filter(x => viewer.pick(x, 165) === 0)
      found.push(hits.length === 0 ? undefined : hits.reduce((sum, x) => sum + x, 0) / hits.length)
    }
    return found
  })
  const [first = 0, between = 0, second = 0, short = 0, beyond = 0, none = 0] = columns
  expect(second - first).toBeGreaterThan(40)
  expect(between).toBeCloseTo((first + second) / 2, -1)
  expect(short).toEqual(second)
  expect(beyond).toEqual(second)
  expect(none).toBe(first)
})

test('a quarter of a million atoms are drawn', async ({ page }) => {
  const statistics = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.packedBall(250_000))
    const drawn = await molecules.until(viewer, ({ framesDrawn }) => framesDrawn > 0)
    return { ...drawn, pick: viewer.pick(200, 150) }
  })
  expect(statistics.pick).toBeGreaterThanOrEqual(0)
  expect(statistics.isLost).toBe(false)
})

const data = join(import.meta.dirname, '..', '..', '..', 'shared', 'data')
const structures = existsSync(data) ? readdirSync(data).filter(name => name.endsWith('.pdb')) : []

test('a cartoon follows the backbone, and water is not drawn until it is wanted', async ({ page }) => {
  test.skip(!structures.includes('1CKB.pdb'), `There is no 1CKB.pdb in ${data}.`)
  const found = await page.evaluate(
    async text => {
      const sample = molecules.readPdb(text)
      const { kinds, polymers } = sample.molecule
      const viewer = molecules.open(sample, { style: 4, showsSolvent: false })
      await molecules.atRest(viewer)
      const scan = (): Set<number> => {
        const seen = new Set<number>()
        for (let x = 0; x < innerWidth; x += 3) for (let y = 0; y < innerHeight; y += 3) seen.add(viewer.pick(x, y))
        return seen
      }
      const dry = scan()
      viewer.setAppearance({ ...molecules.LOOK, style: 4, showsSolvent: true })
      await molecules.atRest(viewer)
      const wet = scan()
      viewer.dispose()
      const alphas = polymers.peptides.flat().map(({ ca }) => ca)
      const count = (seen: Set<number>, kind: number): number =>
        [...seen].filter(atom => kinds[atom] === kind && !alphas.includes(atom)).length
      return {
        alphas: alphas.length,
        seen: alphas.filter(atom => dry.has(atom)).length,
        sideChains: count(dry, 1),
        dry: count(dry, 2) + count(dry, 3),
        wet: count(wet, 2) + count(wet, 3),
      }
    },
    readFileSync(join(data, '1CKB.pdb'), 'utf8'),
  )
  expect(found.alphas).toBe(63)
  // Some residues are behind others.
  expect(found.seen).toBeGreaterThan(45)
  expect(found.sideChains).toBe(0)
  expect(found.dry).toBe(0)
  expect(found.wet).toBeGreaterThan(20)
})

test('hidden water leaves a faint box where it was', async ({ page }) => {
  await page.evaluate(async () => {
    const grid = Array.from({ length: 729 }, (_, at) => [at % 9, Math.floor(at / 9) % 9, Math.floor(at / 81)])
    const water = grid.map(([x = 0, y = 0, z = 0]): [number, number, number] => [x * 3 - 12, y * 3 - 12, z * 3 - 12])
    const { molecule, frame } = molecules.moleculeOfPlaces([[0, 0, 0], ...water])
    const kinds = molecule.kinds.map((_, atom) => (atom === 0 ? 0 : 2))
    const viewer = molecules.open({ molecule: { ...molecule, kinds }, frame }, { showsSolvent: false })
    // The sphere of the one atom that is shown has a radius of 2 Å.
    viewer.setCamera({ ...molecules.fitCamera(), distance: 40 })
    await molecules.atRest(viewer)
  })
  const png = (await page.screenshot()).toString('base64')
  const row = await page.evaluate(async png => {
    const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    context?.drawImage(picture, 0, 0)
    return [...(context?.getImageData(0, 150, picture.width, 1).data ?? [])].filter((_, at) => at % 4 === 0)
  }, png)
  // The ground is #f7f5f1. The walls reach from the far side, at 94.8 Å from the eye, to the near one, at 65.2 Å.
  const [far, near] = [94.8, 65.2].map(distance => (14.8 / distance / Math.tan(Math.PI / 12)) * (SIZE.height / 2))
  row.forEach((red, x) => {
    const away = Math.abs(x + 0.5 - SIZE.width / 2)
    if (away > (near ?? NaN) + 2) expect(red).toBe(0xf7)
    else if (away > 12 && Math.abs(away - (near ?? NaN)) > 2) expect(0xf7 - red).toBeGreaterThan(1)
    if (Math.abs(away - (far ?? NaN)) < 1) expect(0xf7 - red).toBeGreaterThan(8)
  })
})

/** For each pixel of the first camera how near its line of sight comes to atoms, in their radii; computed here alone. */
function nearestOf(frame: readonly number[], radii: readonly number[]): (x: number, y: number) => number {
  const atoms = radii.map((radius, atom) => ({ radius, place: frame.slice(atom * 3, atom * 3 + 3) }))
  const [low, high] = [Math.min, Math.max].map(most =>
    [0, 1, 2].map(axis => most(...atoms.map(({ place }) => place[axis] ?? NaN))),
  )
  const center = [0, 1, 2].map(axis => ((low?.[axis] ?? NaN) + (high?.[axis] ?? NaN)) / 2)
  const away = (place: readonly number[]): number[] => place.map((value, axis) => value - (center[axis] ?? NaN))
  const radius = Math.max(...atoms.map(({ place }) => Math.hypot(...away(place)))) + 2
  const eye = [0, 0, (1.04 / Math.sin(Math.PI / 12)) * radius]
  return (x, y) => {
    const slope = Math.tan(Math.PI / 12) / (SIZE.height / 2)
    const ray = [(x + 0.5 - SIZE.width / 2) * slope, -(y + 0.5 - SIZE.height / 2) * slope, -1]
    const length = Math.hypot(...ray)
    return Math.min(
      ...atoms.map(({ radius: size, place }) => {
        const [a = 0, b = 0, c = 0] = away(place).map((value, axis) => value - (eye[axis] ?? 0))
        const [u = 0, v = 0, w = 0] = ray
        return Math.hypot(b * w - c * v, c * u - a * w, a * v - b * u) / length / size
      }),
    )
  }
}

const RADII = [1.7, 1.09, 1.55, 1.52]

test('a surface covers the balls of its atoms and little more, and a see-through one what is inside', async ({
  page,
}) => {
  const { frame, classes, solid, veil } = await page.evaluate(async () => {
    const sample = molecules.helix(14)
    const viewer = molecules.open(sample, { style: 5, hasOutlines: false })
    const solid = [...(await molecules.pixelsOf(viewer)).data]
    viewer.setAppearance({ ...molecules.LOOK, style: 5, isSeeThrough: true, hasOutlines: false })
    const veil = [...(await molecules.pixelsOf(viewer)).data]
    viewer.dispose()
    return { frame: [...sample.frame], classes: [...sample.molecule.classes], solid, veil }
  })
  const nearest = nearestOf(
    frame,
    classes.map(value => RADII[value] ?? NaN),
  )
  const pixels = Array.from({ length: SIZE.width * SIZE.height }, (_, at) => at).filter(at => at % 3 === 0)
  const wrong = { inside: 0, outside: 0, veil: 0 }
  let inside = 0
  for (const at of pixels) {
    const near = nearest(at % SIZE.width, Math.floor(at / SIZE.width))
    const [cover = 0, veiled = 0] = [solid[at * 4 + 3], veil[at * 4 + 3]]
    if (near < 0.9) {
      inside += 1
      if (cover < 90) wrong.inside += 1
      if (veiled < 30) wrong.veil += 1
    } else if (near > 1.6 && cover > 5) wrong.outside += 1
  }
  expect(inside).toBeGreaterThan(1500)
  expect(wrong).toEqual({ inside: 0, outside: 0, veil: 0 })
})

test('a ribbon is where the backbone is, each residue in its place', async ({ page }) => {
  const found = await page.evaluate(async () => {
    const sample = molecules.helix(24)
    const viewer = molecules.open(sample, { style: 4 })
    await molecules.atRest(viewer)
    const seen: [x: number, y: number, atom: number][] = []
    for (let x = 0; x < innerWidth; x += 2)
      for (let y = 0; y < innerHeight; y += 2) {
        const atom = viewer.pick(x, y)
        if (atom >= 0) seen.push([x, y, atom])
      }
    viewer.dispose()
    return { frame: [...sample.frame], seen }
  })
  const residues = found.frame.length / 12
  const sights = Array.from({ length: residues }, (_, at) =>
    nearestOf(
      found.frame,
      Array.from({ length: found.frame.length / 3 }, (_, atom) => (atom === at * 4 + 1 ? 1 : Infinity)),
    ),
  )
  expect(found.seen.length).toBeGreaterThan(400)
  // In ångström; a ribbon is 1.35 wide to each side, and a residue half of 3.8 long; five pixels are picked around.
  for (const [x, y, atom] of found.seen) expect(sights[Math.floor(atom / 4)]?.(x, y)).toBeLessThan(3.4)
  expect(new Set(found.seen.map(([, , atom]) => Math.floor(atom / 4))).size).toBe(residues)
})

test('structures of the Protein Data Bank are drawn, every style in both themes', async ({ page }) => {
  test.skip(structures.length === 0, `There are no structures in ${data}.`)
  for (const name of structures) {
    const shown = await page.evaluate(
      async text => {
        const sample = molecules.readPdb(text)
        const viewer = molecules.open(sample)
        const found: { atoms: number; chains: number; cover: number; colors: number }[] = []
        for (const theme of ['light', 'dark'] as const)
          for (const style of [1, 2, 3, 4, 5] as const) {
            viewer.setAppearance({ ...molecules.LOOK, style, theme, coloring: 'chain' })
            const { data } = await molecules.pixelsOf(viewer)
            const colors = new Set<number>()
            let cover = 0
            for (let at = 0; at < data.length; at += 4) {
              if (data[at + 3] === 0) continue
              cover += 1
              colors.add(((data[at] ?? 0) >> 4) * 256 + ((data[at + 1] ?? 0) >> 4) * 16 + ((data[at + 2] ?? 0) >> 4))
            }
            found.push({
              atoms: sample.molecule.names.length,
              chains: new Set(sample.molecule.chains).size,
              cover: cover / (data.length / 4),
              colors: colors.size,
            })
          }
        viewer.dispose()
        return found
      },
      readFileSync(join(data, name), 'utf8'),
    )
    for (const { atoms, chains, cover, colors } of shown) {
      expect(atoms).toBeGreaterThan(300)
      expect(chains).toBeGreaterThan(0)
      expect(cover).toBeGreaterThan(0.02)
      expect(colors).toBeGreaterThan(20)
    }
  }
})

for (const hasEncoder of [true, false])
  test(`a video is made of pictures, ${hasEncoder ? 'and plays' : 'as files without an encoder'}`, async ({ page }) => {
    const made = await page.evaluate(async hasEncoder => {
      if (!hasEncoder) Reflect.deleteProperty(globalThis, 'VideoEncoder')
      const shares: number[] = []
      const { file, extension } = await molecules.record({
        pictures: 20,
        rate: 10,
        width: 160,
        height: 120,
        draw: picture => {
          const canvas = new OffscreenCanvas(160, 120)
          const context = canvas.getContext('2d')
          if (context === null) throw new Error('Nothing can be drawn.')
          context.fillStyle = picture < 10 ? '#ff0000' : '#0000ff'
          context.fillRect(0, 0, 160, 120)
          return Promise.resolve(canvas)
        },
        onProgress: share => shares.push(share),
        signal: new AbortController().signal,
      })
      const bytes = [...new Uint8Array(await file.arrayBuffer())]
      if (extension === 'zip') return { extension, shares, bytes, duration: 0, size: [], colors: [] }
      const video = document.createElement('video')
      video.muted = true
      video.src = URL.createObjectURL(file)
      await new Promise((done, fail) => {
        video.addEventListener('loadeddata', done)
        video.addEventListener('error', () => fail(new Error(video.error?.message)))
      })
      const colors: number[][] = []
      const context = new OffscreenCanvas(160, 120).getContext('2d')
      const note = (): void => {
        context?.drawImage(video, 0, 0)
        colors.push([...(context?.getImageData(80, 60, 1, 1).data ?? [])])
      }
      const ended = new Promise(done => video.addEventListener('ended', done))
      const first = new Promise(done => video.requestVideoFrameCallback(done))
      await video.play()
      await first
      note()
      await ended
      note()
      return { extension, shares, bytes, duration: video.duration, size: [video.videoWidth, video.videoHeight], colors }
    }, hasEncoder)
    expect(made.shares.length).toBe(20)
    expect(made.shares.at(-1)).toBe(1)
    if (!hasEncoder) {
      expect(made.extension).toBe('zip')
      const files = unzipSync(Uint8Array.from(made.bytes))
      expect(Object.keys(files)).toEqual(
        Array.from({ length: 20 }, (_, picture) => `${String(picture + 1).padStart(2, '0')}.png`),
      )
      for (const file of Object.values(files)) expect(Buffer.from(file.subarray(1, 4)).toString()).toBe('PNG')
      return
    }
    expect(['mp4', 'webm']).toContain(made.extension)
    expect(made.duration).toBe(2)
    expect(made.size).toEqual([160, 120])
    const nearest = made.colors.map(([red = 0, , blue = 0]) =>
      red > 150 && blue < 90 ? 'red' : blue > 150 && red < 90 ? 'blue' : `${red} ${blue}`,
    )
    expect(nearest).toEqual(['red', 'blue'])
  })
