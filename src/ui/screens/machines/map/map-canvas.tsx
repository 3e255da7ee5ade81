import { t } from '@lingui/core/macro'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { Link, useNavigate } from 'react-router-dom'
import {
  cellAt,
  cellsOfRow,
  cellText,
  movedFrom,
  placeOf,
  type MapGroup,
  type MapLayout,
  type MapMove,
} from '../../../../folding/fleet/fleet-map.ts'
import { clientStatusAppearance, riskAppearance, type ClientFacts } from '../../../../folding/fleet/client-facts.ts'
import { shareOfUsual, shareText } from '../../../../folding/fleet/ppd-history.ts'
import { formatList, formatNumber, formatPoints } from '../../../../folding/text/format.ts'
import { formatRelative } from '../../../../folding/text/times.ts'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import { useClock, useSystem } from '../../../hooks/system-context.ts'
import { useTheme } from '../../viewer/use-theme.ts'
import styles from './fleet-map.module.css'
import { createMapPainter, type MapPainter } from './map-painter.ts'
import { isRightToLeft } from '../../../../folding/text/direction.ts'
import { readingKey } from '../../../parts/direction.ts'

type Props = {
  readonly layout: MapLayout
  readonly groups: readonly MapGroup[]
  /** Of all groups, in the order of the layout. */
  readonly clients: readonly ClientFacts[]
  readonly selected: ReadonlySet<string>
  /** CSS pixels. */
  readonly width: number
  /** Whether cells say which group they are in. */
  readonly isGrouped: boolean
  readonly onZoom: (direction: 1 | -1) => void
}

const MOVES: Readonly<Record<string, MapMove>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'rowStart',
  End: 'rowEnd',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
}

const FAR_MOVES: Readonly<Record<string, MapMove>> = { Home: 'first', End: 'last' }

/** A distance from the side at which rows begin. */
function across(distance: number): number {
  return isRightToLeft() ? -distance : distance
}

/** Where a client's cell leads. */
function pageOf({ id }: ClientFacts): string {
  return `/${pathPart(id)}`
}

/** Headings that are rendered beyond the part in view, CSS pixels. */
const MARGIN = 400
const CARD_WIDTH = 264
/** A map lower than this has no room for a card, and needs no scrolling. CSS pixels. */
const LOW = 240
const MINUTE = 60_000

type CardProps = {
  readonly id: string
  readonly client: ClientFacts
  readonly layout: MapLayout
  readonly index: number
  readonly width: number
  /** Whether it can be used, after a touch; otherwise it lets the pointer through. */
  readonly isTouched: boolean
}

/** What is known about the client under the pointer or the focus. */
function Card({ id, client, layout, index, width, isTouched }: CardProps) {
  const now = useClock(at => Math.floor(at / MINUTE)) * MINUTE
  const place = placeOf(layout, index)
  if (place === undefined) return null
  const look = clientStatusAppearance(client.state)
  const risk = riskAppearance(client.deadlineRisk)
  const left = Math.max(0, Math.min(place.left, width - CARD_WIDTH))
  const below = place.top + layout.cell.height + 6
  const isAbove = below + 150 > layout.height && place.top > 150
  const units = formatNumber(client.unitCount)
  const share = shareOfUsual(client)
  const [os, version] = [client.os ?? '', client.version ?? '']
  return (
    <div
      id={id}
      role="tooltip"
      className={styles['card']}
      data-touched={isTouched}
      style={{
        inlineSize: Math.min(CARD_WIDTH, width),
        transform: isAbove
          ? `translate(${across(left)}px, ${place.top - 6}px) translateY(-100%)`
          : `translate(${across(left)}px, ${below}px)`,
      }}
    >
      <strong className="type-3">
        <bdi>{client.name}</bdi>
      </strong>
      <StatusMark icon={look.icon} tone={look.tone} text={look.label} />
      {risk === undefined ? undefined : <StatusMark icon={risk.icon} tone={risk.tone} text={risk.label} />}
      {client.isConnected ? (
        <span>
          {formatPoints(client.ppd)} PPD
          {share === undefined ? '' : t`, ${shareText(share)} of usual`}
        </span>
      ) : undefined}
      <span>
        {t`Work units: ${units}`}
        {client.nextFinish === undefined ? '' : t`, next finish ${formatRelative(client.nextFinish, now)}`}
      </span>
      {client.offlineSince === undefined ? undefined : (
        <span>{t`Last heard ${formatRelative(client.offlineSince, now)}`}</span>
      )}
      {client.gpus.length === 0 ? undefined : <bdi>{formatList(client.gpus)}</bdi>}
      {os === '' && version === '' ? undefined : <span>{formatList([os, version].filter(text => text !== ''))}</span>}
      {client.tags.length === 0 ? undefined : <bdi>{formatList(client.tags)}</bdi>}
      {isTouched ? (
        <Link
          to={pageOf(client)}
          className="inline-flex align-center row-high accent type-3"
        >{t`Open the machine`}</Link>
      ) : undefined}
    </div>
  )
}

