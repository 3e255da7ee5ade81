import type { Locator } from '@playwright/test'
import { button } from './molecule-view.ts'
import { expect, test } from './fixtures.ts'

test('without WebGL the reason is shown, once as an alert and then on the page with a still picture [2.47, 8.9]', async ({
  page,
  startTestNetwork,
}) => {
  await page.addInitScript({
    content: `const own = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (kind) { return kind === '2d' ? own.call(this, kind) : null }`,
  })
  const network = await startTestNetwork({ machines: 0 })
  await page.goto(`${network.dashboardUrl}/machines`)
  await page.getByRole('button', { name: /^Actions for unit \d+, project 18420$/ }).click()
  await page.getByRole('menuitem', { name: '3D view' }).click()
  await page.getByRole('dialog', { name: 'WebGL not supported' }).getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('main')).toContainText('Turn on hardware acceleration')
  await expect.poll(() => colorsOf(page.getByRole('img', { name: 'The molecule, still' }))).toBeGreaterThan(20)
  await button(page, 'Close').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Machines' })).toBeAttached()
})

/** Different opaque colors in a picture. */
function colorsOf(picture: Locator): Promise<number> {
  return picture.evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    const found = new Set<string>()
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) found.add(data.slice(at, at + 3).join())
    return found.size
  })
}

test('still pictures are computed in a worker, once, and the page only puts them down', async ({
  page,
  startTestNetwork,
}) => {
  await page.addInitScript({
    content: `const done = { drawn: 0, put: 0, requested: 0 }
      globalThis.done = done
      const counted = (owner, name, count) => {
        const own = owner[name]
        owner[name] = function (...values) { count(values); return own.apply(this, values) }
      }
      for (const name of ['fill', 'stroke']) counted(CanvasRenderingContext2D.prototype, name, () => (done.drawn += 1))
      counted(CanvasRenderingContext2D.prototype, 'putImageData', () => (done.put += 1))
      counted(Worker.prototype, 'postMessage', ([message]) => (done.requested += message.positions === undefined ? 0 : 1))`,
  })
  const network = await startTestNetwork({ machines: 0 })
  await page.goto(`${network.dashboardUrl}/machines`)
  const open = () => page.getByRole('link', { name: '18420' }).click()
  const picture = page.getByRole('img', { name: 'The molecule, still' })
  const counted = (): Promise<unknown> => page.evaluate(() => (globalThis as unknown as { done: unknown }).done)
  await open()
  await expect.poll(() => colorsOf(picture)).toBeGreaterThan(20)
  await expect.poll(counted).toEqual({ drawn: 0, put: 1, requested: 1 })
  expect(page.workers().filter(worker => worker.url().includes('still.worker')).length).toBe(1)
  await page.goBack()
  await open()
  await expect.poll(() => colorsOf(picture)).toBeGreaterThan(20)
  await expect.poll(counted).toEqual({ drawn: 0, put: 2, requested: 1 })
})
