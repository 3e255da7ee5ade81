import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  CELL_SIZES,
  mapGroups,
  mapLayout,
  stateCounts,
  type CellSize,
  type MapGroup,
  type MapGrouping,
} from '../../../../folding/fleet/fleet-map.ts'
import { clientStatusAppearance, type ClientFacts } from '../../../../folding/fleet/client-facts.ts'
import { formatNumber } from '../../../../folding/text/format.ts'
import { selectSelectedSet } from '../../../../machines/fleet/selection/selection.selectors.ts'
import { IconButton } from '../../../parts/actions/button.tsx'
import { Segments, type Segment } from '../../../parts/actions/segments.tsx'
import { ChartTable } from '../../../parts/charts/chart-table.tsx'
import { useFleetFacts } from '../../../hooks/use-fleet-facts.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import styles from './fleet-map.module.css'
import { MapCanvas } from './map-canvas.tsx'
import { StateMark } from './map-marks.tsx'
import { mapChoiceOf, withMapChoice, type MapChoice } from './map-params.ts'

const groupings: readonly Segment<MapGrouping>[] = [
  { id: 'none', label: t({ message: 'All', context: 'machines' }) },
  { id: 'state', label: t`State` },
  { id: 'tag', label: t`Tag` },
  { id: 'version', label: t`Version` },
  { id: 'os', label: t`OS` },
  { id: 'gpu', label: t`GPU` },
]

/** The largest size in which this many clients are seen at a glance. */
function sizeFor(count: number): CellSize {
  return count <= 250 ? 'large' : count <= 1200 ? 'medium' : 'small'
}

const sizeNames: Readonly<Record<CellSize, string>> = {
  small: t`Small cells`,
  medium: t`Medium cells`,
  large: t`Large cells`,
  named: t`Cells with names`,
}

/** The next size in a direction; undefined at the end. */
function nextSize(size: CellSize, direction: 1 | -1): CellSize | undefined {
  return CELL_SIZES[CELL_SIZES.indexOf(size) + direction]
}

/** What the marks mean, with the number of clients in each state. */
function Legend({ clients }: { readonly clients: readonly ClientFacts[] }) {
  return (
    <ul className={styles['legend']} aria-label={t`Machines by state`}>
      {stateCounts(clients).map(({ state, count }) => (
        <li key={state}>
          <StateMark state={state} />
          {clientStatusAppearance(state).label} <strong>{formatNumber(count)}</strong>
        </li>
      ))}
    </ul>
  )
}

function GroupTable({ groups }: { readonly groups: readonly MapGroup[] }) {
  const states = stateCounts(groups.flatMap(({ machines: clients }) => clients)).map(({ state }) => state)
  return (
    <ChartTable
      label={t`Machines of each group by state`}
      columns={[t`Group`, t`Machines`, ...states.map(state => clientStatusAppearance(state).label)]}
      rows={groups.map(({ key, label, machines: clients }) => {
        const counts = new Map(stateCounts(clients).map(({ state, count }) => [state, count]))
        return {
          key,
          cells: [label, formatNumber(clients.length), ...states.map(state => formatNumber(counts.get(state) ?? 0))],
        }
      })}
    />
  )
}

/** The width of an element, CSS pixels; 0 until it is known. */
function useWidth() {
  const host = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const measure = (): void => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { host, width }
}

/** A map of the clients: one cell each, marked by state, in groups. Grouping and size of cells are in the address. */
export function FleetMap({ ids }: { readonly ids: readonly string[] }) {
  const { selection } = useSystem()
  const [params, setParams] = useSearchParams()
  const choice = mapChoiceOf(params)
  const facts = useFleetFacts(ids)
  const selected = useSelector(selection, selectSelectedSet)
  const { host, width } = useWidth()
  const { grouping } = choice
  const size = choice.size ?? sizeFor(ids.length)
  const groups = useMemo(() => mapGroups(facts, grouping), [facts, grouping])
  const clients = useMemo(() => groups.flatMap(group => group.machines), [groups])
  // The layout stays the same object while no group grows or shrinks.
  const counts = groups.map(group => group.machines.length).join(' ')
  const layout = useMemo(
    () => mapLayout(counts === '' ? [] : counts.split(' ').map(Number), size, width),
    [counts, size, width],
  )
  const choose = (change: Partial<MapChoice>): void =>
    setParams(now => withMapChoice(now, { ...mapChoiceOf(now), ...change }), {
      replace: true,
      preventScrollReset: true,
    })
  const zoom = (direction: 1 | -1): void => {
    const next = nextSize(size, direction)
    if (next !== undefined) choose({ size: next })
  }
  return (
    <section className={styles['map']} aria-label={t`Map of the machines`}>
      <div className={styles['tools']}>
        <Segments
          label={t`Group the machines by`}
          segments={groupings}
          value={grouping}
          onChange={next => choose({ grouping: next })}
        />
        <div className="line gap-1" role="group" aria-label={t`Size of cells`}>
          <IconButton
            icon="minus"
            label={t`Smaller cells`}
            blockedBecause={nextSize(size, -1) === undefined ? t`The cells are as small as possible.` : undefined}
            onPress={() => zoom(-1)}
          />
          <span role="status" className={styles['size']}>
            {sizeNames[size]}
          </span>
          <IconButton
            icon="plus"
            label={t`Larger cells`}
            blockedBecause={nextSize(size, 1) === undefined ? t`The cells are as large as possible.` : undefined}
            onPress={() => zoom(1)}
          />
        </div>
      </div>
      <Legend clients={clients} />
      <div ref={host} className="shrink">
        {width === 0 ? undefined : (
          <MapCanvas
            layout={layout}
            groups={groups}
            clients={clients}
            selected={selected}
            width={width}
            isGrouped={grouping !== 'none'}
            onZoom={zoom}
          />
        )}
      </div>
      <GroupTable groups={groups} />
    </section>
  )
}
