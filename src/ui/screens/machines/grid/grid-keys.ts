/** The focused cell: its row, from 0, -1 for the headings; and its column, from 0. */
export type GridPlace = { readonly row: number; readonly column: number }

export type GridSize = {
  readonly rows: number
  readonly columns: number
  /** Rows in view. */
  readonly page: number
}

type Press = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean }

/** Where a key moves the focus in a grid, as the ARIA pattern defines; undefined for keys that do not. */
export function movedBy(
  { key, ctrlKey, metaKey }: Press,
  { row, column }: GridPlace,
  { rows, columns, page }: GridSize,
): GridPlace | undefined {
  const isFar = ctrlKey || metaKey
  const to = (nextRow: number, nextColumn: number): GridPlace => ({
    row: Math.min(rows - 1, Math.max(-1, nextRow)),
    column: Math.min(columns - 1, Math.max(0, nextColumn)),
  })
  switch (key) {
    case 'ArrowDown':
      return to(isFar ? rows - 1 : row + 1, column)
    case 'ArrowUp':
      return to(isFar ? 0 : row - 1, column)
    case 'ArrowRight':
      return to(row, isFar ? columns - 1 : column + 1)
    case 'ArrowLeft':
      return to(row, isFar ? 0 : column - 1)
    case 'Home':
      return to(isFar ? 0 : row, 0)
    case 'End':
      return to(isFar ? rows - 1 : row, columns - 1)
    case 'PageDown':
      return to(Math.max(0, row) + page, column)
    case 'PageUp':
      return to(Math.max(0, row - page), column)
    default:
      return undefined
  }
}
