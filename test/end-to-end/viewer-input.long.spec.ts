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
