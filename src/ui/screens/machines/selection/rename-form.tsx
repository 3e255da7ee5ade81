import { t } from '@lingui/core/macro'
import { checkPattern, PATTERN_PARTS } from '../../../../folding/fleet/rename-pattern.ts'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import styles from './bulk-dialog.module.css'

/** The pattern of the new names. */
export function RenameForm({ pattern }: { readonly pattern: string }) {
  const { bulk } = useSystem()
  return (
    <div className={styles['content']}>
      <TextField
        label={t`Name`}
        value={pattern}
        isCode
        autoFocus
        onChange={typed => bulk.send({ type: 'bulk.edit', action: { kind: 'rename', pattern: typed } })}
        error={checkPattern(pattern)}
        description={t`Parts in braces differ from machine to machine. Machines are numbered in the order in which they were selected.`}
      />
      <ul className="quiet type-2">
        {PATTERN_PARTS.map(({ part, about }) => (
          <li key={part}>
            <code>{part}</code>: {about}
          </li>
        ))}
      </ul>
    </div>
  )
}
