import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { ResourceKey } from '../../../folding/shared/resource-keys.ts'
import type { ResourceState } from '../../../machines/resource/resource/resource.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { RelativeTime } from '../../parts/display/relative-time.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './stats.module.css'

type Props = { readonly keys: readonly ResourceKey[]; readonly state: ResourceState<unknown> }

/** The age of the statistics; if they could not be fetched, a message and a button to try again. */
export function Freshness({ keys, state: { at, fault, value, isAbsent } }: Props) {
  const { queryCache } = useSystem()
  const isKnown = value !== undefined || isAbsent
  if (fault === undefined)
    return isKnown && at !== undefined ? (
      <p className={styles['age']}>
        <Trans>
          Updated <RelativeTime at={at} />
        </Trans>
      </p>
    ) : null
  return (
    <div className={styles['stale']}>
      <p>
        {isKnown && at !== undefined ? (
          <Trans>
            The server is not responding. These numbers are from <RelativeTime at={at} />.
          </Trans>
        ) : (
          t`Could not load the statistics: the server is not responding.`
        )}
      </p>
      <Button
        icon="reset"
        onPress={() => {
          for (const key of keys) queryCache.send({ type: 'queryCache.refresh', key })
        }}
      >
        {t`Try again`}
      </Button>
    </div>
  )
}
