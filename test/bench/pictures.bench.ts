import { expect, test, type Browser } from '@playwright/test'
import { startNetwork } from '../../programs/network/index.ts'
import type { Engine } from '../browsers/engine.ts'
import { isFirefoxInstalled, startFirefox } from '../browsers/firefox.ts'
import { isWebKitInstalled, startWebKit } from '../browsers/webkit.ts'
import { median, report } from './figures.ts'

const ROUNDS = 3
const SIZE = { width: 1280, height: 720 } as const

type Frames = { readonly longest: number; readonly rate: number; readonly pictures: number }
type Window = Pick<Engine, 'open' | 'evaluate' | 'resize' | 'stop'>

async function startChromium(browser: Browser): Promise<Window> {
  const context = await browser.newContext()
  const page = await context.newPage()
  return {
    open: async url => void (await page.goto(url)),
    evaluate: expression => page.evaluate(expression),
    resize: (width, height) => page.setViewportSize({ width, height }),
    stop: () => context.close(),
  }
}

/** Runs in a page that shows no machine yet: goes to the single machine, and counts frames while the pictures of its units appear. */
function countFrames(hasPictures: boolean): Promise<Frames> {
  const SECONDS = 10
  const Own = globalThis.Worker
  if (!hasPictures)
    globalThis.Worker = class extends Own {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(String(url).includes('still.worker') ? '/none.js' : url, options)
      }
    }
  history.pushState(undefined, '', '/machines?layout=single')
  dispatchEvent(new PopStateEvent('popstate'))
  const drawn = (): number =>
    [...document.querySelectorAll('canvas')].filter(canvas =>
      canvas
        .getContext('2d')
        ?.getImageData(0, 0, canvas.width, canvas.height)
        .data.some(value => value > 0),
    ).length
  return new Promise(done => {
    const started = performance.now()
    let [frames, last, longest] = [0, started, 0]
    const count = (): void => {
      const now = performance.now()
      frames += 1
      longest = Math.max(longest, now - last)
      last = now
      if (now - started < SECONDS * 1000) requestAnimationFrame(count)
      else done({ longest, rate: (frames * 1000) / (now - started), pictures: drawn() })
    }
    requestAnimationFrame(count)
  })
}

const ENGINES = [
  { name: 'Chromium', isThere: true, start: startChromium },
  { name: 'Firefox', isThere: isFirefoxInstalled(), start: startFirefox },
  { name: 'WebKit', isThere: isWebKitInstalled(), start: startWebKit },
] as const

for (const { name, isThere, start } of ENGINES)
  test(`frames while still pictures appear, in ${name}`, async ({ browser }, info) => {
    test.skip(!isThere, `${name} is not installed`)
    const network = await startNetwork({ port: 0, data: undefined, seed: 7, machines: 0, keyBits: 1024 })
    const page = await start(browser)
    await page.resize(SIZE.width, SIZE.height)
    const framesOf = async (hasPictures: boolean): Promise<Frames> => {
      await page.open(`${network.dashboardUrl}/about`)
      await expect.poll(() => page.evaluate(`document.querySelectorAll('h1').length`)).toBe(1)
      return (await page.evaluate(`(${countFrames.toString()})(${hasPictures})`)) as Frames
    }
    // What is compiled and cached once is left out.
    await framesOf(false)
    const [shown, blank]: [Frames[], Frames[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      shown.push(await framesOf(true))
      blank.push(await framesOf(false))
    }
    await page.stop()
    await network.stop()
    expect(shown.every(({ pictures }) => pictures > 0)).toBe(true)
    expect(blank.every(({ pictures }) => pictures === 0)).toBe(true)
    const rateOf = (rounds: readonly Frames[]): number => median(rounds.map(({ rate }) => rate))
    const longestOf = (rounds: readonly Frames[]): number => median(rounds.map(({ longest }) => longest))
    await report(info, [
      { name: 'frame rate with pictures', value: rateOf(shown), unit: '/s' },
      { name: 'frame rate without pictures', value: rateOf(blank), unit: '/s' },
      // A rate of 0.9.
      {
        name: 'time a frame, beside that without',
        value: (rateOf(blank) / rateOf(shown)) * 100,
        unit: '%',
        goal: 111,
      },
      { name: 'longest frame with pictures', value: longestOf(shown), unit: 'ms' },
      { name: 'longest frame without pictures', value: longestOf(blank), unit: 'ms' },
    ])
  })
