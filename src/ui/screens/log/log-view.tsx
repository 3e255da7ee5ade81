import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import {
  memo,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type RefObject,
  type UIEvent,
} from 'react'
import { createLogClock } from '../../../folding/log/log-clock.ts'
import { createRowCounter, windowAt, WINDOW_STEP } from '../../../folding/log/log-rows.ts'
import { wrapsLog } from '../../../machines/app/preferences/preferences.selectors.ts'
import { selectLogLines } from '../../../machines/connection/client/client.selectors.ts'
import type { LogSnapshot } from '../../../machines/screens/log/log.machine.ts'
import {
  isFiltered,
  selectSelectedLine,
  selectScrollPosition,
  selectShown,
} from '../../../machines/screens/log/log.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useClientName } from '../../hooks/use-client-name.ts'
import { useClient } from '../../hooks/client-context.ts'
import { EmptyLog } from './empty-log.tsx'
import { LogLine } from './log-line.tsx'
import styles from './log-view.module.css'
import { CharacterSample, useCharacterMetrics, type CharacterMetrics } from './use-character-metrics.tsx'
import { useLogCopy } from './use-log-copy.ts'
import { heightOf } from './scroll-controller.ts'
import { ToEnd } from './to-end.tsx'
import { useLogScroll, type LogPages } from './use-log-scroll.ts'
import { useSelectedLines } from './use-selected-lines.ts'

function offsetAt(at: number): number {
  return -new Date(at).getTimezoneOffset()
}

/** The lines to render around the scroll position; changes in steps of `WINDOW_STEP` lines. */
function useWindow({ columns, indent, rowHeight, height }: CharacterMetrics) {
  const { log, preferences } = useSystem()
  const lines = useSelector(useClient(), selectLogLines)
  const shown = useSelector(log, selectShown)
  const wraps = useSelector(preferences, wrapsLog)
  const [count] = useState(createRowCounter)
  const rows = useMemo(
    () => count(lines, shown, { columns: wraps ? columns : Number.POSITIVE_INFINITY, indent }),
    [count, lines, shown, wraps, columns, indent],
  )
  const selectStep = useCallback(
    (snapshot: LogSnapshot): number => {
      const place = selectScrollPosition(snapshot)
      return place === undefined
        ? -1
        : Math.floor(Math.min(shown.placeOf(place.number), Math.max(0, shown.count - 1)) / WINDOW_STEP)
    },
    [shown],
  )
  const step = useSelector(log, selectStep)
  const window = windowAt(rows, shown.count, Math.ceil(height / rowHeight), step < 0 ? undefined : step * WINDOW_STEP)
  return { lines, shown, rows, rowHeight, window }
}

type ScrollerHandlers = {
  readonly scroll: (event: UIEvent) => void
  readonly copy: (event: ClipboardEvent) => void
}

type LinesProps = {
  readonly scroller: HTMLElement
  readonly handlers: RefObject<ScrollerHandlers | null>
  readonly pages: RefObject<LogPages | null>
}

/** The lines around the scroll position. Apart from the scroller, since each rendering lays them out. */
const Lines = memo(({ scroller, handlers, pages }: LinesProps) => {
  const { log, preferences } = useSystem()
  const list = useRef<HTMLDivElement>(null)
  const metrics = useCharacterMetrics(scroller)
  const drawn = useWindow(metrics)
  const { lines, shown, window } = drawn
  const { onScroll } = useLogScroll({ scroller, lines: list }, drawn, pages)
  const isLocal = useSelector(preferences, ({ context }) => context.shown.localLogTime)
  const heardAt = useSelector(log, ({ context }) => context.heardAt)
  const marks = useSelector(log, ({ context }) => context.marks)
  const chosen = useSelector(log, selectSelectedLine)
  const filtered = useSelector(log, isFiltered)
  const [clockOf] = useState(createLogClock)
  const selected = useSelectedLines(list)
  const onCopy = useLogCopy(list)
  useImperativeHandle(handlers, () => ({ scroll: onScroll, copy: onCopy }))

  const numbers = Array.from(
    { length: window.to - window.from },
    (_, index) => shown.numberAt(window.from + index) ?? 0,
  )
  const clocks = clockOf(lines, numbers, shown.numberAt(window.from - 1), {
    receivedAt: heardAt,
    offsetAt: isLocal ? offsetAt : undefined,
  })
  const isIn = (number: number): boolean => number >= (numbers[0] ?? 0) && number <= (numbers.at(-1) ?? -1)
  const above = selected.filter(number => number < (numbers[0] ?? 0) && number >= lines.first)
  const below = selected.filter(number => number > (numbers.at(-1) ?? 0) && number < lines.end && !isIn(number))
  const offscreenLines = (offscreen: readonly number[]) =>
    offscreen.map(number => (
      <LogLine
        key={number}
        number={number}
        line={lines.at(number) ?? ''}
        marks={undefined}
        clock={undefined}
        day={undefined}
        isChosen={false}
        isOffscreen
      />
    ))

  return (
    <div className={styles['space']} style={{ blockSize: heightOf(drawn) }}>
      <div
        ref={list}
        lang="en"
        translate="no"
        className={styles['lines']}
        onClick={event => {
          const line = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null
          if (filtered && line !== null) log.send({ type: 'log.select', number: Number(line.dataset['line']) })
        }}
      >
        {[
          // One list, so that a line keeps its element when it moves out of the window.
          ...offscreenLines(above),
          ...numbers.map((number, index) => (
            <LogLine
              key={number}
              number={number}
              line={lines.at(number) ?? ''}
              marks={marks.get(number)}
              clock={clocks[index]?.clock}
              day={clocks[index]?.day}
              isChosen={number === chosen}
              isOffscreen={false}
            />
          )),
          ...offscreenLines(below),
        ]}
      </div>
    </div>
  )
})
Lines.displayName = 'Lines'

function hasNoLines(snapshot: LogSnapshot): boolean {
  return selectShown(snapshot).count === 0
}

export function LogView({ pages }: { readonly pages: RefObject<LogPages | null> }) {
  const { log, preferences } = useSystem()
  const client = useClient()
  const name = useClientName(client.getSnapshot().context.id)
  // Known before the lines are rendered, which are as many as fit.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const handlers = useRef<ScrollerHandlers>(null)
  const wraps = useSelector(preferences, wrapsLog)
  const busy = useSelector(log, snapshot => snapshot.hasTag('searching'))
  const isEmpty = useSelector(log, hasNoLines)
  return (
    <div className={styles['view']}>
      <div
        ref={setScroller}
        dir="ltr"
        role="log"
        aria-live="off"
        aria-label={t`Log of ${name}`}
        aria-busy={busy}
        // Scrollable elements must be focusable.
        tabIndex={0}
        className={styles['scroller']}
        {...(wraps ? { 'data-wraps': '' } : {})}
        onScroll={event => handlers.current?.scroll(event)}
        onCopy={event => handlers.current?.copy(event)}
      >
        <CharacterSample />
        {scroller === null ? undefined : <Lines scroller={scroller} handlers={handlers} pages={pages} />}
      </div>
      {isEmpty ? <EmptyLog /> : undefined}
      <ToEnd />
    </div>
  )
}
