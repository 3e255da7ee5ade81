import { useImperativeHandle, useLayoutEffect, useRef, useState, type RefObject, type UIEvent } from 'react'
import { selectPlace } from '../../../machines/screens/log/log.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { createScrollKeeper, type Boxes, type Drawn } from './scroll-keeper.ts'

/** Pages of the view: backwards or forwards. */
export type LogPages = { readonly turn: (direction: 1 | -1) => void }

type Parts = { readonly scroller: RefObject<HTMLElement | null>; readonly lines: RefObject<HTMLElement | null> }

const boxesOf = ({ scroller, lines }: Parts): Boxes | undefined =>
  scroller.current === null || lines.current === null ? undefined : { box: scroller.current, list: lines.current }

/** Lets the reader scroll, and keeps them where they are when the page draws anew. */
export const useLogScroll = (parts: Parts, drawn: Drawn, pages: RefObject<LogPages | null>) => {
  const { log } = useSystem()
  const [keeper] = useState(createScrollKeeper)
  const latest = useRef(drawn)

  useLayoutEffect(() => {
    latest.current = drawn
    const boxes = boxesOf(parts)
    if (boxes === undefined || drawn.shown.count === 0) return
    const snapshot = log.getSnapshot()
    const sight = keeper.settle(boxes, drawn, selectPlace(snapshot))
    const told = snapshot.context.sight
    if (sight.place !== told?.place || sight.to !== told.to || sight.height !== told.height)
      log.send({ type: 'log.see', sight })
  })

  useImperativeHandle(pages, () => ({
    turn: direction => {
      const box = parts.scroller.current
      box?.scrollBy({
        top: direction * Math.max(drawn.rowHeight, box.clientHeight - 2 * drawn.rowHeight),
        behavior: 'instant',
      })
    },
  }))

  return {
    onScroll: ({ timeStamp }: UIEvent): void => {
      const boxes = boxesOf(parts)
      const sight = boxes === undefined ? undefined : keeper.follow(boxes, latest.current, timeStamp)
      if (sight !== undefined) log.send({ type: 'log.scroll', sight })
    },
  }
}
