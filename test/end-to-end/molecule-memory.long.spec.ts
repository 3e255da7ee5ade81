import type { Page } from '@playwright/test'
import type { molecules as Molecules } from '../molecule/page.ts'
import { openMoleculePage } from '../molecule/serve.ts'
import { expect, test } from './fixtures.ts'

declare const molecules: typeof Molecules

test.use({ viewport: { width: 400, height: 300 } })

test.beforeEach(async ({ page, pageErrors: _ }) => {
  await openMoleculePage(page)
})

test('nothing is drawn when nothing changes, and one picture when something does [12.15]', async ({ page }) => {
  const counts = await page.evaluate(async () => {
    const viewer = molecules.open(molecules.packedBall(200))
    const atRest = await molecules.atRest(viewer)
    let asked = 0
    const original = requestAnimationFrame
    globalThis.requestAnimationFrame = task => {
      asked += 1
      return original(task)
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
function watchMemory(page: Page): Promise<void> {
  return page.evaluate(() => {
    const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...words: unknown[]) => unknown>
    const alive = new Set<unknown>()
    for (const kind of ['Buffer', 'Texture', 'Framebuffer', 'Program', 'Shader', 'VertexArray', 'Renderbuffer']) {
      const [create, free] = [prototype[`create${kind}`], prototype[`delete${kind}`]]
      prototype[`create${kind}`] = function (...words) {
        const made = create?.apply(this, words)
        alive.add(made)
        return made
      }
      prototype[`delete${kind}`] = function (...words) {
        alive.delete(words[0])
        return free?.apply(this, words)
      }
    }
    Object.assign(globalThis, { aliveOnGpu: alive })
  })
}

test('leaving frees all that the GPU holds, and ends every listener and loop [12.15]', async ({ page }) => {
  await watchMemory(page)
  const left = await page.evaluate(async () => {
    const { aliveOnGpu } = globalThis as unknown as { aliveOnGpu: Set<unknown> }
    const listened = { count: 0 }
    for (const [name, by] of [
      ['addEventListener', 1],
      ['removeEventListener', -1],
    ] as const) {
      const original = EventTarget.prototype[name]
      EventTarget.prototype[name] = function (...what: Parameters<typeof original>) {
        if (this === document || this instanceof HTMLCanvasElement) listened.count += by
        original.apply(this, what)
      }
    }
    const sample = molecules.packedBall(2000)
    const viewer = molecules.open(sample)
    viewer.setFrames([sample.frame, molecules.stirred(sample.frame, 1), molecules.stirred(sample.frame, 2)])
    for (const style of [1, 2, 3, 4, 5] as const) {
      viewer.setAppearance({ ...molecules.LOOK, style, isSeeThrough: true })
      await viewer.picture()
      await molecules.atRest(viewer)
    }
    viewer.setMarks([1, 2])
    await viewer.picture()
    const held = { things: aliveOnGpu.size, listeners: listened.count }
    viewer.setMolecule(undefined)
    const { framesDrawn } = await molecules.atRest(viewer)
    viewer.setCamera(molecules.fitCamera())
    viewer.dispose()
    let later = { framesDrawn: 0, gpuBytes: -1 }
    viewer.onStatistics(statistics => (later = statistics))()
    return {
      held,
      things: aliveOnGpu.size,
      listeners: listened.count,
      bytes: later.gpuBytes,
      drawn: later.framesDrawn - framesDrawn,
    }
  })
  expect(left.held.things).toBeGreaterThan(20)
  expect(left.held.listeners).toBe(3)
  expect(left).toMatchObject({ things: 0, listeners: 0, bytes: 0, drawn: 0 })
})

test('frames are uploaded once, when they are first shown, and go with their molecule', async ({ page }) => {
  const bytes = await page.evaluate(async () => {
    const sample = molecules.packedBall(5000)
    const viewer = molecules.open(sample)
    const frames = [sample.frame, ...[1, 2, 3, 4].map(seed => molecules.stirred(sample.frame, seed))]
    const held: number[] = []
    const note = () => viewer.onStatistics(({ gpuBytes }) => held.push(gpuBytes))()
    // What pictures of moving frames need beside them is there.
    for (const all of [frames, [sample.frame]]) {
      viewer.setFrames(all)
      await viewer.picture()
      await molecules.atRest(viewer)
    }
    note()
    for (const all of [frames, [...frames]]) {
      viewer.setFrames(all)
      for (const place of frames.keys()) {
        viewer.show(place)
        await molecules.atRest(viewer)
      }
      note()
    }
    viewer.setMolecule(molecules.packedBall(5000).molecule)
    viewer.setFrames([sample.frame])
    await molecules.atRest(viewer)
    note()
    return held
  })
  const [one = 0, five = 0, again = 0, other = 0] = bytes
  expect(five - one).toBe(4 * 5 * 1024 * 16)
  expect(again).toBe(five)
  expect(other).toBe(one)
})

test('a large cartoon is drawn, and its frames take no more memory one after another', async ({ page }) => {
  const held = await page.evaluate(async () => {
    const { molecule, frame: long } = molecules.helix(5000)
    // A hundred helices side by side, 50 residues of 1.5 Å each.
    const frame = long.map((value, at) => {
      const helix = Math.floor(at / 3 / 4 / 50)
      return value + ([(helix % 10) * 12, Math.floor(helix / 10) * 12, helix * -75][at % 3] ?? 0)
    })
    const sample = { molecule, frame }
    const viewer = molecules.open(sample, { style: 4 })
    const frames = Array.from({ length: 8 }, (_, seed) => molecules.stirred(sample.frame, seed, 0.2))
    viewer.setFrames(frames)
    const bytes: number[] = []
    for (const place of [0.5, 1.5, 2.5, 3.5, 6.5]) {
      viewer.show(place)
      await molecules.atRest(viewer)
      viewer.onStatistics(({ gpuBytes }) => bytes.push(gpuBytes))()
    }
    const residues = new Set<number>()
    for (let x = 0; x < innerWidth; x += 2) residues.add(Math.floor(viewer.pick(x, 150) / 4))
    viewer.dispose()
    return { bytes, residues: residues.size }
  })
  const [first, ...others] = held.bytes
  // The places and the darkness of each frame that was shown: sixteen bytes an atom.
  const each = 16 * 1024 * Math.ceil((5000 * 4) / 1024)
  expect(others.map(bytes => bytes - (first ?? 0))).toEqual([1, 2, 3, 5].map(frames => frames * each))
  expect(held.residues).toBeGreaterThan(20)
})

test('surfaces are kept for the frames that there are, and no longer', async ({ page }) => {
  const held = await page.evaluate(async () => {
    const sample = molecules.helix(60)
    const viewer = molecules.open(sample, { style: 5 })
    const frames = [sample.frame, ...[1, 2].map(seed => molecules.stirred(sample.frame, seed, 0.3))]
    viewer.setFrames(frames)
    const bytes: number[] = []
    const note = (): void => viewer.onStatistics(({ gpuBytes }) => bytes.push(gpuBytes))()
    for (const place of [0, 1, 2, 0]) {
      viewer.show(place)
      await viewer.picture()
      await molecules.atRest(viewer)
      note()
    }
    viewer.setFrames(frames.slice(0, 1))
    await molecules.atRest(viewer)
    note()
    return bytes
  })
  const [one = 0, two = 0, three = 0, again = 0, less = 0] = held
  expect(two - one).toBeGreaterThan(50_000)
  expect(three - two).toBeGreaterThan(50_000)
  expect(again).toBe(three)
  expect(less).toBe(one)
})

for (const [name, style] of [
  ['atoms', 1],
  ['a cartoon', 4],
  ['a surface', 5],
] as const)
  test(`a GPU that is lost and comes back shows the same again: ${name}`, async ({ page }) => {
    const seen = await page.evaluate(async style => {
      const viewer = molecules.open(molecules.helix(20), { style })
      const before = await molecules.pixelsOf(viewer)
      const gl = molecules.canvas().getContext('webgl2')
      const loss = gl?.getExtension('WEBGL_lose_context')
      loss?.loseContext()
      await molecules.until(viewer, ({ isLost }) => isLost)
      // The event that tells of it must be over before the GPU can come back.
      await new Promise(requestAnimationFrame)
      const pick = viewer.pick(200, 150)
      const refused = await viewer.picture().then(
        () => false,
        () => true,
      )
      viewer.setCamera(molecules.fitCamera())
      loss?.restoreContext()
      await molecules.until(viewer, ({ isLost }) => !isLost)
      await molecules.atRest(viewer)
      const after = await molecules.pixelsOf(viewer)
      return {
        pick,
        refused,
        difference: before.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (after.data[at] ?? 0))), 0),
      }
    }, style)
    expect(seen).toEqual({ pick: -1, refused: true, difference: 0 })
  })

test('hostile molecules and frames break nothing', async ({ page }) => {
  const shown = await page.evaluate(async () => {
    const viewer = molecules.open()
    const found: Record<string, number> = {}
    const look = async (name: string) => {
      let cover = 0
      for (const style of [1, 2, 3, 5] as const) {
        viewer.setAppearance({
          ...molecules.LOOK,
          style,
          coloring: (['residue', 'charge', 'motion'] as const)[style - 1] ?? 'structure',
        })
        const { data } = await molecules.pixelsOf(viewer)
        cover = 0
        for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) cover += 1
      }
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
    viewer.setFrames([
      sample.frame.map((value, at) => (at % 7 === 0 ? Number.NaN : value)),
      new Float32Array(3),
      new Float32Array(9999),
    ])
    viewer.show(0.5)
    await look('some places that are no numbers')
    viewer.setFrames([new Float32Array(150).fill(Number.NaN)])
    await look('no places')
    viewer.setMolecule({
      ...sample.molecule,
      bonds: Uint32Array.of(0, 50, 7, 4294967295, 3, 4, 5),
      radii: new Float32Array(50).fill(Number.NaN),
    })
    viewer.setFrames([sample.frame.map((value, at) => (at === 0 ? 1e30 : value))])
    viewer.setMarks([-1, 4000, Number.NaN, 2, 3])
    viewer.setCamera({ rotation: [0, 0, 0, 0], pivot: [0, 0, 0], distance: 0.1, pan: [0, 0] })
    await look('bonds to nowhere')
    viewer.dispose()
    return found
  })
  for (const name of ['nothing', 'no atoms', 'no frames', 'empty frame', 'no places']) expect(shown[name], name).toBe(0)
  expect(shown['some places that are no numbers']).toBeGreaterThan(100)
})
