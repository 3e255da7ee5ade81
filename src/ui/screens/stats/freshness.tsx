import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { ResourceKey } from '../../../folding/shared/resource-keys.ts'
import type { ResourceState } from '../../../machines/resource/resource/resource.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { RelativeTime } from '../../parts/display/relative-time.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './stats.module.css'

type Props = { readonly of: readonly ResourceKey[]; readonly state: ResourceState<unknown> }

/** Of when the numbers are; and that they could not be fetched, with what to do about it. */
export const Freshness = ({ of, state: { at, fault, value, isAbsent } }: Props) => {
  const { library } = useSystem()
  const isKnown = value !== undefined || isAbsent
  if (fault === undefined)
    return isKnown && at !== undefined ? (
      <p className={styles['age']}>
        <Trans>
          Counted <RelativeTime at={at} />
        </Trans>
      </p>
    ) : null
  return (
    <div className={styles['stale']}>
      <p>
        {isKnown && at !== undefined ? (
          <Trans>
            These numbers are from <RelativeTime at={at} />: the server does not answer.
          </Trans>
        ) : (
          t`The statistics cannot be loaded: the server does not answer.`
        )}
      </p>
      <Button
        icon="reset"
        onPress={() => {
          for (const key of of) library.send({ type: 'library.refresh', key })
        }}
      >
        {t`Try again`}
      </Button>
    </div>
  )
}
