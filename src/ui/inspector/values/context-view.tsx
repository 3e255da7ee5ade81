import { useState } from 'react'
import type { Mask } from '../../../journal/mask.ts'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { useCopy } from '../../hooks/use-copy.ts'
import styles from '../inspector.module.css'
import { ValuesView } from './values-view.tsx'

type Props = { readonly context: unknown; readonly mask: Mask }

/** What a machine remembers, without its secrets. */
export const ContextView = ({ context, mask }: Props) => {
  const [words, setWords] = useState('')
  const copying = useCopy()
  return (
    <div className={styles['stack']}>
      <div className={styles['tools']}>
        <SearchField
          label="Find in the context"
          placeholder="Find names and values"
          value={words}
          onChange={setWords}
        />
        <span role="status" className={styles['status']}>
          {copying.outcome}
        </span>
      </div>
      <ValuesView
        label="Context"
        value={mask.applyShared(context).value}
        words={words}
        clean={mask.clean}
        onCopy={copying.copy}
      />
    </div>
  )
}
