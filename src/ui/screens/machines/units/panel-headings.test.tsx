// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { UnitSort } from '../../../../folding/unit/unit-rows.ts'
import { panelHeadings, type SortHeading } from './panel-headings.ts'
import { useSortedTable } from './sorted-table.ts'

afterEach(cleanup)

const columns = [
  { id: 'project', title: 'Project', align: 'start' },
  { id: 'ppd', title: 'PPD', align: 'end' },
] as const
type Column = (typeof columns)[number]

const NO_ROWS: readonly { readonly key: string }[] = []

/** What is shown, and the sorting after each press. */
type Step = { readonly sorted: readonly unknown[]; readonly sort: UnitSort | undefined }

function press(headings: readonly SortHeading<Column>[], id: string): void {
  return headings.find(({ column }) => column.id === id)?.toggle()
}

const presses = ['ppd', 'ppd', 'ppd', 'project', 'project', 'ppd', 'project', 'project', 'project', 'project']

it('sorts as the table library does, whatever is pressed', () => {
  const byLibrary: Step[] = []
  const ownSteps: Step[] = []
  let sort: UnitSort | undefined
  const { result, rerender } = renderHook(
    () =>
      useSortedTable({ columns, rows: NO_ROWS, keyOf: ({ key }) => key, sort, onSort: next => (sort = next) }).headings,
  )
  for (const id of presses) {
    act(() => press(result.current, id))
    rerender()
    byLibrary.push({ sorted: result.current.map(({ sorted }) => sorted), sort })
  }
  sort = undefined
  for (const id of presses) {
    press(
      panelHeadings<Column>(columns, sort, next => (sort = next)),
      id,
    )
    ownSteps.push({ sorted: panelHeadings<Column>(columns, sort, () => undefined).map(({ sorted }) => sorted), sort })
  }
  expect(ownSteps).toEqual(byLibrary)
  expect(new Set(ownSteps.map(({ sort: each }) => JSON.stringify(each))).size).toBe(5)
})
