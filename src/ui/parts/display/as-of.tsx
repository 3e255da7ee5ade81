import { Trans } from '@lingui/react/macro'
import { RelativeTime } from './relative-time.tsx'

/** How old what is shown beside it is. `at`: epoch milliseconds. */
export function AsOf({ at }: { readonly at: number }) {
  return (
    <span className="quiet type-2">
      <Trans>
        as of <RelativeTime at={at} />
      </Trans>
    </span>
  )
}
