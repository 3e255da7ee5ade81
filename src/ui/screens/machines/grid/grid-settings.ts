import { useSelector } from '../../../hooks/use-selector.ts'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  defaultGridColumns,
  moveColumn,
  shownColumns,
  stepColumn,
  withColumnWidth,
  type GridColumns,
  type GridDensity,
  type ShownColumns,
} from '../../../../folding/fleet/fleet-view.ts'
import type { ColumnSort } from '../../../../folding/fleet/grid-order.ts'
import { selectFleetView } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { AT_ONCE, columnsOf, densityOf, sortsOf, withColumns, withDensity, withSorts } from '../view-params.ts'

export type GridSettings = {
  readonly shown: ShownColumns
  readonly widths: GridColumns['widths']
  readonly sorts: readonly ColumnSort[]
  readonly density: GridDensity | undefined
  readonly onSort: (sorts: readonly ColumnSort[]) => void
  readonly onDensity: (density: GridDensity) => void
  readonly onShow: (ids: readonly string[]) => void
  readonly onPin: (id: string, isPinned: boolean) => void
  readonly onMove: (id: string, before: string | undefined) => void
  readonly onStep: (id: string, step: -1 | 1) => void
  readonly onResize: (id: string, width: number | undefined, isFinal: boolean) => void
  readonly onReset: () => void
}

type Table = {
  readonly which: 'machineColumns' | 'unitColumns'
  /** Ids of all columns, of the default ones, and of the one that names a row. */
  readonly columnIds: readonly string[]
  readonly defaults: readonly string[]
  readonly first: string
}

/** How a grid is arranged: by the address, else as it was the last time. Changes are written to both. */
export function useGridSettings({ which, columnIds, defaults, first }: Table): GridSettings {
  const { preferences } = useSystem()
  const view = useSelector(preferences, selectFleetView)
  const [params, setParams] = useSearchParams()
  const [dragged, setDragged] = useState<GridColumns>()
  const columns = view[which]
  const asked = params.get('columns')
  const shown = useMemo(
    () => shownColumns(columns, columnIds, defaults, first, columnsOf(new URLSearchParams({ columns: asked ?? '' }))),
    [columns, columnIds, defaults, first, asked],
  )
  const sort = params.get('sort') ?? ''
  const sorts = useMemo(
    () => sortsOf(new URLSearchParams({ sort })).filter(({ column }) => columnIds.includes(column)),
    [sort, columnIds],
  )
  const change = (update: (now: URLSearchParams) => URLSearchParams): void => setParams(update, AT_ONCE)
  const keep = (next: GridColumns): void =>
    preferences.send({ type: 'preferences.change', change: { fleetView: { ...view, [which]: next } } })
  const onShow = (ids: readonly string[]): void => {
    keep({ ...columns, shown: ids })
    change(now => withColumns(now, ids))
  }
  return {
    shown,
    widths: (dragged ?? columns).widths,
    sorts,
    density: densityOf(params) ?? view.density,
    onSort: next => change(now => withSorts(now, next)),
    onDensity: density => {
      preferences.send({ type: 'preferences.change', change: { fleetView: { ...view, density } } })
      change(now => withDensity(now, density))
    },
    onShow,
    onPin: (id, isPinned) => {
      const pinned = shown.ids.slice(0, shown.pinned)
      keep({ ...columns, pinned: isPinned ? [...pinned, id] : pinned.filter(other => other !== id) })
    },
    onMove: (id, before) => onShow(moveColumn(shown.ids, id, before)),
    onStep: (id, step) => onShow(stepColumn(shown.ids, id, step)),
    onResize: (id, width, isFinal) => {
      const next = withColumnWidth(columns, id, width)
      setDragged(isFinal ? undefined : next)
      if (isFinal) keep(next)
    },
    onReset: () => {
      keep(defaultGridColumns)
      change(now => withColumns(now, undefined))
    },
  }
}
