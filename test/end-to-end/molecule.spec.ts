import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { molecules as Molecules } from '../molecule/page.ts'
import { openMoleculePage } from '../molecule/serve.ts'
import { expect, test } from './stage.ts'

declare const molecules: typeof Molecules

const SIZE = { width: 400, height: 300 }

test.use({ viewport: SIZE })

test.beforeEach(async ({ page, complaints: _ }) => {
  await openMoleculePage(page)
})

/** As far from the expected colour as a channel may be: rounding to eight bits, once drawn and once as a PNG. */
const ROUNDING = 3

test('the middle of a single ball has the colour that its light gives it', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.moleculeOfPlaces([[3, -7, 11]]), { hasOutlines: false })
    return (await molecules.pixelsOf(viewer)).at(200, 150)
  })
  // Carbon #857f78 facing the eye, alone. Light of lights.ts and shaders/light.ts, reckoned by hand.
  const [key, fill, shine] = [(0.6172 + 0.18) / 1.18, 0.5345, 0.8992 ** 32]
  const ambient = [0.51, 0.505, 0.515]
  const [keyLight, fillLight] = [[0.74, 0.7, 0.64], [0.09, 0.1, 0.13]]
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

test('a ball is as large as its radius says, at every distance', async ({ page }) => {
  const widths = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.moleculeOfPlaces([[0, 0, 0]]), { hasOutlines: false })
    const found: [number, number][] = []
    for (const distance of [4, 6, 9]) {
      viewer.setCamera({ ...molecules.fitCamera(), distance })
      const { at, width } = await molecules.pixelsOf(viewer)
      found.push([distance, Array.from({ length: width }, (_, x) => at(x, 150)[3] ?? 0).filter(cover => cover > 100).length])
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
    const viewer = molecules.open(molecules.moleculeOfPlaces([[-0.8, 0, 0.4], [0.8, 0, -0.4]]))
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
const meetingColumn = (distance: number): number => {
  // On the seam z = 2 x, and (x + 0.8)² + (2 x − 0.4)² = 1.7², the nearer solution.
  const [a, b, c] = [5, 2 * 0.8 - 2 * 2 * 0.4, 0.8 ** 2 + 0.4 ** 2 - 1.7 ** 2]
  const x = (-b + Math.sqrt(b * b - 4 * a * c)) / (2 * a)
  return SIZE.width / 2 + (x / (distance - 2 * x) / Math.tan(Math.PI / 12)) * (SIZE.height / 2)
}

test('what is nearer hides what is behind, whichever came first', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const places: [number, number, number][] = [[0, 0, -4], [0, 0, 4], [0, 0, 0]]
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
    const places: [number, number, number][] = [[-4, 0, 0], [4, 0, 0], [0, 4, 0], [0, -4, 0]]
    const viewer = molecules.open(molecules.moleculeOfPlaces(places, [0, 2, 3, 4], [0, 1]))
    const found: Record<string, number[]> = {}
    for (const style of [1, 2, 3] as const) {
      viewer.setLook({ ...molecules.LOOK, style })
      await molecules.atRest(viewer)
      const scale = 150 / Math.tan(Math.PI / 12) / ((1.04 / Math.sin(Math.PI / 12)) * 6)
      found[style] = [...places.map(([x, y]) => viewer.pick(200 + x * scale, 150 - y * scale)), viewer.pick(5, 5), viewer.pick(200, 150), viewer.pick(-50, 9000)]
    }
    return found
  })
  for (const style of [1, 2]) expect(seen[style]).toEqual([0, 1, 2, 3, -1, -1, -1])
  // A bond is picked for its nearer end.
  expect([0, 1]).toContain(seen[3]?.[5])
  expect(seen[3]).toEqual([0, 1, 2, 3, -1, seen[3]?.[5], -1])
})

test('the styles agree on where the molecule is', async ({ page }) => {
  const middles = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.packedBall(300))
    const found: { x: number; y: number; cover: number }[] = []
    for (const style of [1, 2, 3] as const) {
      viewer.setLook({ ...molecules.LOOK, style })
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
  for (const middle of middles) expect(Math.hypot(middle.x - (balls?.x ?? 0), middle.y - (balls?.y ?? 0))).toBeLessThan(6)
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
    const sample = molecules.moleculeOfPlaces([[-6, 0, 0], [6, 3, 0]])
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
  expect([short, beyond]).toEqual([second, second])
  expect(none).toBe(first)
})

test('nothing is drawn when nothing changes, and one picture when something does', async ({ page }) => {
  const counts = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.packedBall(200))
    const atRest = await molecules.atRest(viewer)
    let asked = 0
    const own = requestAnimationFrame
    globalThis.requestAnimationFrame = task => {
      asked += 1
      return own(task)
    }
    // The bench waits for five seconds.
    await new Promise(done => setTimeout(done, 1000))
    const idle = asked
    viewer.setFrames([new Float32Array(600)])
    const step = await molecules.until(viewer, ({ framesDrawn }) => framesDrawn > atRest.framesDrawn)
    return { idle, drawn: step.framesDrawn - atRest.framesDrawn }
  })
  expect(counts).toEqual({ idle: 0, drawn: 1 })
})

