import type { ClipboardEvent, RefObject } from 'react'
import { stripAnsi } from '../../../folding/log/log-line.ts'
import { selectLogLines } from '../../../machines/connection/client/client.selectors.ts'
import { selectShown } from '../../../machines/screens/log/log.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useClient } from '../../hooks/client-context.ts'
import { selectedRange } from './use-selected-lines.ts'

/** Text of the log without escape sequences, including lines that are not rendered. */
export function useLogText() {
  const { log } = useSystem()
  const client = useClient()
  const linesBetween = (from: number, to: number): readonly string[] => {
    const lines = selectLogLines(client.getSnapshot())
    const shown = selectShown(log.getSnapshot())
    const first = shown.placeOf(from)
    const last = shown.placeOf(to)
    return Array.from({ length: Math.max(0, last - first) }, (_, index) =>
      stripAnsi(lines.at(shown.numberAt(first + index) ?? -1) ?? ''),
    )
  }
  return {
    all: (): string =>
      linesBetween(0, Number.MAX_SAFE_INTEGER)
        .map(line => `${line}\n`)
        .join(''),
    selected: (list: HTMLElement | null): string | undefined => {
      const found = selectedRange(list)
      if (found === undefined) return undefined
      const { from, to, range } = found
      if (from === to) return range.toString()
      return [partOf(list, range, from), ...linesBetween(from + 1, to), partOf(list, range, to)].join('\n')
    },
  }
}

/** The selected part of the first or last line of a selection. */
function partOf(list: HTMLElement | null, range: Range, number: number): string {
  const line = list?.querySelector(`[data-line="${number}"]`)
  if (line === null || line === undefined) return ''
  const part = document.createRange()
  part.selectNodeContents(line)
  if (line.contains(range.startContainer)) part.setStart(range.startContainer, range.startOffset)
  if (line.contains(range.endContainer)) part.setEnd(range.endContainer, range.endOffset)
  return part.toString()
}

/** Copies the selection, including lines that are not rendered. */
export function useLogCopy(list: RefObject<HTMLElement | null>) {
  const text = useLogText()
  return (event: ClipboardEvent): void => {
    const selected = text.selected(list.current)
    if (selected === undefined) return
    event.clipboardData.setData('text/plain', selected)
    event.preventDefault()
  }
}
