import { useImperativeHandle, useLayoutEffect, useRef, useState, type RefObject, type UIEvent } from 'react'
import { selectScrollPosition } from '../../../machines/screens/log/log.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { createScrollController, type Boxes, type Drawn } from './scroll-controller.ts'

export type LogPages = {
  /** Scrolls by one page. */
  readonly turn: (direction: 1 | -1) => void
  /** Stays at the end of the log, if it is followed, after the height of the view changed. */
  readonly keepEnd: () => void
}

type Parts = { readonly scroller: HTMLElement; readonly lines: RefObject<HTMLElement | null> }

function boxesOf({ scroller, lines }: Parts): Boxes | undefined {
  return lines.current === null ? undefined : { box: scroller, list: lines.current }
}

/** Handles scrolling, and keeps the scroll position across renders. */
export function useLogScroll(parts: Parts, drawn: Drawn, pages: RefObject<LogPages | null>) {
  const { log } = useSystem()
  const [controller] = useState(createScrollController)
  const latest = useRef(drawn)

  useLayoutEffect(() => {
    latest.current = drawn
    const boxes = boxesOf(parts)
    if (boxes === undefined || drawn.shown.count === 0) {
      controller.forget()
      return
    }
    const snapshot = log.getSnapshot()
    const viewport = controller.settle(boxes, drawn, selectScrollPosition(snapshot))
    const reported = snapshot.context.viewport
    if (viewport.place !== reported?.place || viewport.to !== reported.to || viewport.height !== reported.height)
      log.send({ type: 'log.rendered', viewport })
  })

  useImperativeHandle(pages, () => ({
    turn: direction => {
      const box = parts.scroller
      box.scrollBy({
        top: direction * Math.max(drawn.rowHeight, box.clientHeight - 2 * drawn.rowHeight),
        behavior: 'instant',
      })
    },
    keepEnd: () => void controller.keepEnd(parts.scroller),
  }))

  return {
    onScroll: ({ timeStamp }: UIEvent): void => {
      const boxes = boxesOf(parts)
      const viewport = boxes === undefined ? undefined : controller.follow(boxes, latest.current, timeStamp)
      if (viewport !== undefined) log.send({ type: 'log.scroll', viewport })
    },
  }
}
