import { useSelector } from './use-selector.ts'
import { userSeries } from '../../folding/account/series.ts'
import { selectDonorName, selectPasskey, selectUserKey } from '../../machines/account/donor/donor.selectors.ts'
import type { SeriesRef } from '../../protocol/api/series.ts'
import { useSystem } from './system-context.ts'
import { useResource } from './use-resource.ts'

/** The key of the donor's points over time; undefined when the donor is unknown. */
export function useUserSeries(): SeriesRef | undefined {
  const { donor } = useSystem()
  const isKnown = useSelector(donor, selectDonorName) !== undefined
  const key = useSelector(donor, selectUserKey)
  const { value } = useResource(isKnown ? key : undefined, useSelector(donor, selectPasskey))
  return value?.id === undefined ? undefined : userSeries(value.id, value.pid ?? 0)
}
