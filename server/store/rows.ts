/** Rows of one statement: SQLite limits its parameters. */
const PART = 200

export const partsOf = <Row>(rows: readonly Row[]): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / PART) }, (_, at) => rows.slice(at * PART, (at + 1) * PART))
