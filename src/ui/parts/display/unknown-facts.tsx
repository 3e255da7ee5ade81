import { plural } from '@lingui/core/macro'
import type { ReactNode } from 'react'

type Props = { readonly count: number; readonly children: ReactNode }

/** Facts that nobody reported, folded. */
export function UnknownFacts({ count, children }: Props) {
  if (count === 0) return null
  return (
    <details className="quiet type-3 space-top-2">
      <summary>
        {plural(count, { one: '# field of which nothing is known', other: '# fields of which nothing is known' })}
      </summary>
      {children}
    </details>
  )
}
