/*
 * Figures of power as CSV, for spreadsheets. Column titles are English in every locale, as those of the exported history.
 */
import { guardedRows } from '../shared/formulas.ts'
import Papa from 'papaparse'
import { isPriced, pointsPerKwh, pointsPerMoney } from './energy.ts'
import type { PartKind, PowerUser } from './fleet-energy.ts'
import { hasPrice, type Tariffs } from './power.ts'

export type UserKind = 'machine' | 'tag' | PartKind

const TITLES: Readonly<Record<UserKind, string>> = {
  machine: 'Machine',
  tag: 'Tag',
  group: 'Group',
  gpu: 'GPU',
  project: 'Project',
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(3))
}

/** A line for each user. What is not known is left empty. */
export function writePowerCsv(kind: UserKind, users: readonly PowerUser[], tariffs: Tariffs | undefined): string {
  const rows = users.map(({ name, now, used }) => {
    const isKnown = used.seconds > 0
    return {
      [TITLES[kind]]: name,
      'Watts now': rounded(now.watts),
      'Origin of watts': now.watts === undefined ? undefined : now.origin,
      kWh: isKnown ? rounded(used.wattHours / 1000) : undefined,
      'Origin of kWh': used.origin ?? undefined,
      Points: isKnown ? Math.round(used.points) : undefined,
      'Points/kWh': rounded(pointsPerKwh(used)),
      ...(hasPrice(tariffs)
        ? {
            Cost: isKnown && isPriced(used) ? rounded(used.cost) : undefined,
            Currency: tariffs.currency,
            'Points/Currency': rounded(pointsPerMoney(used)),
          }
        : {}),
    }
  })
  // Names come from the machines: a spreadsheet must not take them for formulas.
  return Papa.unparse(guardedRows(rows), { newline: '\r\n' })
}
