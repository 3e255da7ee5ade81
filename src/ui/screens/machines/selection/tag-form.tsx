import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useMemo } from 'react'
import type { TagMode } from '../../../../folding/fleet/bulk-action.ts'
import { LONGEST_TAG, tagCounts } from '../../../../folding/fleet/tags.ts'
import { formatNumber } from '../../../../folding/text/format.ts'
import { selectTags } from '../../../../machines/fleet/tags/tags.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { Segments, type Segment } from '../../../parts/actions/segments.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { usePageServer } from '../../../hooks/server-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import styles from './bulk-dialog.module.css'

const modes: readonly Segment<TagMode>[] = [
  { id: 'add', label: t`Add` },
  { id: 'remove', label: t`Remove` },
]

/** Tags that are offered: the ones that most clients have. */
const MOST_OFFERED = 24

type Props = { readonly mode: TagMode; readonly tag: string }

/** The tag that the selected clients get or lose. */
export function TagForm({ mode, tag }: Props) {
  const { bulk, tags } = useSystem()
  const isShared = usePageServer() !== undefined
  const all = useSelector(tags, selectTags)
  const existingTags = useMemo(
    () =>
      tagCounts(all)
        .toSorted((a, b) => b.machines - a.machines)
        .slice(0, MOST_OFFERED),
    [all],
  )
  const edit = (change: Partial<Props>): void =>
    bulk.send({ type: 'bulk.edit', action: { kind: 'tags', mode, tag, ...change } })
  return (
    <form
      className={styles['content']}
      onSubmit={event => {
        event.preventDefault()
        bulk.send({ type: 'bulk.showPreview' })
      }}
    >
      <p className="quiet type-2">
        {isShared
          ? t`Tags are words such as the place of a machine. The server keeps them for all its pages, and no machine sees them.`
          : t`Tags are your own, such as the place of a machine. They are kept in this browser, and no machine sees them.`}
      </p>
      <Segments label={t`Add or remove`} segments={modes} value={mode} onChange={chosen => edit({ mode: chosen })} />
      <TextField
        label={t`Tag`}
        value={tag}
        onChange={typed => edit({ tag: typed.slice(0, LONGEST_TAG) })}
        autoComplete="off"
        autoFocus
      />
      {existingTags.length === 0 ? undefined : (
        <section aria-label={t`Tags in use`}>
          <p className="quiet type-2">{t`Tags in use`}</p>
          <ul className={styles['tags']}>
            {existingTags.map(({ tag: other, machines: clients }) => (
              <li key={other}>
                <Button isSmall onPress={() => edit({ tag: other })}>
                  {t`${other} (${formatNumber(clients)})`}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </form>
  )
}
