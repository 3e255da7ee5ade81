import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { chooseFromMenu, expectState, openTools } from './machines-view.ts'
import { expect, test } from './signed-in.ts'

function box(page: Page, name: string) {
  return page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
}
function bar(page: Page) {
  return page.getByRole('region', { name: 'Selection', exact: true })
}
function result(page: Page) {
  return page.getByRole('region', { name: 'Result of the action' })
}

/** The texts that a screen reader announces when they change, as the browser's accessibility tree has them. */
async function liveTexts(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const textOf = (id: string): string => {
    const node = nodes.find(({ nodeId }) => nodeId === id)
    return node?.role?.value === 'StaticText' ? String(node.name?.value) : (node?.childIds ?? []).map(textOf).join('')
  }
  return nodes.flatMap(({ nodeId, ignored, properties = [] }) =>
    !ignored && properties.some(({ name, value }) => name === 'live' && value.value === 'polite') ? textOf(nodeId) : [],
  )
}

test('machines are selected, paused after a preview, and fold again after Undo, by the keyboard alone; a setting changes on a phone [11.2]', async ({
  page,
  enter,
}) => {
  await enter({ machines: 3, uniform: true })
  await expectState(page, 'folder-0001', 'Folding')
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Select machines' }).press('Enter')
  await box(page, 'folder-0001').focus()
  await page.keyboard.press('Space')
  await expect(bar(page)).toContainText('1 machine selected')
  await bar(page).getByRole('button', { name: 'Select all (3)' }).press('Enter')
  await expect(bar(page)).toContainText('3 machines selected')

  await bar(page).getByRole('button', { name: 'Pause' }).press('Enter')
  const preview = page.getByRole('dialog', { name: 'Pause: 3 machines' })
  await expect(preview.getByRole('list', { name: 'Effects' })).toHaveText('3 changes')
  await expect(preview.getByRole('listitem').filter({ hasText: 'folder-0001' })).toContainText('folding → paused')
  expect(await violations(page)).toEqual([])
  await expect(preview.getByRole('button', { name: 'Pause (3)' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(result(page).getByRole('status')).toHaveText('Pause: 3 of 3 machines done')
  expect(await liveTexts(page)).toContain('Pause: 3 of 3 machines done')
  await expectState(page, 'folder-0001', 'Paused')

  await result(page).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(result(page).getByRole('button', { name: 'Undo' })).toBeFocused()
  await expectState(page, 'folder-0001', 'Folding')
  await expect(result(page)).toContainText('3 of 3 machines done')
  await result(page).getByRole('button', { name: 'Show machines' }).press('Enter')
  await expect(result(page).getByRole('listitem')).toHaveCount(3)
  await result(page).getByRole('button', { name: 'Close the result' }).press('Enter')
  await expect(result(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)

  await page.setViewportSize({ width: 360, height: 740 })
  await openTools(page)
  await chooseFromMenu(page, /^More$/, 'Select machines')
  await box(page, 'folder-0001').click({ force: true })
  await chooseFromMenu(page, 'More actions for the selected machines', 'Change settings…')
  const form = page.getByRole('dialog', { name: 'Change settings: 1 machine' })
  await expect(form.getByRole('button', { name: 'Preview' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
  await form.getByRole('button', { name: /Only When Idle/ }).click()
  await page.getByRole('option', { name: 'On', exact: true }).click()
  await form.getByRole('button', { name: 'Preview' }).click()
  const change = page.getByRole('dialog', { name: 'Change settings: 1 machine' })
  await expect(change.getByRole('list', { name: 'Effects' })).toHaveText('1 change')
  await expect(change.getByRole('listitem').filter({ hasText: 'folder-0001' })).toContainText('Only When Idle off → on')
  await change.getByRole('button', { name: /^Change settings/ }).click()
  await expect(result(page)).toContainText('Change settings: 1 of 1 machine done')
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
})
