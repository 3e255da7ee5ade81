import { isSetBack, type Moment, type UnitRecord } from './unit-record.ts'

/** A line of the table of a record. */
export type RecordRow = {
  readonly at: number
  /** Undefined while it was not seen. */
  readonly moment: Moment | undefined
  /** The progress before work was lost. */
  readonly lostFrom?: number
}

/** Rows in which nothing happened, about. */
const QUIET_ROWS = 24

/** What happened, with some moments between, newest first. */
export function recordRows({ moments }: Pick<UnitRecord, 'moments'>): readonly RecordRow[] {
  const [first, last] = [moments[0], moments.at(-1)]
  if (first === undefined || last === undefined) return []
  const step = (last.at - first.at) / QUIET_ROWS
  const rows: RecordRow[] = []
  moments.forEach((moment, at) => {
    const before = moments[at - 1]
    if (before !== undefined && moment.isAfterGap === true) rows.push({ at: before.at, moment: undefined })
    const isLost = before?.progress !== undefined && isSetBack(before, moment)
    const isNews = before === undefined || moment === last || isLost || moment.isAfterGap === true
    if (isNews || before.status !== moment.status || moment.at - (rows.at(-1)?.at ?? 0) >= step)
      rows.push({ at: moment.at, moment, ...(isLost ? { lostFrom: before.progress } : {}) })
  })
  return rows.reverse()
}
