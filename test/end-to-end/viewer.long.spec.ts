import type { Page } from '@playwright/test'
import { button, look, middle, picture, pixelsPerAngstrom } from './molecule-view.ts'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true })

type Place = readonly [x: number, y: number]

/** Fingers on the picture, as the browser hears them. */
async function fingersOn(page: Page) {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', places: readonly Place[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) })
  const pictures = (count: number) =>
    page.evaluate(async count => {
      for (let picture = 0; picture < count; picture++) await new Promise(requestAnimationFrame)
    }, count)
  const STEPS = 6
  const move = async (from: readonly Place[], to: readonly Place[]): Promise<void> => {
    await touch('touchStart', from)
    for (let step = 1; step <= STEPS; step++) {
      await touch(
        'touchMove',
        from.map(([x, y], finger) => [
          x + (((to[finger]?.[0] ?? x) - x) * step) / STEPS,
          y + (((to[finger]?.[1] ?? y) - y) * step) / STEPS,
        ]),
      )
      await pictures(1)
    }
  }
  const shot = async (): Promise<string> => (await picture(page).screenshot()).toString('base64')
  const rested = async (): Promise<string> => {
    let before = await shot()
    await expect(async () => {
      const now = await shot()
      const isSame = now === before
      before = now
      expect(isSame).toBe(true)
    }).toPass({ intervals: [50] })
    return before
  }
  return {
    drag: async (from: readonly Place[], to: readonly Place[]): Promise<void> => {
      await move(from, to)
      await touch('touchEnd', [])
    },
    /** Which share of the picture looks different when all is at rest from when a finger that turned it let go. */
    turnedAfter: async (isHeld: boolean): Promise<number> => {
      const { x, y } = await middle(page)
      await move([[x - 40, y]], [[x + 20, y + 20]])
      if (isHeld) await pictures(12)
      await touch('touchEnd', [])
      return difference(page, await shot(), await rested())
    },
  }
}

/** The share of pixels that are clearly different in two PNGs. */
function difference(page: Page, a: string, b: string): Promise<number> {
  return page.evaluate(
    async pictures => {
      const [one, other] = await Promise.all(
        pictures.map(async picture => {
          const bitmap = await createImageBitmap(
            new Blob([Uint8Array.from(atob(picture), letter => letter.charCodeAt(0))]),
          )
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          context?.drawImage(bitmap, 0, 0)
          return context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray()
        }),
      )
      let different = 0
      for (let at = 0; at < (one?.length ?? 0); at += 4)
        if (Math.abs((one?.[at] ?? 0) - (other?.[at] ?? 0)) > 40) different += 1
      return different / ((one?.length ?? 4) / 4)
    },
    [a, b],
  )
}

test('fingers turn, move and zoom a molecule, and it turns on for a while after a quick swipe', async ({
  page,
  startTestNetwork,
}) => {
  await look(page, () => startTestNetwork({ machines: 0 }))
  const fingers = await fingersOn(page)
  const { x, y } = await middle(page)
  await button(page, '1 Space-filling').tap()

  // Two fingers move it: what was there is found where they went.
  const named = page.getByText(/atom \d+ of/)
  let at = x - 48
  for (; at <= x + 48 && (await named.count()) === 0; at += 6) await page.touchscreen.tap(at, y)
  const residue = /[A-Z]{3} \d+/.exec((await named.textContent()) ?? '')?.[0] ?? ''
  await button(page, 'Clear selection').tap()
  await fingers.drag(
    [
      [x - 60, y],
      [x + 60, y],
    ],
    [
      [x - 30, y + 50],
      [x + 90, y + 50],
    ],
  )
  await page.touchscreen.tap(at - 6 + 30, y + 50)
  await expect(named).toContainText(residue)
  await button(page, 'Clear selection').tap()

  const fitted = await pixelsPerAngstrom(page)
  await fingers.drag(
    [
      [x - 20, y],
      [x + 20, y],
    ],
    [
      [x - 50, y],
      [x + 50, y],
    ],
  )
  await expect(async () => expect((await pixelsPerAngstrom(page)) / fitted).toBeCloseTo(2.5, 0)).toPass()

  await button(page, 'Rotate').tap()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await button(page, 'Rotate').tap()
  const still = await fingers.turnedAfter(true)
  const swung = await fingers.turnedAfter(false)
  expect(swung).toBeGreaterThan(still * 2)
})
