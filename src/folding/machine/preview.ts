/*
 * What the screen of machines shows of the only one, as texts: enough to show it before the page's own code runs.
 */
import type { ClientData, Unit } from '../../protocol/client-data.ts'
import type { StateTone } from '../shared/appearance.ts'
import { formatNumber, formatPercent, formatPoints } from '../shared/format.ts'
import { columnSizes, type ColumnSizes } from '../unit/column-grid.ts'
import { columnsFor, SMALL_WIDTH } from '../unit/column-sets.ts'
import { etaText, gpuText, isMoving, progressOf, statusOf, tpfText, unitNotice } from '../unit/unit-cells.ts'
import type { UnitContext } from '../unit/unit-column.ts'
import { statusAppearance } from '../unit/unit-status.ts'
import { clientBadges } from './badges.ts'
import { clientName, clientResources, clientTitle, DIRECT_ID, isTooOld, unitsOf, type ClientView } from './client.ts'
import { groupNames, groupProblem, groupsOf } from './group.ts'
import { shortResources } from './resources.ts'
import { clientSummary } from './summary.ts'
import { unitCounts } from './unit-counts.ts'

/** Texts by the name of the place where they are shown; a place without a text is left out. */
type Slots = Readonly<Record<string, string | undefined>>

export type UnitPreview = {
  /** The texts of its columns by their ids, and `status`, `percent`, `eta`, `tpf`, `gpu`. */
  readonly slots: Slots
  /** Ids of columns whose values are outdated. */
  readonly stale: readonly string[]
  readonly tone: StateTone
  readonly isMoving: boolean
  /** From 0 to 1; undefined when unknown. */
  readonly share: number | undefined
}

export type MachinePreview = {
  /** `clients`, `cpus`, `gpus` and `total` of the summary; `name`, `resources`, `version`, `title` and `ppd` of the machine. */
  readonly slots: Slots
  readonly states: readonly { readonly text: string; readonly tone: StateTone }[]
  /** Ids; `actions` and `more` are those of the row's buttons. */
  readonly columns: readonly string[]
  readonly sizes: ColumnSizes
  readonly units: readonly UnitPreview[]
}

/**
 * The preview of a direct client; undefined where its panel shows more than that: several groups, badges, failures, notices.
 *
 * @param address `host:port`
 * @param width of the window, in CSS pixels
 * @param now epoch milliseconds
 */
export const machinePreview = (
  data: ClientData,
  { address, width, now }: { readonly address: string; readonly width: number; readonly now: number },
): MachinePreview | undefined => {
  const client: ClientView = { id: DIRECT_ID, isDirect: true, address, isConnected: true, data }
  const groups = groupsOf(data)
  const [group, ...others] = groupNames(groups)
  const units = unitsOf(data)
  const isPlain =
    group === '' &&
    others.length === 0 &&
    groupProblem(groups[group]) === 'none' &&
    units.length > 0 &&
    units.every(unit => (unit.group ?? '') === '' && unitNotice(unit, { data, now }) === undefined) &&
    clientBadges(client, { now }).length === 0 &&
    !isTooOld(client)
  if (!isPlain) return undefined
  const name = clientName(client)
  const title = clientTitle(client)
  const summary = clientSummary(client, now)
  const columns = columnsFor(width)
  const context: UnitContext = { machine: name, data, now }
  return {
    slots: {
      clients: formatNumber(summary.clients),
      cpus: formatNumber(summary.cpus),
      gpus: formatNumber(summary.gpus),
      total: formatPoints(summary.ppd),
      name,
      resources: shortResources(clientResources(data)),
      version: `v${data.info.version ?? ''}`,
      title: title === name ? undefined : title,
      ppd: formatPoints(summary.ppd),
    },
    states: unitCounts(summary).map(({ label, tone }) => ({ text: label, tone })),
    columns: [...columns.map(({ id }) => id), 'actions', ...(width <= SMALL_WIDTH ? ['more'] : [])],
    sizes: columnSizes(columns),
    units: units.map(unit => unitPreview(unit, context, columns)),
  }
}

const unitPreview = (unit: Unit, context: UnitContext, columns: ReturnType<typeof columnsFor>): UnitPreview => {
  const { label, tone } = statusAppearance(statusOf(unit, context))
  const share = progressOf(unit, context)
  return {
    slots: {
      ...Object.fromEntries(columns.map(column => [column.id, column.text(unit, context)])),
      status: label,
      percent: formatPercent(share),
      eta: etaText(unit, context) ?? '',
      tpf: tpfText(unit, context) ?? '',
      gpu: gpuText(unit, context),
    },
    stale: columns.filter(({ isStale }) => isStale?.(unit, context)).map(({ id }) => id),
    tone,
    isMoving: isMoving(unit, context),
    share,
  }
}
