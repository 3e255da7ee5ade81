import { useSelector } from './use-selector.ts'
import { useEffect } from 'react'
import { selectPoints } from '../../machines/resource/series/series.selectors.ts'
import type { SeriesPoint, SeriesRef } from '../../protocol/api/series.ts'
import { useSystem } from './system-context.ts'

/** Points over time; subscribed while the component is mounted. */
export function useSeries(ref: SeriesRef | undefined): readonly SeriesPoint[] {
  const { queryCache, series } = useSystem()
  const person = useSelector(queryCache, ({ context }) => context.person)
  useEffect(() => {
    if (ref === undefined) return undefined
    series.send({ type: 'series.want', ref })
    return () => series.send({ type: 'series.release', ref })
  }, [series, ref, person])
  return useSelector(series, selectPoints(ref))
}
