import { useEffect, useState, type RefObject } from 'react'
import { isSameList } from '../../../folding/shared/equal.ts'

function lineOf(node: Node | null): number | undefined {
  const element = node instanceof Element ? node : node?.parentElement
  const line = element?.closest<HTMLElement>('[data-line]')
  return line === null || line === undefined ? undefined : Number(line.dataset['line'])
}

/** Numbers of the first and last line of the selection; undefined when it is not within the list. */
export function selectedRange(
  list: HTMLElement | null,
): { readonly from: number; readonly to: number; readonly range: Range } | undefined {
  const selection = document.getSelection()
  if (list === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  if (!list.contains(range.startContainer) || !list.contains(range.endContainer)) return undefined
  const from = lineOf(range.startContainer)
  const to = lineOf(range.endContainer)
  return from === undefined || to === undefined ? undefined : { from, to, range }
}

const nothing: readonly number[] = []

/** Lines where the selection starts or ends; they must stay rendered when scrolled out of view. */
export function useSelectedLines(list: RefObject<HTMLElement | null>): readonly number[] {
  const [lines, setLines] = useState(nothing)
  useEffect(() => {
    const update = (): void => {
      const found = selectedRange(list.current)
      const next = found === undefined ? nothing : [...new Set([found.from, found.to])]
      setLines(current => (isSameList(current, next) ? current : next))
    }
    document.addEventListener('selectionchange', update)
    return () => document.removeEventListener('selectionchange', update)
  }, [list])
  return lines
}
