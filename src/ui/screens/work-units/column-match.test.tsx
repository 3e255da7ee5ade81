// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderScreen, startTestSystem } from '../../../../test/ui/test-system.tsx'
import { selectRows } from '../../../machines/units/history/history.selectors.ts'
import { HistoryNotes } from './history-notes.tsx'
import { HistoryTools } from './history-tools.tsx'

afterEach(cleanup)

const FILE = `Nr,Rig,Finished,Points
18201,Attic,2024-03-04 12:30,"150,000"
18202,Attic,soon,1
`

it('a file of another program has its columns matched, its lines named, is imported once, and taken back', async () => {
  const stage = startTestSystem()
  const { history } = stage.system
  const { container } = renderScreen(
    stage,
    <>
      <HistoryNotes />
      <HistoryTools view={{ filter: {}, sort: undefined }} count={0} total={0} />
    </>,
  )
  act(() => {
    history.send({ type: 'history.open' })
    history.send({ type: 'store.loaded', excerpt: { units: [], machines: [] }, cutOffs: {} })
  })
  const choose = async (): Promise<HTMLElement> => {
    const input = container.querySelector('input[type=file]')
    fireEvent.change(input ?? container, { target: { files: [new File([FILE], 'rigs.csv')] } })
    return screen.findByRole('dialog', { name: 'Columns of the file' }, { timeout: 20_000 })
  }
  const dialog = await choose()
  expect(within(dialog).getByText(/^Columns that are left out: .*Nr.*Rig/)).toBeTruthy()
  const match = async (field: RegExp, column: string): Promise<void> => {
    fireEvent.click(within(dialog).getByRole('button', { name: field }))
    fireEvent.click(await screen.findByRole('option', { name: column }))
  }
  await match(/Project$/, 'Nr')
  await match(/Machine$/, 'Rig')
  const lines = within(dialog).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    'Line 318202, Attic, soon, 1No time when it ended',
    'Line 218201, Attic, 2024-03-04 12:30, 150,000New',
  ])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Import 1 work unit' }))
  const names = () => selectRows(history.getSnapshot()).map(({ machine, project }) => `${machine} ${String(project)}`)
  await waitFor(() => expect(names()).toHaveLength(1), { timeout: 20_000 })
  expect(names()[0]).toContain('Attic')
  const again = await choose()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(again))
  fireEvent.click(within(again).getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(names()).toEqual([]))
})