test('a hidden tab draws nothing', async ({ page }) => {
  const counts = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.packedBall(200))
    const before = (await molecules.atRest(viewer)).framesDrawn
    const setHidden = (isHidden: boolean) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }
    setHidden(true)
    viewer.setCamera(molecules.zoomCamera(molecules.fitCamera(), 2))
    const ticks = { count: 0 }
    await new Promise<void>(done => {
      const tick = () => (ticks.count++ > 20 ? done() : requestAnimationFrame(tick))
      tick()
    })
    let hidden = 0
    viewer.onStatistics(({ framesDrawn }) => (hidden = framesDrawn))()
    setHidden(false)
    const shown = await molecules.atRest(viewer)
    return { hidden: hidden - before, shown: shown.framesDrawn > before }
  })
  expect(counts).toEqual({ hidden: 0, shown: true })
})

/** Counts what the page's WebGL makes and frees, and how many bytes buffers and textures hold. */
const watchMemory = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const own = WebGL2RenderingContext.prototype as unknown as Record<string, (...words: unknown[]) => unknown>
    const alive = new Set<unknown>()
    for (const kind of ['Buffer', 'Texture', 'Framebuffer', 'Program', 'Shader', 'VertexArray', 'Renderbuffer']) {
      const [create, free] = [own[`create${kind}`], own[`delete${kind}`]]
      own[`create${kind}`] = function (...words) {
        const made = create?.apply(this, words)
        alive.add(made)
        return made
      }
      own[`delete${kind}`] = function (...words) {
        alive.delete(words[0])
        return free?.apply(this, words)
      }
    }
    Object.assign(globalThis, { aliveOnGpu: alive })
  })

test('leaving frees all that the GPU holds, and ends every listener and loop', async ({ page }) => {
  await watchMemory(page)
  const left = await page.evaluate(async () => {
    const { aliveOnGpu } = globalThis as unknown as { aliveOnGpu: Set<unknown> }
    const listened = { count: 0 }
    for (const target of [molecules.canvas(), document]) {
      const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)]
      target.addEventListener = (type: string, task: EventListener) => {
        listened.count += 1
        add(type, task)
      }
      target.removeEventListener = (type: string, task: EventListener) => {
        listened.count -= 1
        remove(type, task)
      }
    }
    const sample = molecules.packedBall(2000)
    const viewer = molecules.open(sample)
    viewer.setFrames([sample.frame, molecules.stirred(sample.frame, 1), molecules.stirred(sample.frame, 2)])
    for (const style of [1, 2, 3] as const) {
      viewer.setLook({ ...molecules.LOOK, style })
      await molecules.atRest(viewer)
    }
    viewer.setMarks([1, 2])
    await viewer.snapshot()
    const held = { things: aliveOnGpu.size, listeners: listened.count }
    viewer.setMolecule(undefined)
    const { framesDrawn } = await molecules.atRest(viewer)
    viewer.setCamera(molecules.fitCamera())
    viewer.dispose()
    let later = { framesDrawn: 0, gpuBytes: -1 }
    viewer.onStatistics(statistics => (later = statistics))()
    return { held, things: aliveOnGpu.size, listeners: listened.count, bytes: later.gpuBytes, drawn: later.framesDrawn - framesDrawn }
  })
  expect(left.held.things).toBeGreaterThan(20)
  expect(left.held.listeners).toBe(3)
  expect(left).toMatchObject({ things: 0, listeners: 0, bytes: 0, drawn: 0 })
})

test('frames are uploaded once, and go with their molecule', async ({ page }) => {
  const bytes = await page.evaluate(async () => {
    const sample = molecules.packedBall(5000)
    const viewer = molecules.open(sample)
    const frames = [sample.frame, ...[1, 2, 3, 4].map(seed => molecules.stirred(sample.frame, seed))]
    const held: number[] = []
    const note = () => viewer.onStatistics(({ gpuBytes }) => held.push(gpuBytes))()
    await molecules.atRest(viewer)
    note()
    viewer.setFrames(frames)
    await molecules.atRest(viewer)
    note()
    viewer.setFrames([...frames])
    await molecules.atRest(viewer)
    note()
    viewer.setMolecule(molecules.packedBall(5000).molecule)
    viewer.setFrames([sample.frame])
    await molecules.atRest(viewer)
    note()
    return held
  })
  const [one = 0, five = 0, again = 0, other = 0] = bytes
  expect(five - one).toBe(4 * 5 * 1024 * 12)
  expect(again).toBe(five)
  expect(other).toBe(one)
})

