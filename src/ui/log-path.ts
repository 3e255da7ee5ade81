import { pathPart } from '../folding/web-address.ts'
import { logQueryOfUnit } from '../folding/log-line.ts'

/** The address of a machine's log; with a unit's number, of what it says about that unit and about no other. */
export const logPath = (machine: string, unit?: unknown): string => {
  const query = logQueryOfUnit(unit)
  return `/${pathPart(machine)}/log${query === undefined ? '' : `?q=${query}`}`
}