type TwinProps = Pick<Props, 'layout' | 'groups' | 'clients' | 'selected' | 'isGrouped'> & {
  readonly prefix: string
  readonly active: number
  readonly cardId: string
  readonly onOpen: (index: number) => void
}

/** For screen readers: the row of the active cell and those next to it, as cells over the picture. */
function Twin({ layout, groups, clients, selected, isGrouped, prefix, active, cardId, onOpen }: TwinProps) {
  const row = placeOf(layout, active)?.row ?? 0
  return [row - 1, row, row + 1].map(each => {
    const cells = each < 0 ? undefined : cellsOfRow(layout, each)
    const start = cells === undefined ? undefined : placeOf(layout, cells.first)
    if (cells === undefined || start === undefined) return undefined
    const group = groups[cells.group]?.label ?? ''
    const shown = clients.slice(cells.first, cells.end)
    return (
      <div
        key={each}
        role="row"
        aria-rowindex={each + 1}
        className={styles['twinRow']}
        style={{ transform: `translateY(${start.top}px)`, blockSize: layout.cell.height }}
      >
        {shown.map((client, column) => {
          const index = cells.first + column
          const text = cellText(client)
          return (
            <span
              key={client.id}
              id={`${prefix}${index}`}
              role="gridcell"
              aria-colindex={column + 1}
              aria-selected={selected.has(client.id)}
              aria-label={isGrouped ? t`${text}, in ${group}` : text}
              {...(index === active ? { 'aria-describedby': cardId } : {})}
              onClick={event => {
                event.stopPropagation()
                onOpen(index)
              }}
            />
          )
        })}
      </div>
    )
  })
}

/** The headings of the groups near the part in view. `top`: how far the map is scrolled. */
function Headings({ layout, groups, top, height }: Pick<Props, 'layout' | 'groups'> & View) {
  return groups.map(({ key, label, machines: clients }, index) => {
    const placed = layout.groups[index]
    if (placed === undefined || placed.top > top + height + MARGIN || placed.cellsTop < top - MARGIN) return undefined
    return (
      <h2 key={key} className={styles['heading']} style={{ transform: `translateY(${placed.top}px)` }}>
        <bdi>{label}</bdi> <span>{formatNumber(clients.length)}</span>
      </h2>
    )
  })
}

type View = { readonly top: number; readonly height: number }

/** The part of the scrolling box that is in view, in steps, so that scrolling renders rarely. */
const STEP = 200

function viewOf(box: HTMLElement): View {
  return {
    top: Math.floor(box.scrollTop / STEP) * STEP,
    height: box.clientHeight,
  }
}

function isSameView(a: View, b: View): boolean {
  return a.top === b.top && a.height === b.height
}

