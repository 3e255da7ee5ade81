import { test, type Page } from '@playwright/test'
import type { molecules as Molecules } from '../molecule/page.ts'
import { openMoleculePage } from '../molecule/serve.ts'
import { openGauge, report, type Figure } from './figures.ts'
import { rotateNaively } from './naive-spheres.ts'

declare const molecules: typeof Molecules

const STYLES = { 1: 'space-filling', 2: 'ball-and-stick', 3: 'sticks' } as const
const SECONDS = 4
const STEPS = 8

test.use({ viewport: { width: 1280, height: 720 } })

/** Milliseconds a picture that are wanted at most, of space-filling. */
const goals: Readonly<Record<number, number>> = { 10_000: 1000 / 30, 50_000: 1000 / 10 }

for (const atoms of [1000, 10_000, 50_000, 100_000])
  test(`viewer: ${atoms} atoms`, async ({ page }, info) => {
    test.setTimeout(480_000)
    await openMoleculePage(page)
    const gauge = await openGauge(page)
    const figures: Figure[] = []
    for (const style of [1, 2, 3] as const) {
      const first = await firstPicture(page, atoms, style)
      await rotate(page)
      const before = await gauge.work()
      const { pictures, ms } = await rotate(page)
      const work = (await gauge.work()) - before
      const rest = await restOf(page)
      const name = STYLES[style]
      const goal = style === 1 ? goals[atoms] : undefined
      figures.push(
        { name: `${name}: from data to the first picture`, value: first, unit: 'ms', ...(atoms === 100_000 ? { goal: 1000 } : {}) },
        { name: `${name}: a picture while rotating`, value: ms / pictures, unit: 'ms', ...(goal === undefined ? {} : { goal }) },
        { name: `${name}: drawn pixels a screen pixel, a side`, value: rest.scale, unit: '' },
        { name: `${name}: main thread a picture`, value: work / pictures, unit: 'ms', ...(atoms === 100_000 ? { goal: 2 } : {}) },
        { name: `${name}: a step to another frame`, value: rest.step, unit: 'ms' },
        { name: `${name}: pictures for a step`, value: rest.pictures, unit: '', goal: 1 },
        { name: `${name}: pictures in 5 s at rest`, value: rest.idle, unit: '', goal: 0 },
        { name: `${name}: GPU memory`, value: rest.bytes / 1024 / 1024, unit: 'MiB' },
      )
    }
    const naive = await page.evaluate(rotateNaively, { atoms, seconds: SECONDS })
    const ours = figures.find(({ name }) => name.includes('while rotating'))?.value ?? Number.NaN
    figures.push(
      { name: 'yardstick (a mesh of 16×16 an atom): a picture', value: naive, unit: 'ms' },
      { name: 'share of the yardstick that space-filling takes', value: (ours / naive) * 100, unit: '%', ...(atoms === 50_000 ? { goal: 20 } : {}) },
    )
    await report(info, figures)
  })

/** A new viewer is told of a molecule: milliseconds until its first picture is drawn, and the GPU has done so. */
const firstPicture = (page: Page, atoms: number, style: 1 | 2 | 3): Promise<number> =>
  page.evaluate(async ({ atoms, style }) => {
    const store = globalThis as unknown as { shown?: { dispose: () => void } }
    store.shown?.dispose()
    const sample = molecules.packedBall(atoms)
    const started = performance.now()
    const viewer = molecules.open(sample, { style })
    await molecules.until(viewer, ({ framesDrawn }) => framesDrawn > 0)
    viewer.pick(640, 360)
    const ms = performance.now() - started
    Object.assign(globalThis, { shown: viewer, sample })
    return ms
  }, { atoms, style })

/** A drag that does not end: pictures, and the milliseconds that they took. */
const rotate = (page: Page): Promise<{ readonly pictures: number; readonly ms: number }> =>
  page.evaluate(async seconds => {
    const { shown } = globalThis as unknown as { shown: ReturnType<typeof molecules.open> }
    let camera = molecules.fitCamera()
    let [drawn, first] = [0, -1]
    const end = shown.onStatistics(({ framesDrawn }) => {
      if (first < 0) first = framesDrawn
      drawn = framesDrawn
    })
    const started = performance.now()
    await new Promise<void>(done => {
      const tick = () => {
        camera = molecules.turnCamera(camera, [0.2, 1, 0], 0.03)
        shown.setCamera(camera)
        if (performance.now() - started < seconds * 1000) requestAnimationFrame(tick)
        else done()
      }
      tick()
    })
    // What is still on its way to the screen counts.
    shown.pick(640, 360)
    end()
    return { pictures: drawn - first, ms: performance.now() - started }
  }, SECONDS)

/** What a step to another frame costs, what is drawn when nothing happens, and what is held. */
const restOf = (page: Page) =>
  page.evaluate(async steps => {
    const { shown, sample } = globalThis as unknown as { shown: ReturnType<typeof molecules.open>; sample: ReturnType<typeof molecules.packedBall> }
    const frames = [sample.frame, ...Array.from({ length: steps }, (_, seed) => molecules.stirred(sample.frame, seed + 1))]
    shown.setFrames(frames)
    let { framesDrawn, scale } = await molecules.atRest(shown)
    const times: number[] = []
    let pictures = 0
    for (let step = 1; step <= steps; step++) {
      const started = performance.now()
      shown.show(step)
      const after = await molecules.until(shown, statistics => statistics.framesDrawn > framesDrawn)
      shown.pick(640, 360)
      times.push(performance.now() - started)
      pictures = Math.max(pictures, after.framesDrawn - framesDrawn)
      const rested = await molecules.atRest(shown)
      framesDrawn = rested.framesDrawn
      scale = rested.scale
    }
    await new Promise(done => setTimeout(done, 5000))
    const { framesDrawn: later, gpuBytes } = await molecules.atRest(shown)
    return { step: times.sort((a, b) => a - b)[steps >> 1] ?? Number.NaN, pictures, idle: later - framesDrawn, bytes: gpuBytes, scale }
  }, STEPS)
