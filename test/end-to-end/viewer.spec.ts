import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { button, look, middle } from './molecule-view.ts'
import { expect, test } from './fixtures.ts'

/** Presses here and there along the middle, until an atom is hit. */
async function chooseAtom(page: Page, from: number): Promise<void> {
  const { y, x, width } = await middle(page)
  const before = await page.getByText(/atom [\d,]+ of/).count()
  await expect(async () => {
    for (let step = 0; step < 12; step++) {
      await page.mouse.click(x + width * from + step * 3, y + (step % 5) * 6 - 12)
      if ((await page.getByText(/atom [\d,]+ of/).count()) > before) return
    }
    throw new Error('No atom was hit.')
  }).toPass()
}

test('what a machine sends can be measured, colored and saved [2.43]', async ({ page, startTestNetwork }) => {
  await look(page, () => startTestNetwork({ machines: 0 }))
  const main = page.getByRole('main')
  await expect(main).toContainText(/Project 18420 642 atoms · .*\d%/)
  await page.keyboard.press('l')
  await expect(page.getByRole('region', { name: 'Legend: from N to C' })).toContainText('First residue')
  await expect(page.getByRole('group', { name: 'Style' }).getByRole('button')).toHaveText(['1', '2', '3', '4', '5'])
  await button(page, '1 Space-filling').click()
  await chooseAtom(page, -0.2)
  await chooseAtom(page, 0.1)
  await expect(main).toContainText(/Distance \d+\.\d\d Å/)
  await chooseAtom(page, 0)
  await expect(main).toContainText(/Angle \d+\.\d°/)
  expect(await violations(page)).toEqual([])
  await button(page, 'Clear selection').click()
  await expect(main).not.toContainText('Angle')

  await button(page, /^Colors/).click()
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('menuitemcheckbox', { name: 'By element' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'By secondary structure' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Legend: by secondary structure' })).toContainText(
    /Helix\s*2\d.*Strand/,
  )

  const saved = async (entry: string): Promise<readonly [name: string, text: string]> => {
    const coming = page.waitForEvent('download')
    await button(page, 'Save').click()
    await page.getByRole('menuitem', { name: entry }).click()
    const file = await coming
    return [file.suggestedFilename(), await readFile(await file.path(), 'latin1')]
  }
  const [pdbName, pdb] = await saved('This frame as PDB')
  expect(pdbName).toEqual(expect.stringMatching(/^project-18420-\d+-\d+-\d+-frame\.pdb$/))
  expect(pdb.match(/^ATOM {2}/gm)?.length).toBe(642)
  const [, trajectory] = await saved('All frames as XYZ')
  // A unit that goes on has more frames later.
  const frames = trajectory.match(/^642$/gm)?.length ?? 0
  expect(frames).toBeGreaterThanOrEqual(30)
  const [, cif] = await saved('All frames as mmCIF')
  expect((cif.match(/^ATOM /gm)?.length ?? 0) / 642).toBeGreaterThanOrEqual(frames)
  const [pngName, png] = await saved('Picture as PNG')
  expect(pngName).toEqual(expect.stringMatching(/\.png$/))
  expect(png.slice(1, 4)).toBe('PNG')
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'VideoEncoder'))
  await button(page, 'Save').click()
  await page.getByRole('menuitem', { name: 'Video of a turn' }).click()
  const video = page.getByRole('group', { name: 'Video' })
  await expect(video.getByRole('progressbar')).toBeVisible()
  expect(await page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(false)
  await expect(video).toContainText(/its pictures come in a ZIP file.*About .+ left/)
  await video.getByRole('button', { name: 'Cancel' }).click()
  await expect(video).toHaveCount(0)
})

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
