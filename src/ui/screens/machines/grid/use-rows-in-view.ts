import { useEffect, useRef } from 'react'

/** Rows that scroll past are not reported. Milliseconds. */
const REST = 1000

/** Calls `report` with the rows in view, a second after they changed; with none when the grid is closed. */
export function useRowsInView(keys: readonly string[], report: ((keys: readonly string[]) => void) | undefined): void {
  const joined = keys.join('\n')
  const latest = useRef(joined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = joined
    if (report === undefined || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      report(latest.current === '' ? [] : latest.current.split('\n'))
    }, REST)
  }, [joined, report])
  useEffect(() => {
    if (report === undefined) return undefined
    return () => {
      clearTimeout(timer.current)
      timer.current = undefined
      report([])
    }
  }, [report])
}
