import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useState } from 'react'
import {
  LONGEST_VIEW_NAME,
  LONGEST_VIEWS_FILE,
  MAX_VIEWS,
  readViewsFile,
  viewNamed,
  viewNameOf,
  writeViewsFile,
  type SavedView,
} from '../../../folding/fleet/saved-views.ts'
import { formatList } from '../../../folding/text/format.ts'
import { selectLastParams, selectViews } from '../../../machines/fleet/views/views.selectors.ts'
import { usePageServer, useWhyNoShared } from '../../hooks/server-context.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { Switch } from '../../parts/fields/switch.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { FileTransfer } from './file-transfer.tsx'
import { RenameField } from './rename-field.tsx'
import lists from '../dialog-list.module.css'
import styles from './fleet-dialogs.module.css'

/** What a view shows, as it is in the address: 'filter: state:paused, sort: -ppd'. */
function summaryOf({ params }: SavedView): string {
  const parts = Object.entries(params).map(([name, value]) => `${name}: ${value}`)
  return parts.length === 0 ? t`Everything` : formatList(parts)
}

function Row({ view, position, count }: { view: SavedView; position: number; count: number }) {
  const { views } = useSystem()
  const { chosen } = useSelector(views, selectViews)
  const params = useSelector(views, selectLastParams)
  const blocked = useWhyNoShared()
  const { name } = view
  return (
    <li className={lists['row']}>
      <RenameField
        label={t`Name of ${name}`}
        name={name}
        longest={LONGEST_VIEW_NAME}
        isReadOnly={blocked !== undefined}
        onRename={newName => views.send({ type: 'views.rename', name, newName })}
      />
      <span className={styles['tools']}>
        <IconButton
          icon="arrow-up"
          label={t`Move ${name} up`}
          blockedBecause={blocked ?? (position === 0 ? t`It is the first.` : undefined)}
          onPress={() => views.send({ type: 'views.move', name, by: -1 })}
        />
        <IconButton
          icon="arrow-down"
          label={t`Move ${name} down`}
          blockedBecause={blocked ?? (position === count - 1 ? t`It is the last.` : undefined)}
          onPress={() => views.send({ type: 'views.move', name, by: 1 })}
        />
        <IconButton
          icon="reset"
          label={t`Update ${name} with what is shown now`}
          blockedBecause={blocked}
          onPress={() => views.send({ type: 'views.save', name, params })}
        />
        <IconButton
          icon="trash"
          label={t`Delete ${name}`}
          blockedBecause={blocked}
          onPress={() => views.send({ type: 'views.delete', name })}
        />
      </span>
      <bdi className="all-columns quiet type-2 anywhere">{summaryOf(view)}</bdi>
      <span className="all-columns quiet type-2 anywhere">
        <Switch
          isSelected={chosen === name}
          isDisabled={blocked !== undefined}
          onChange={isOn => views.send({ type: 'views.choose', name: isOn ? name : undefined })}
        >
          {t`Shown first`}
        </Switch>
      </span>
    </li>
  )
}

/** Saves what is shown as a view, and manages the saved ones. */
export function ViewsDialog() {
  const { views } = useSystem()
  const saved = useSelector(views, selectViews)
  const params = useSelector(views, selectLastParams)
  const isShared = usePageServer() !== undefined
  const notAllowed = useWhyNoShared()
  const [typed, setTyped] = useState('')
  const close = (): void => views.send({ type: 'views.close' })
  const name = viewNameOf(typed)
  const isKnown = name !== undefined && viewNamed(saved, name) !== undefined
  const blocked =
    notAllowed ??
    (name === undefined
      ? t`Type a name.`
      : !isKnown && saved.views.length >= MAX_VIEWS
        ? t`There are at most ${MAX_VIEWS} views.`
        : undefined)
  return (
    <Dialog
      title={t`Saved views`}
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
          ? t`A view keeps the query, the sorting and the columns of the machines screen. The server keeps views for all its pages.`
          : t`A view keeps the query, the sorting and the columns of the machines screen, in this browser.`}
      </p>
      {notAllowed === undefined ? undefined : <p className={lists['quiet']}>{notAllowed}</p>}
      <form
        className={styles['add']}
        aria-label={t`Save what is shown`}
        onSubmit={event => {
          event.preventDefault()
          if (name === undefined || blocked !== undefined) return
          views.send({ type: 'views.save', name, params })
          setTyped('')
        }}
      >
        <TextField
          label={t`Save what is shown as`}
          isReadOnly={notAllowed !== undefined}
          value={typed}
          onChange={text => setTyped(text.slice(0, LONGEST_VIEW_NAME))}
          autoComplete="off"
          autoFocus
        />
        <Button icon={isKnown ? 'reset' : 'plus'} type="submit" blockedBecause={blocked}>
          {isKnown ? t`Update` : t`Save`}
        </Button>
      </form>
      {saved.views.length === 0 ? (
        <p className={lists['quiet']}>{t`None yet.`}</p>
      ) : (
        <ul className="grid line-below" aria-label={t`Saved views`}>
          {saved.views.map((view, position) => (
            <Row key={view.name} view={view} position={position} count={saved.views.length} />
          ))}
        </ul>
      )}
      <FileTransfer
        fileName="foldboard-views.json"
        longest={LONGEST_VIEWS_FILE}
        mayImport={notAllowed === undefined}
        nothing={saved.views.length === 0 ? t`There are no views.` : undefined}
        write={() => writeViewsFile(saved)}
        read={readViewsFile}
        describe={file => plural(file.views.length, { one: 'The file has # view.', other: 'The file has # views.' })}
        onTake={(file, mode) => views.send({ type: 'views.import', views: file, mode })}
      />
    </Dialog>
  )
}
