import { test, type Page } from '@playwright/test'
import type { molecules as Molecules } from '../molecule/page.ts'
import { openMoleculePage } from '../molecule/serve.ts'
import { openGauge, report, type Figure } from './figures.ts'
import { drawNaively } from './naive-spheres.ts'

declare const molecules: typeof Molecules

const STYLES = { 1: 'space-filling', 2: 'ball-and-stick', 3: 'sticks' } as const

/** A drag first finds the tier of quality that is fast enough; then it is measured. */
const WARM_UP = 2.5
const SECONDS = 1.5
const STEPS = 5

/** What is drawn naively takes seconds a picture without a graphics card, and every picture the same. */
const NAIVE_PICTURES = 2

test.use({ viewport: { width: 1280, height: 720 } })

/** Milliseconds a picture that are wanted at most, of space-filling. */
const goals: Readonly<Record<number, number>> = { 10_000: 1000 / 30, 50_000: 1000 / 10 }

for (const atoms of [1000, 10_000, 50_000, 100_000])
  test(`viewer: ${atoms} atoms`, async ({ page }, info) => {
    await openMoleculePage(page)
    const gauge = await openGauge(page)
    const figures: Figure[] = []
    for (const style of [1, 2, 3] as const) {
      const first = await firstPicture(page, atoms, style)
      await rotate(page, WARM_UP)
      const before = await gauge.work()
      const { pictures, ms } = await rotate(page, SECONDS)
      const work = (await gauge.work()) - before
      const { step, latest, bytes, scale } = await stepThrough(page)
      const name = STYLES[style]
      const goal = style === 1 ? goals[atoms] : undefined
      figures.push(
        {
          name: `${name}: from data to the first picture`,
          value: first,
          unit: 'ms',
          ...(atoms === 100_000 ? { goal: 1000 } : {}),
        },
        {
          name: `${name}: a picture while rotating`,
          value: ms / pictures,
          unit: 'ms',
          ...(goal === undefined ? {} : { goal }),
        },
        { name: `${name}: drawn pixels a screen pixel, a side`, value: scale, unit: '' },
        {
          name: `${name}: main thread a picture`,
          value: work / pictures,
          unit: 'ms',
          ...(atoms === 100_000 ? { goal: 2 } : {}),
        },
        { name: `${name}: a step to another frame`, value: step, unit: 'ms' },
        { name: `${name}: frames of the screen until a step is drawn`, value: latest, unit: '', goal: 1 },
        { name: `${name}: GPU memory with ${STEPS + 1} frames`, value: bytes / 1024 / 1024, unit: 'MiB' },
      )
    }
    figures.push({ name: 'pictures in 5 s at rest', value: await idle(page), unit: '', goal: 0 })
    await report(info, figures)
  })

// The last of all: after pictures of many seconds a browser may draw without what draws fast.
test('viewer: 50000 atoms beside the baseline', async ({ page }, info) => {
  const atoms = 50_000
  await openMoleculePage(page)
  await firstPicture(page, atoms, 1)
  await rotate(page, WARM_UP)
  const { pictures, ms } = await rotate(page, SECONDS)
  const naive = await page.evaluate(drawNaively, { atoms, pictures: NAIVE_PICTURES })
  await report(info, [
    { name: 'a picture while rotating', value: ms / pictures, unit: 'ms' },
    { name: 'a mesh of 16×16 an atom: a picture', value: naive, unit: 'ms' },
    {
      name: 'share of the baseline that space-filling takes',
      value: (ms / pictures / naive) * 100,
      unit: '%',
      goal: 20,
    },
  ])
})

/** A new viewer receives a molecule: milliseconds until its first picture is drawn, and the GPU has done so. */
function firstPicture(page: Page, atoms: number, style: 1 | 2 | 3): Promise<number> {
  return page.evaluate(
    async ({ atoms, style }) => {
      const store = globalThis as unknown as {
        shown?: { dispose: () => void }
        sample?: ReturnType<typeof molecules.packedBall>
      }
      store.shown?.dispose()
      const sample = (store.sample ??= molecules.packedBall(atoms))
      const started = performance.now()
      const viewer = molecules.open(sample, { style })
      await molecules.until(viewer, ({ framesDrawn }) => framesDrawn > 0)
      viewer.pick(640, 360)
      const ms = performance.now() - started
      Object.assign(globalThis, { shown: viewer })
      return ms
    },
    { atoms, style },
  )
}

/** A drag that does not end: pictures, and the milliseconds that they took. */
function rotate(page: Page, seconds: number): Promise<{ readonly pictures: number; readonly ms: number }> {
  return page.evaluate(async seconds => {
    const { shown } = globalThis as unknown as { shown: ReturnType<typeof molecules.open> }
    let camera = molecules.fitCamera()
    let [drawn, first] = [0, -1]
    const end = shown.onStatistics(({ framesDrawn }) => {
      if (first < 0) first = framesDrawn
      drawn = framesDrawn
    })
    // What was drawn before is none of its time.
    shown.pick(640, 360)
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
  }, seconds)
}

/** Steps through a trajectory: what one costs in the median, after how many frames of the screen it is drawn at the latest, and what is held. */
function stepThrough(page: Page) {
  return page.evaluate(async steps => {
    const { shown, sample } = globalThis as unknown as {
      shown: ReturnType<typeof molecules.open>
      sample: ReturnType<typeof molecules.packedBall>
    }
    const next = async (change: () => void) => {
      shown.pick(640, 360)
      const { framesDrawn } = await molecules.until(shown, () => true)
      let [frames, request] = [0, 0]
      const count = () => {
        frames += 1
        request = requestAnimationFrame(count)
      }
      request = requestAnimationFrame(count)
      const started = performance.now()
      change()
      const statistics = await molecules.until(shown, statistics => statistics.framesDrawn > framesDrawn)
      cancelAnimationFrame(request)
      shown.pick(640, 360)
      return { ms: performance.now() - started, frames, statistics }
    }
    const frames = [
      sample.frame,
      ...Array.from({ length: steps }, (_, seed) => molecules.stirred(sample.frame, seed + 1)),
    ]
    await next(() => shown.setFrames(frames))
    const all: Awaited<ReturnType<typeof next>>[] = []
    for (let step = 1; step <= steps; step++) all.push(await next(() => shown.show(step)))
    const { gpuBytes, scale } = await molecules.until(shown, () => true)
    return {
      step: all.map(({ ms }) => ms).sort((a, b) => a - b)[steps >> 1] ?? Number.NaN,
      latest: Math.max(...all.map(({ frames }) => frames)),
      bytes: gpuBytes,
      scale,
    }
  }, STEPS)
}

/** Pictures in five seconds in which nothing happens. */
function idle(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { shown } = globalThis as unknown as { shown: ReturnType<typeof molecules.open> }
    const { framesDrawn } = await molecules.atRest(shown)
    await new Promise(done => setTimeout(done, 5000))
    return (await molecules.atRest(shown)).framesDrawn - framesDrawn
  })
}
