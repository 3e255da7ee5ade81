import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { Button as AriaButton } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import type { DragAndDropHooks } from 'react-aria-components/useDragAndDrop'
import {
  chosenColumns,
  columnOf,
  columnsToStore,
  DEFAULT_COLUMNS,
  disableColumns,
  placeColumns,
  unchosenColumns,
} from '../../../folding/unit/column-sets.ts'
import { isSameList } from '../../../folding/shared/equal.ts'
import type { AccountDraftRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectDraft } from '../../../machines/shared/draft/draft.selectors.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import styles from './column-lists.module.css'
import { useColumnDrag } from './use-column-drag.ts'

type ListProps = {
  readonly label: string
  readonly names: readonly string[]
  readonly empty: string
  readonly drag: DragAndDropHooks
  readonly action: 'disable' | 'enable'
  readonly onPress: (name: string) => void
}

function ColumnList({ label, names, empty, drag, action, onPress }: ListProps) {
  return (
    <GridList
      aria-label={label}
      items={names.map(name => ({ id: name, name }))}
      dragAndDropHooks={drag}
      className={styles['list'] ?? ''}
      renderEmptyState={() => <p className="quiet type-3">{empty}</p>}
    >
      {({ name }) => (
        <GridListItem id={name} textValue={columnOf(name).title} className={styles['item'] ?? ''}>
          <AriaButton slot="drag" className={styles['handle'] ?? ''}>
            <Icon name="drag" />
          </AriaButton>
          <span className="pad-block-1 tight">
            <bdi>{columnOf(name).title}</bdi> <bdi className={styles['hint']}>{columnOf(name).hint}</bdi>
          </span>
          <IconButton
            icon={action === 'disable' ? 'close' : 'plus'}
            label={action === 'disable' ? t`Disable ${columnOf(name).title}` : t`Enable ${columnOf(name).title}`}
            isSmall
            onPress={() => onPress(name)}
          />
        </GridListItem>
      )}
    </GridList>
  )
}

/** Chooses and orders the columns of work unit tables, by drag and drop or by keyboard. */
export function ColumnLists({ draft }: { readonly draft: AccountDraftRef }) {
  const columns = useSelector(draft, snapshot => selectDraft(snapshot)?.config.columns)
  const savedColumns = useSelector(draft, snapshot => snapshot.context.saved?.config.columns)
  const chosen = chosenColumns(columns)
  const disabled = unchosenColumns(chosen)
  const choose = (names: readonly string[]): void =>
    draft.send({ type: 'draft.edit', change: { config: { columns: columnsToStore(names, savedColumns) } } })
  const place = useColumnDrag({
    canReorder: true,
    onPlace: (names, anchor) => choose(placeColumns(chosen, names, anchor)),
  })
  const disable = useColumnDrag({ canReorder: false, onPlace: names => choose(disableColumns(chosen, names)) })
  return (
    <section className="grid gap-3" aria-labelledby="columns-heading">
      <div className={styles['head']}>
        <h2 id="columns-heading" className="type-5 strong">
          {t`Work unit columns`}
        </h2>
        <Button
          icon="reset"
          isSmall
          blockedBecause={isSameList(chosen, DEFAULT_COLUMNS) ? t`These are the default columns.` : undefined}
          onPress={() => choose(DEFAULT_COLUMNS)}
        >
          {t`Reset to default`}
        </Button>
      </div>
      <p className="quiet type-3">
        {t`Drag a column by its handle, or press Enter on the handle, move with the arrow keys, and press Enter again.`}
      </p>
      <div className={styles['lists']}>
        <div className="grid content-start gap-2">
          <h3 className="quiet type-3 medium">{t`Enabled, in this order`}</h3>
          <ColumnList
            label={t`Enabled columns`}
            names={chosen}
            empty=""
            drag={place}
            action="disable"
            onPress={name => choose(disableColumns(chosen, [name]))}
          />
        </div>
        <div className="grid content-start gap-2">
          <h3 className="quiet type-3 medium">{t`Disabled`}</h3>
          <ColumnList
            label={t`Disabled columns`}
            names={disabled}
            empty={t`Drop a column here to disable it.`}
            drag={disable}
            action="enable"
            onPress={name => choose(placeColumns(chosen, [name]))}
          />
        </div>
      </div>
    </section>
  )
}
