import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { button, look, middle, pixelsPerAngstrom } from './molecule-view.ts'
import { expect, test } from './fixtures.ts'

test('a press in the sequence looks at a residue closely, and a link shows the same again, with the ghost [2.46]', async ({
  page,
  startTestNetwork,
}) => {
  await look(page, () => startTestNetwork({ machines: 0 }))
  const sequence = page.getByRole('listbox', { name: 'Sequence' })
  await expect(sequence).toHaveText('TTCCPSIVARSNFNVCRLPGTPEAICATYTGCIIIPGATCPGDYAN')
  const fitted = await pixelsPerAngstrom(page)
  await sequence.getByRole('option', { name: 'PHE 13' }).click()
  await expect(page.getByRole('main')).toContainText('PHE 13 chain 1')
  const near = await pixelsPerAngstrom(page)
  expect(near).toBeGreaterThan(fitted * 1.3)
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: (text: string) => Promise.resolve(Object.assign(globalThis, { copied: text })) },
    }),
  )
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const ghost = page.getByRole('menuitemcheckbox', { name: 'First frame as a ghost' })
  await button(page, /^Colors/).click()
  await ghost.click()
  await page.keyboard.press('Escape')
  await button(page, 'Save').click()
  await page.getByRole('menuitem', { name: 'Copy the link to this view' }).click()
  await expect(page.getByText('The link copied')).toBeAttached()
  await page.goto(await page.evaluate(() => (globalThis as unknown as { copied: string }).copied))
  await expect(sequence.getByRole('option', { selected: true })).toHaveAccessibleName('ASN 14')
  await expect(async () => expect(Math.abs((await pixelsPerAngstrom(page)) / near - 1)).toBeLessThan(0.1)).toPass()
  expect(await violations(page)).toEqual([])
  await button(page, /^Colors/).click()
  await expect(ghost).toBeChecked()
})

test('wheel, keys and a drag turn, move and zoom a molecule, and Home fits it [2.44]', async ({
  page,
  startTestNetwork,
}) => {
  await look(page, () => startTestNetwork({ machines: 0 }))
  const length = () => pixelsPerAngstrom(page)
  const fitted = await length()
  const { x, y } = await middle(page)
  await page.mouse.move(x, y)
  await page.mouse.wheel(0, -400)
  await expect(async () => expect(await length()).toBeGreaterThan(fitted * 1.2)).toPass()
  await page.keyboard.press('Home')
  await expect(async () => expect(Math.abs((await length()) / fitted - 1)).toBeLessThan(0.1)).toPass()
  await page.keyboard.press('ArrowDown')
  await expect(async () => expect(await length()).toBeLessThan(fitted * 1.01)).toPass()
  // As browsers tell of two fingers on a trackpad.
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -20)
  await page.keyboard.up('Control')
  await expect(async () => expect(await length()).toBeGreaterThan(fitted * 1.1)).toPass()
  await page.mouse.down()
  await page.mouse.move(x + 80, y + 30, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByText(/atom \d+ of/)).toHaveCount(0)
  await button(page, 'Full screen').click()
  await expect(button(page, 'Full screen')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('f')
  await expect(button(page, 'Full screen')).toHaveAttribute('aria-pressed', 'false')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true })

  test('all controls are within the page and large enough for a thumb, and a tap names an atom', async ({
    page,
    startTestNetwork,
  }) => {
    await look(page, () => startTestNetwork({ machines: 0 }))
    expect(await page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - innerWidth)).toBeLessThanOrEqual(0)
    const menu = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
    for (const name of [
      'Previous frame',
      'Next frame',
      'Play the trajectory',
      'Wiggle',
      'Rotate',
      'Fit the molecule',
      'Full screen',
      'Save',
    ]) {
      const box = await button(page, name).boundingBox()
      expect(box?.width, name).toBeGreaterThanOrEqual(40)
      expect(box?.height, name).toBeGreaterThanOrEqual(40)
      expect((box?.x ?? 0) + (box?.width ?? 999), name).toBeLessThanOrEqual(360)
      expect((box?.y ?? 0) + (box?.height ?? 999), name).toBeLessThanOrEqual(menu?.y ?? 0)
    }
    const { x, y } = await middle(page)
    await button(page, '1 Space-filling').tap()
    const named = page.getByText(/atom \d+ of/)
    // Across the chain, which lies upright: some tap is on it.
    for (let step = -8; step <= 8 && (await named.count()) === 0; step++) await page.touchscreen.tap(x + step * 6, y)
    await expect(named.first()).toBeVisible()
  })
})

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
    /Helix\s*\d\d.*Strand/,
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
