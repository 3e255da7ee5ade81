// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { allShown } from '../../../folding/log/line-numbers.ts'
import { evenRows } from '../../../folding/log/log-rows.ts'
import { createScrollController, type Drawn } from './scroll-controller.ts'

const [LINES, ROW, VIEW] = [1000, 20, 400]

/** jsdom has no layout: a box of `VIEW` pixels with the lines of `drawn`, each `ROW` pixels high. */
function boxesFor({ rows, window }: Drawn) {
  const [box, space, list] = [
    document.createElement('div'),
    document.createElement('div'),
    document.createElement('ol'),
  ]
  space.append(list)
  box.append(space)
  const sized = (element: HTMLElement, sizes: Readonly<Record<string, number>>) => {
    for (const [name, value] of Object.entries(sizes))
      Object.defineProperty(element, name, { value, configurable: true })
  }
  sized(box, { clientHeight: VIEW, scrollHeight: rows.total * ROW })
  sized(list, { offsetTop: window.from * ROW, offsetHeight: (window.to - window.from) * ROW })
  for (let line = window.from; line < window.to; line++) {
    const item = document.createElement('li')
    item.dataset['line'] = String(line)
    sized(item, { offsetTop: (line - window.from) * ROW, offsetHeight: ROW })
    list.append(item)
  }
  return { box, list }
}

const drawn: Drawn = {
  shown: allShown(0, LINES),
  rows: evenRows(LINES),
  rowHeight: ROW,
  window: { from: 480, to: 540 },
}

/** Scrolled by the user to line 500 a moment ago. */
function scrolled() {
  const controller = createScrollController()
  const boxes = boxesFor(drawn)
  controller.settle(boxes, drawn, { number: 490, offset: 0 })
  boxes.box.scrollTop = 500 * ROW + 5
  const viewport = controller.follow(boxes, drawn, performance.now())
  return { controller, boxes, place: viewport?.place }
}

describe('scroll controller', () => {
  it('reports the place that the user scrolled to', () => {
    expect(scrolled().place).toEqual({ number: 500, offset: 5 })
  })

  it('does not scroll while the user does', () => {
    const { controller, boxes, place } = scrolled()
    boxes.box.scrollTop += 3
    controller.settle(boxes, drawn, place)
    expect(boxes.box.scrollTop).toBe(500 * ROW + 8)
  })

  it('scrolls back after the log was empty for a moment, when the browser scrolled to the top', () => {
    const { controller, boxes, place } = scrolled()
    boxes.box.scrollTop = 0
    controller.forget()
    controller.settle(boxes, drawn, place)
    expect(boxes.box.scrollTop).toBe(500 * ROW + 5)
  })

  it('stays at the end when the view becomes lower', () => {
    const controller = createScrollController()
    const boxes = boxesFor(drawn)
    controller.settle(boxes, drawn, undefined)
    expect(controller.keepEnd(boxes.box)).toBe(false)
    boxes.box.scrollTop = 0
    Object.defineProperty(boxes.box, 'clientHeight', { value: VIEW / 2 })
    expect(controller.keepEnd(boxes.box)).toBe(true)
    expect(boxes.box.scrollTop).toBe(LINES * ROW)
  })
})
