import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useMemo, useState } from 'react'
import {
  LONGEST_TAG,
  LONGEST_TAGS_FILE,
  MAX_TAGS_PER_MACHINE,
  readTagsFile,
  tagCounts,
  tagOf,
  writeTagsFile,
} from '../../../folding/fleet/tags.ts'
import { formatNumber } from '../../../folding/text/format.ts'
import { selectTags, selectTagsOf } from '../../../machines/fleet/tags/tags.selectors.ts'
import type { TagsDialog as Question } from '../../../machines/shared/dialogs/dialogs.events.ts'
import { useClientName } from '../../hooks/use-client-name.ts'
import { usePageServer, useWhyNoShared } from '../../hooks/server-context.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { FileTransfer } from './file-transfer.tsx'
import { RenameField } from './rename-field.tsx'
import lists from '../dialog-list.module.css'
import styles from './fleet-dialogs.module.css'

function clientsText(count: number): string {
  return plural(count, { one: `${formatNumber(count)} machine`, other: `${formatNumber(count)} machines` })
}

/** A tag that is in use: renamed on all clients, or given to this one. */
function KnownTag({ tag, clients, client }: { tag: string; clients: number; client: string }) {
  const { tags } = useSystem()
  const blocked = useWhyNoShared()
  const has = useSelector(tags, snapshot =>
    selectTagsOf(client)(snapshot).some(existing => existing.toLowerCase() === tag.toLowerCase()),
  )
  return (
    <li className={lists['row']}>
      <RenameField
        label={t`Rename ${tag}`}
        name={tag}
        longest={LONGEST_TAG}
        isReadOnly={blocked !== undefined}
        onRename={newTag => {
          if (tagOf(newTag) !== undefined) tags.send({ type: 'tags.rename', tag, newTag })
        }}
      />
      <span className={styles['tools']}>
        <IconButton
          icon="plus"
          label={t`Add ${tag}`}
          blockedBecause={blocked ?? (has ? t`This machine has the tag.` : undefined)}
          onPress={() => tags.send({ type: 'tags.add', machines: [client], tag })}
        />
      </span>
      <span className="all-columns quiet type-2 anywhere">{clientsText(clients)}</span>
    </li>
  )
}

/** The tags of one client, and all that are in use. */
export function TagsDialog({ dialog: { id, client, machine: clientKey } }: { dialog: Question }) {
  const { dialogs, tags } = useSystem()
  const isShared = usePageServer() !== undefined
  const blocked = useWhyNoShared()
  const name = useClientName(client)
  const clientTags = useSelector(tags, selectTagsOf(clientKey))
  const all = useSelector(tags, selectTags)
  const counts = useMemo(() => tagCounts(all), [all])
  const [typed, setTyped] = useState('')
  const close = (): void => dialogs.send({ type: 'dialogs.answer', id, button: 'close' })
  const add = (): void => {
    tags.send({ type: 'tags.add', machines: [clientKey], tag: typed })
    setTyped('')
  }
  const isFull = clientTags.length >= MAX_TAGS_PER_MACHINE
  return (
    <Dialog
      title={t`Tags of ${name}`}
      onLeave={close}
      isForm
      footer={
        <Button kind="primary" onPress={close}>
          {t({ message: 'Done', context: 'button' })}
        </Button>
      }
    >
      <p>
        {isShared
          ? t`Tags are words such as the place of a machine. The server keeps them for all its pages, and no machine sees them.`
          : t`Tags are your own, such as the place of a machine. They are kept in this browser, and no machine sees them.`}
      </p>
      {blocked === undefined ? undefined : <p className={lists['quiet']}>{blocked}</p>}
      {clientTags.length === 0 ? (
        <p className={lists['quiet']}>{t`No tags yet.`}</p>
      ) : (
        <ul className="flex wrap gap-1-2" aria-label={t`Tags of ${name}`}>
          {clientTags.map(tag => (
            <li key={tag} className={styles['chip']}>
              <bdi>{tag}</bdi>
              <IconButton
                icon="close"
                label={t`Remove ${tag}`}
                isSmall
                blockedBecause={blocked}
                onPress={() => tags.send({ type: 'tags.remove', machines: [clientKey], tag })}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles['add']}
        aria-label={t`Add a tag`}
        onSubmit={event => {
          event.preventDefault()
          if (blocked === undefined && !isFull && tagOf(typed) !== undefined) add()
        }}
      >
        <TextField
          label={t`New tag`}
          isReadOnly={blocked !== undefined}
          value={typed}
          onChange={text => setTyped(text.slice(0, LONGEST_TAG))}
          autoComplete="off"
          autoFocus
        />
        <Button
          icon="plus"
          type="submit"
          blockedBecause={
            blocked ??
            (isFull
              ? t`A machine has at most ${MAX_TAGS_PER_MACHINE} tags.`
              : tagOf(typed) === undefined
                ? t`Type a tag.`
                : undefined)
          }
        >
          {t`Add`}
        </Button>
      </form>
      {counts.length === 0 ? undefined : (
        <section className="stack gap-2" aria-label={t`All tags`}>
          <h3 className="strong">{t`All tags`}</h3>
          <ul className="grid line-below">
            {counts.map(({ tag, machines: clients }) => (
              <KnownTag key={tag} tag={tag} clients={clients} client={clientKey} />
            ))}
          </ul>
        </section>
      )}
      <FileTransfer
        fileName="foldboard-tags.json"
        longest={LONGEST_TAGS_FILE}
        mayImport={blocked === undefined}
        nothing={counts.length === 0 ? t`There are no tags.` : undefined}
        write={() => writeTagsFile(all)}
        read={readTagsFile}
        describe={file => t`The file has tags of ${clientsText(Object.keys(file).length)}.`}
        onTake={(file, mode) => tags.send({ type: 'tags.import', tags: file, mode })}
      />
    </Dialog>
  )
}