/** The cells on a canvas that shows the part in view, with keyboard, pointer and a twin for screen readers. */
export function MapCanvas({ layout, groups, clients, selected, width, isGrouped, onZoom }: Props) {
  const { selection } = useSystem()
  const navigate = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const painter = useRef<MapPainter>(undefined)
  const prefix = useId()
  const cardId = useId()
  const [view, setView] = useState<View>({ top: 0, height: 0 })
  const [activeId, setActiveId] = useState<string>()
  const [hovered, setHovered] = useState<number>()
  const [isFocused, setFocused] = useState(false)
  const [touchedId, setTouchedId] = useState<string>()
  const theme = useTheme()
  const positions = useMemo(() => new Map(clients.map(({ id }, index) => [id, index])), [clients])
  const active = Math.min(positions.get(activeId ?? '') ?? 0, Math.max(0, clients.length - 1))
  const touched = positions.get(touchedId ?? '')
  const shown = touched ?? hovered ?? (isFocused ? active : undefined)
  const shownClient = shown === undefined ? undefined : clients[shown]

  const paint = (): void => {
    const [scroller, element] = [box.current, canvas.current]
    if (scroller === null || element === null) return
    painter.current ??= createMapPainter(element)
    const { scrollTop, clientHeight } = scroller
    painter.current?.paint({ layout, clients, selected, top: Math.round(scrollTop), width, height: clientHeight })
  }
  useLayoutEffect(() => painter.current?.resetColors(), [theme])
  useLayoutEffect(paint)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = (): void => setView(before => (isSameView(before, viewOf(element)) ? before : viewOf(element)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const showCell = (index: number): void => {
    const place = placeOf(layout, index)
    const scroller = box.current
    if (place === undefined || scroller === null) return
    const { scrollTop, clientHeight } = scroller
    const margin = layout.cell.height
    if (place.top - margin < scrollTop) scroller.scrollTo({ top: place.top - margin })
    else if (place.top + 2 * margin > scrollTop + clientHeight)
      scroller.scrollTo({ top: place.top + 2 * margin - clientHeight })
  }
  const indexUnder = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const rect = sheet.current?.getBoundingClientRect()
    if (rect === undefined) return undefined
    return cellAt(layout, isRightToLeft() ? rect.right - clientX : clientX - rect.left, clientY - rect.top)
  }
  const open = (index: number): void => {
    const client = clients[index]
    if (client !== undefined) void navigate(pageOf(client))
  }
  const select = (id: string, isRange: boolean): void =>
    selection.send(
      isRange
        ? { type: 'selection.extend', id, order: clients.map(client => client.id) }
        : { type: 'selection.toggle', id },
    )
  const onClick = (event: MouseEvent): void => {
    const index = indexUnder(event)
    const client = index === undefined ? undefined : clients[index]
    if (index === undefined || client === undefined) {
      setTouchedId(undefined)
      return
    }
    setActiveId(client.id)
    if (event.shiftKey || event.ctrlKey || event.metaKey) select(client.id, event.shiftKey)
    else if (event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType === 'touch')
      setTouchedId(client.id)
    else open(index)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const client = clients[active]
    if (client === undefined || event.altKey || event.metaKey) return
    const move = (event.ctrlKey ? FAR_MOVES : MOVES)[readingKey(event.key, event.currentTarget)]
    if (move !== undefined) {
      const rows = Math.max(1, Math.floor(view.height / (layout.cell.height + layout.cell.gap)) - 1)
      const next = movedFrom(layout, active, move, rows)
      const to = clients[next]
      setActiveId(to?.id)
      showCell(next)
      if (event.shiftKey && to !== undefined) select(to.id, true)
    } else if (event.ctrlKey) return
    else if (event.key === 'Enter') open(active)
    else if (event.key === ' ') select(client.id, event.shiftKey)
    else if (event.key === '+' || event.key === '-') onZoom(event.key === '+' ? 1 : -1)
    else return
    event.preventDefault()
    setHovered(undefined)
    setTouchedId(undefined)
  }
  const activePlace = isFocused ? placeOf(layout, active) : undefined
  const hoveredPlace = hovered === undefined ? undefined : placeOf(layout, hovered)
  const ringAt = (place: { readonly left: number; readonly top: number }) => ({
    transform: `translate(${across(place.left)}px, ${place.top}px)`,
    inlineSize: layout.cell.width,
    blockSize: layout.cell.height,
  })
  return (
    <div
      ref={box}
      className={styles['box']}
      {...(layout.height < LOW ? { 'data-low': '' } : {})}
      onScroll={({ currentTarget }) => {
        paint()
        const next = viewOf(currentTarget)
        if (!isSameView(view, next)) setView(next)
      }}
    >
      <div ref={sheet} className="relative" style={{ blockSize: layout.height }}>
        <div className="cover">
          <canvas ref={canvas} aria-hidden="true" className="block sticky inset-top" />
        </div>
        <Headings layout={layout} groups={groups} {...view} />
        <div
          role="grid"
          tabIndex={0}
          aria-label={t`Machines. Arrow keys move, Enter opens a machine, Space selects it.`}
          aria-multiselectable="true"
          aria-rowcount={layout.rows}
          aria-colcount={layout.columns}
          aria-activedescendant={`${prefix}${active}`}
          className={styles['grid']}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onPointerMove={event => {
            if (event.pointerType !== 'touch') setHovered(indexUnder(event))
          }}
          onPointerLeave={() => setHovered(undefined)}
        >
          <Twin
            layout={layout}
            groups={groups}
            clients={clients}
            selected={selected}
            isGrouped={isGrouped}
            prefix={prefix}
            active={active}
            cardId={cardId}
            onOpen={open}
          />
        </div>
        {hoveredPlace === undefined ? undefined : <span className={styles['hover']} style={ringAt(hoveredPlace)} />}
        {activePlace === undefined ? undefined : <span className={styles['focus']} style={ringAt(activePlace)} />}
        {shown === undefined || shownClient === undefined ? undefined : (
          <Card
            id={cardId}
            client={shownClient}
            layout={layout}
            index={shown}
            width={width}
            isTouched={touched !== undefined}
          />
        )}
      </div>
    </div>
  )
}