test('a GPU that is lost and comes back shows the same again', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.packedBall(500))
    const before = await molecules.pixelsOf(viewer)
    const gl = molecules.canvas().getContext('webgl2')
    const loss = gl?.getExtension('WEBGL_lose_context')
    loss?.loseContext()
    await molecules.until(viewer, ({ isLost }) => isLost)
    // The event that tells of it must be over before the GPU can come back.
    await new Promise(requestAnimationFrame)
    const pick = viewer.pick(200, 150)
    const refused = await viewer.snapshot().then(() => false, () => true)
    viewer.setCamera(molecules.fitCamera())
    loss?.restoreContext()
    await molecules.until(viewer, ({ isLost }) => !isLost)
    await molecules.atRest(viewer)
    const after = await molecules.pixelsOf(viewer)
    return { pick, refused, difference: before.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (after.data[at] ?? 0))), 0) }
  })
  expect(seen).toEqual({ pick: -1, refused: true, difference: 0 })
})

test('hostile molecules and frames break nothing', async ({ page }) => {
  const shown = await page.evaluate(async () => {
    const viewer = molecules.open()
    const found: Record<string, number> = {}
    const look = async (name: string) => {
      for (const style of [1, 2, 3] as const) {
        const { framesDrawn: before } = await molecules.until(viewer, () => true)
        viewer.setLook({ ...molecules.LOOK, style, colouring: (['residue', 'charge', 'motion'] as const)[style - 1] ?? 'chain' })
        await molecules.until(viewer, ({ framesDrawn }) => framesDrawn > before)
      }
      const { data } = await molecules.pixelsOf(viewer)
      let cover = 0
      for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) cover += 1
      found[name] = cover
    }
    await look('nothing')
    viewer.setMolecule(molecules.moleculeOfPlaces([]).molecule)
    viewer.setFrames([new Float32Array(30)])
    await look('no atoms')
    const sample = molecules.packedBall(50)
    viewer.setMolecule(sample.molecule)
    await look('no frames')
    viewer.setFrames([new Float32Array(0)])
    await look('empty frame')
    viewer.setFrames([sample.frame.map((value, at) => (at % 7 === 0 ? Number.NaN : value)), new Float32Array(3), new Float32Array(9999)])
    viewer.show(0.5)
    await look('some places that are no numbers')
    viewer.setFrames([new Float32Array(150).fill(Number.NaN)])
    await look('no places')
    viewer.setMolecule({ ...sample.molecule, bonds: Uint32Array.of(0, 50, 7, 4294967295, 3, 4, 5), radii: new Float32Array(50).fill(Number.NaN) })
    viewer.setFrames([sample.frame.map((value, at) => (at === 0 ? 1e30 : value))])
    viewer.setMarks([-1, 4000, Number.NaN, 2, 3])
    viewer.setCamera({ rotation: [0, 0, 0, 0], distance: 0.1, pan: [0, 0] })
    await look('bonds to nowhere')
    viewer.dispose()
    return found
  })
  for (const name of ['nothing', 'no atoms', 'no frames', 'empty frame', 'no places']) expect([name, shown[name]]).toEqual([name, 0])
  expect(shown['some places that are no numbers']).toBeGreaterThan(100)
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

test('structures of the Protein Data Bank are drawn, every style in both themes', async ({ page }) => {
  test.skip(structures.length === 0, `There are no structures in ${data}.`)
  for (const name of structures) {
    const shown = await page.evaluate(async text => {
      const sample = molecules.readPdb(text)
      const viewer = molecules.open(sample)
      const found: { atoms: number; chains: number; cover: number; colours: number }[] = []
      for (const theme of ['light', 'dark'] as const)
        for (const style of [1, 2, 3] as const) {
          viewer.setLook({ ...molecules.LOOK, style, theme, colouring: 'chain' })
          const { data } = await molecules.pixelsOf(viewer)
          const colours = new Set<number>()
          let cover = 0
          for (let at = 0; at < data.length; at += 4) {
            if (data[at + 3] === 0) continue
            cover += 1
            colours.add(((data[at] ?? 0) >> 4) * 256 + ((data[at + 1] ?? 0) >> 4) * 16 + ((data[at + 2] ?? 0) >> 4))
          }
          found.push({ atoms: sample.molecule.names.length, chains: new Set(sample.molecule.chains).size, cover: cover / (data.length / 4), colours: colours.size })
        }
      viewer.dispose()
      return found
    }, readFileSync(join(data, name), 'utf8'))
    for (const { atoms, chains, cover, colours } of shown) {
      expect(atoms).toBeGreaterThan(500)
      expect(chains).toBeGreaterThan(1)
      expect(cover).toBeGreaterThan(0.02)
      expect(colours).toBeGreaterThan(40)
    }
  }
})
