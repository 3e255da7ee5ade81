// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { selectFleetView } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { renderScreen, START, startTestSystem } from '../../../../../test/ui/test-system.tsx'
import { MachinesScreen } from '../machines-screen.tsx'

// jsdom has no layout: the box is given a size, so that the grid has rows and columns in view.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(38)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function open(path: string, count = 40) {
  const testSystem = startTestSystem()
  testSystem.system.fleet.send({
    type: 'fleet.machinesListed',
    account: 'account',
    machines: Array.from({ length: count - 1 }, (_, index) => ({ id: `id${index}`, name: `Machine ${index}` })),
  })
  renderScreen(testSystem, <MachinesScreen />, path)
  const grid = await screen.findByRole('grid', { name: 'Machines' })
  return { grid, ...testSystem }
}

function names(grid: HTMLElement): readonly (string | null)[] {
  return within(grid)
    .getAllByRole('link')
    .map(link => link.textContent)
}

it('is the default with more than twelve clients, and says how many rows and columns there are', async () => {
  const { grid } = await open('/machines')
  expect(grid.getAttribute('aria-rowcount')).toBe('41')
  expect(grid.getAttribute('aria-colcount')).toBe('22')
  expect(within(grid).getAllByRole('row').length).toBeLessThan(40)
})

it('sorts by several columns, which are in the address and announced by the headings', async () => {
  const { grid } = await open('/machines?sort=-name&columns=state')
  expect(names(grid)[0]).toBe('Machine 38')
  const heading = within(grid).getByRole('columnheader', { name: /^Machine/ })
  expect(heading.getAttribute('aria-sort')).toBe('descending')
  fireEvent.click(within(heading).getByRole('button'))
  await waitFor(() => expect(heading.getAttribute('aria-sort')).toBe('none'))
  fireEvent.click(within(heading).getByRole('button'))
  await waitFor(() => expect(heading.getAttribute('aria-sort')).toBe('ascending'))
  await waitFor(() => expect(names(grid)[1]).toBe('Machine 0'))
})

it('shows the columns of the address, the name always', async () => {
  const { grid } = await open('/machines?columns=version,os')
  const headings = within(grid)
    .getAllByRole('columnheader')
    .map(heading => heading.textContent)
  expect(headings).toEqual(['', 'Open', 'Machine', 'Version', 'OS', 'Actions'])
})

it('moves and resizes columns by keys, and keeps that', async () => {
  const { grid, system } = await open('/machines?columns=name,version,os')
  const heading = (): HTMLElement => within(grid).getByRole('button', { name: 'OS' })
  fireEvent.keyDown(heading(), { key: 'ArrowLeft', ctrlKey: true, shiftKey: true })
  fireEvent.keyDown(heading(), { key: 'ArrowRight', shiftKey: true })
  const columns = () => selectFleetView(system.preferences.getSnapshot()).machineColumns
  await waitFor(() => expect(columns().shown).toEqual(['name', 'os', 'version']))
  expect(columns().widths['os']).toBeGreaterThan(100)
  expect(screen.getByText('OS moved to the left')).toBeTruthy()
})

it('selects by Space, ranges by Shift, and all that are shown by Ctrl+A', async () => {
  const { grid, system } = await open('/machines?sort=name&columns=state')
  const cell = (index: number): HTMLElement =>
    within(grid).getAllByRole('row')[index + 1]?.querySelector<HTMLElement>('[data-column="state"]') ?? grid
  act(() => cell(1).focus())
  fireEvent.keyDown(cell(1), { key: ' ' })
  fireEvent.keyDown(cell(1), { key: 'ArrowDown', shiftKey: true })
  await waitFor(() => expect(system.selection.getSnapshot().context.ids).toEqual(['id0', 'id1']))
  fireEvent.keyDown(cell(2), { key: 'a', ctrlKey: true })
  await waitFor(() => expect(system.selection.getSnapshot().context.ids).toHaveLength(40))
  fireEvent.keyDown(cell(2), { key: 'Escape' })
  await waitFor(() => expect(system.selection.getSnapshot().context.ids).toEqual([]))
})

it('has one cell in the order of the Tab key, which arrow keys move', async () => {
  const { grid } = await open('/machines?sort=name&columns=state')
  const stops = (): readonly (string | undefined)[] =>
    [...grid.querySelectorAll<HTMLElement>('[tabindex="0"]')].map(
      element => element.closest<HTMLElement>('[data-column]')?.dataset['column'],
    )
  expect(stops()).toEqual(['name'])
  const heading = within(grid).getByRole('button', { name: /^Machine/ })
  act(() => heading.focus())
  fireEvent.keyDown(heading, { key: 'ArrowDown' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe(names(grid)[0]))
  if (document.activeElement !== null) fireEvent.keyDown(document.activeElement, { key: 'ArrowRight' })
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset['column']).toBe('state'))
  expect(stops()).toEqual(['state'])
})

it('opens a row to its panel by Enter, and closes it again', async () => {
  const { grid } = await open('/machines?sort=name&columns=state')
  const cell = within(grid).getAllByRole('row')[1]?.querySelector<HTMLElement>('[data-column="state"]') ?? grid
  act(() => cell.focus())
  fireEvent.keyDown(cell, { key: 'Enter' })
  await waitFor(() => expect(grid.getAttribute('aria-rowcount')).toBe('42'))
  expect(within(grid).getAllByRole('region')).toHaveLength(1)
  fireEvent.keyDown(cell, { key: 'Enter' })
  await waitFor(() => expect(within(grid).queryAllByRole('region')).toHaveLength(0))
})

it('offers to fold, pause and finish from the menu of a row', async () => {
  const { grid } = await open('/machines?sort=name&columns=state')
  const [menu] = within(grid).getAllByRole('button', { name: /^Actions for/ })
  if (menu !== undefined) fireEvent.click(menu)
  const entries = (await screen.findAllByRole('menuitem')).map(entry => entry.firstChild?.nextSibling?.textContent)
  expect(entries.slice(0, 3).map(text => text?.replace(/The machine.*/, ''))).toEqual(['Fold', 'Pause', 'Finish'])
})

it('says beside the state how old a row is that is older than six seconds', async () => {
  const testSystem = await open('/machines?sort=name&columns=state')
  testSystem.receiveSnapshot({ info: { version: '8.5.7', id: 'abc' }, config: {}, groups: {}, units: [] })
  const state = () => within(testSystem.grid).getByText('Idle').parentElement?.textContent
  const date = (seconds: number): void =>
    act(() => testSystem.client().send({ type: 'link.dated', at: START, asOf: START - seconds * 1000 }))
  date(5)
  await waitFor(() => expect(state()).toBe('Idle'))
  date(7)
  await waitFor(() => expect(state()).toBe('Idle7 s ago'))
})

it('has the machines in view report first, and none when it is closed', async () => {
  const { grid, system } = await open('/machines?sort=name&columns=state')
  const watched = () =>
    Object.values(system.fleet.getSnapshot().context.members).filter(
      ({ ref }) => ref.getSnapshot().context.watchers > 0,
    ).length
  const shown = within(grid).getAllByRole('link').length
  await waitFor(() => expect(watched()).toBe(shown), { timeout: 3000 })
  cleanup()
  expect(watched()).toBe(0)
})
