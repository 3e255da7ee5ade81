import { useState } from 'react'
import type { Mask } from '../../../journal/mask.ts'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { useCopy } from '../../hooks/use-copy.ts'
import styles from '../inspector.module.css'
import { ValuesView } from './values-view.tsx'

type Props = { readonly context: unknown; readonly mask: Mask }

/** A machine's context, with secrets masked. */
export function ContextView({ context, mask }: Props) {
  const [query, setQuery] = useState('')
  const copying = useCopy()
  return (
    <div className={styles['stack']}>
      <div className="row gap-2-3 type-3">
        <SearchField
          label="Find in the context"
          placeholder="Find names and values"
          value={query}
          onChange={setQuery}
        />
        <span role="status" className="quiet type-2">
          {copying.outcome}
        </span>
      </div>
      <ValuesView
        label="Context"
        value={mask.applyShared(context).value}
        query={query}
        clean={mask.clean}
        onCopy={copying.copy}
      />
    </div>
  )
}
