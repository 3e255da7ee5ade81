import type { DragEvent, FocusEvent, KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { movedBy } from './grid-keys.ts'
import type { HeldRows } from './use-row-order.ts'
import { isMirrored, readingKey } from '../../../parts/direction.ts'

/** Ids of the cells with controls. */
export const SELECT_CELL = '.select'
export const OPEN_CELL = '.open'
export const MENU_CELL = '.menu'

/** Which cell has or had the focus. `row` is undefined for the headings. */
export type ActiveCell = { readonly row: string | undefined; readonly column: string }

export type Selection = {
  readonly ids: ReadonlySet<string>
  readonly onToggle: (key: string) => void
  /** From the row selected last to this one, in this order. */
  readonly onExtend: (key: string, order: readonly string[]) => void
  readonly onAll: (keys: readonly string[]) => void
  readonly onClear: () => void
}

/** The cell that waits for the focus: it may be rendered only after scrolling. */
export function createFocusRequest() {
  let wanted: ActiveCell | undefined
  return {
    make: (cell: ActiveCell): void => {
      wanted = cell
    },
    wanted: (): ActiveCell | undefined => wanted,
    close: (): void => {
      wanted = undefined
    },
  }
}

/** What the events of a grid do. */
export type GridControl = {
  readonly keys: readonly string[]
  /** Ids of all cells of a row, those with controls included. */
  readonly cellIds: readonly string[]
  readonly columns: readonly {
    readonly id: string
    readonly title: string
    readonly size: number
    readonly toggleSort: (adds: boolean) => void
  }[]
  readonly active: ActiveCell
  /** Rows in view. */
  readonly page: number
  /** Scrolls to the cell and focuses it. */
  readonly moveTo: (cell: ActiveCell) => void
  readonly setActive: (cell: ActiveCell) => void
  readonly toggleOpen: (key: string) => void
  readonly press: (key: string) => void
  readonly openMenu: (key: string, trigger: HTMLElement) => void
  readonly selection: Selection | undefined
  readonly resize: (id: string, width: number | undefined, isFinal: boolean) => void
  readonly step: (id: string, step: -1 | 1) => void
  readonly move: (id: string, before: string | undefined) => void
  readonly held: HeldRows
}

const CELL = '[data-column]'
/** Elements with an own reaction to clicks and keys. */
const INTERACTIVE = '[role="menu"], a, button, input, select, textarea'

/** By one press of a key, in CSS pixels. */
const RESIZE_STEP = 16

type Target = {
  readonly element: HTMLElement
  readonly cell: HTMLElement
  readonly column: string
  /** Undefined in the headings. */
  readonly row: string | undefined
  readonly action: string | undefined
}

/** Where in the grid an event happened; undefined outside its cells and in what an open row shows. */
function targetOf({ target }: { readonly target: EventTarget }): Target | undefined {
  if (!(target instanceof Element) || target.closest('[data-detail]') !== null) return undefined
  const cell = target.closest<HTMLElement>(CELL)
  const column = cell?.dataset['column']
  if (cell === null || column === undefined) return undefined
  const action = target.closest<HTMLElement>('[data-action]')
  return {
    element: action ?? cell,
    cell,
    column,
    row: cell.closest<HTMLElement>('[data-key]')?.dataset['key'],
    action: action?.dataset['action'],
  }
}

function toggleSelected({ selection, keys }: GridControl, row: string, isRange: boolean): void {
  if (isRange) selection?.onExtend(row, keys)
  else selection?.onToggle(row)
}

function toggleAll({ selection, keys }: GridControl): void {
  if (selection === undefined) return
  if (keys.length > 0 && keys.every(key => selection.ids.has(key))) selection.onClear()
  else selection.onAll(keys)
}

function onClick(control: GridControl, event: MouseEvent): void {
  const found = targetOf(event)
  if (found === undefined) return
  const { action, row, column, element } = found
  if (action === 'sort') control.columns.find(({ id }) => id === column)?.toggleSort(event.shiftKey)
  if (action === 'select-all') toggleAll(control)
  if (row === undefined) return
  if (action === 'open') control.toggleOpen(row)
  else if (action === 'menu') control.openMenu(row, element)
  else if (action === 'select') toggleSelected(control, row, event.shiftKey)
  else if ((event.target as Element).closest(INTERACTIVE) === null) {
    if (control.selection !== undefined && (event.shiftKey || event.ctrlKey || event.metaKey))
      toggleSelected(control, row, event.shiftKey)
    // The end of selecting text is a click as well.
    else if (window.getSelection()?.isCollapsed !== false) control.press(row)
  }
}

function onHeadingKey(control: GridControl, event: KeyboardEvent, id: string): boolean {
  const column = control.columns.find(other => other.id === id)
  if (column === undefined) return false
  const key = readingKey(event.key, event.currentTarget)
  const step = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : undefined
  if (step !== undefined && event.shiftKey) {
    if (event.ctrlKey || event.metaKey) control.step(id, step)
    else control.resize(id, column.size + step * RESIZE_STEP, true)
    return true
  }
  if (event.key !== 'Enter' || !event.shiftKey) return false
  column.toggleSort(true)
  return true
}

function onRowKey(control: GridControl, event: KeyboardEvent, row: string, isWidget: boolean): boolean {
  if (event.key === 'Enter' && !isWidget) control.toggleOpen(row)
  else if (event.key === ' ' && !isWidget && control.selection !== undefined)
    toggleSelected(control, row, event.shiftKey)
  else if (
    (event.key === 'a' || event.key === 'A') &&
    (event.ctrlKey || event.metaKey) &&
    control.selection !== undefined
  )
    control.selection.onAll(control.keys)
  else if (event.key === 'Escape' && (control.selection?.ids.size ?? 0) > 0) control.selection?.onClear()
  else return false
  return true
}

function onKeyDown(control: GridControl, event: KeyboardEvent): void {
  if (event.key === 'Escape' && event.target instanceof Element) {
    // From what an open row shows back to the row.
    const detail = event.target.closest<HTMLElement>('[data-detail]')?.dataset['detail']
    if (detail !== undefined && !event.defaultPrevented) control.moveTo({ row: detail, column: OPEN_CELL })
  }
  const found = targetOf(event)
  if (found === undefined || event.altKey) return
  const { row, column } = found
  const isWidget = (event.target as Element).closest(INTERACTIVE) !== null
  const isDone = row === undefined ? onHeadingKey(control, event, column) : onRowKey(control, event, row, isWidget)
  if (isDone) return event.preventDefault()
  const { keys, cellIds, page } = control
  const place = { row: row === undefined ? -1 : keys.indexOf(row), column: cellIds.indexOf(column) }
  const { ctrlKey, metaKey } = event
  const press = { key: readingKey(event.key, event.currentTarget), ctrlKey, metaKey }
  const next = movedBy(press, place, { rows: keys.length, columns: cellIds.length, page })
  if (next === undefined) return
  event.preventDefault()
  const key = next.row < 0 ? undefined : keys[next.row]
  control.moveTo({ row: key, column: cellIds[next.column] ?? column })
  if (event.shiftKey && key !== undefined && (event.key === 'ArrowDown' || event.key === 'ArrowUp'))
    control.selection?.onExtend(key, keys)
}

function onFocus(control: GridControl, event: FocusEvent): void {
  const found = targetOf(event)
  if (found === undefined) return
  const { row, column } = found
  control.held.focused = row
  if (row !== control.active.row || column !== control.active.column) control.setActive({ row, column })
}

function onPointerDown(control: GridControl, event: PointerEvent): void {
  const found = targetOf(event)
  if (found?.action !== 'resize' || event.button !== 0) return
  const { column, element } = found
  const size = control.columns.find(({ id }) => id === column)?.size ?? 0
  const from = event.clientX
  const sign = isMirrored(element) ? -1 : 1
  event.preventDefault()
  element.setPointerCapture(event.pointerId)
  const widthAt = (x: number): number => size + sign * (x - from)
  const onMove = ({ clientX }: globalThis.PointerEvent): void => control.resize(column, widthAt(clientX), false)
  const onEnd = ({ clientX }: globalThis.PointerEvent): void => {
    element.removeEventListener('pointermove', onMove)
    control.resize(column, widthAt(clientX), true)
  }
  element.addEventListener('pointermove', onMove)
  element.addEventListener('pointerup', onEnd, { once: true })
}

const DRAG_TYPE = 'application/x-foldboard-column'

/** One set of handlers for all cells: a handler for each cell of each row would cost more than the cells. */
export function eventHandlers(control: () => GridControl) {
  return {
    onClick: (event: MouseEvent) => onClick(control(), event),
    onDoubleClick: (event: MouseEvent) => {
      const found = targetOf(event)
      if (found?.action === 'resize') control().resize(found.column, undefined, true)
    },
    onKeyDown: (event: KeyboardEvent) => onKeyDown(control(), event),
    onFocus: (event: FocusEvent) => onFocus(control(), event),
    onBlur: () => {
      control().held.focused = undefined
    },
    onPointerOver: (event: PointerEvent) => {
      control().held.pointed = targetOf(event)?.row
    },
    onPointerLeave: () => {
      control().held.pointed = undefined
    },
    onPointerDown: (event: PointerEvent) => onPointerDown(control(), event),
    onDragStart: (event: DragEvent) => {
      const found = targetOf(event)
      if (found?.action === 'sort') event.dataTransfer.setData(DRAG_TYPE, found.column)
    },
    onDragOver: (event: DragEvent) => {
      const found = targetOf(event)
      if (found !== undefined && found.row === undefined && event.dataTransfer.types.includes(DRAG_TYPE))
        event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const found = targetOf(event)
      const dragged = event.dataTransfer.getData(DRAG_TYPE)
      if (found === undefined || found.row !== undefined || dragged === '') return
      event.preventDefault()
      const { columns, move } = control()
      const ids = columns.map(({ id }) => id)
      const { left, width } = found.cell.getBoundingClientRect()
      const isAfter = event.clientX > left + width / 2 !== isMirrored(found.cell)
      move(dragged, isAfter ? ids[ids.indexOf(found.column) + 1] : found.column)
    },
  }
}
