/** A text for a cell of CSV of which spreadsheets run no line as a formula. */
export function guarded(text: string): string {
  return text.replaceAll(/^(?='*[=+\-@\t])/gm, "'")
}

/** The text that `guarded` was given. */
export function unguarded(cell: string): string {
  return cell.replaceAll(/^'(?='*[=+\-@\t])/gm, '')
}

/** Rows whose texts are guarded. */
export function guardedRows(rows: readonly object[]): Record<string, unknown>[] {
  return rows.map(row =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]: [string, unknown]) => [
        key,
        typeof value === 'string' ? guarded(value) : value,
      ]),
    ),
  )
}
