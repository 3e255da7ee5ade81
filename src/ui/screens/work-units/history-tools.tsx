import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useState } from 'react'
import { isForeignCsv } from '../../../folding/unit/foreign-file.ts'
import { selectNow } from '../../../machines/app/clock/clock.selectors.ts'
import type { FileFormat } from '../../../machines/units/history/history.events.ts'
import { clearHistoryQuestion } from '../../../machines/units/history/history.questions.ts'
import type { UnitView } from '../../../folding/unit/unit-rows.ts'
import { Button } from '../../parts/actions/button.tsx'
import { FileButton } from '../../parts/actions/file-button.tsx'
import { lazyDialog } from '../../parts/feedback/lazy-component.tsx'
import { MenuButton } from '../../parts/overlays/menu-button.tsx'
import { useSystem } from '../../hooks/system-context.ts'

const ColumnMatch = lazyDialog(() => import('./column-match.tsx').then(m => m.ColumnMatch), t`The dialog`)

/** Characters of a file that show whether Foldboard wrote it. */
const START = 2000

type Props = {
  /** What is shown and exported. */
  readonly view: UnitView
  readonly count: number
  readonly total: number
}

/** Export, import and clear the history. */
export function HistoryTools({ view, count, total }: Props) {
  const { history, clock, dialogs } = useSystem()
  const isBusy = useSelector(history, snapshot => snapshot.hasTag('busy'))
  const [withClientIds, setWithClientIds] = useState(false)
  /** The file of another program. It is kept here only: no recording has it. */
  const [foreign, setForeign] = useState<File>()
  const close = (): void => setForeign(undefined)
  const take = async (file: File): Promise<void> => {
    const start = await file
      .slice(0, START)
      .text()
      .catch(() => '')
    if (isForeignCsv(start)) setForeign(file)
    else history.send({ type: 'history.import', file })
  }
  const send = (format: FileFormat) => () =>
    history.send({
      type: 'history.export',
      format,
      view,
      at: selectNow(clock.getSnapshot()),
      withMachineIds: withClientIds,
    })
  const choose = (id: string): void => {
    if (id === 'json') send('json')()
    else if (id === 'ids') setWithClientIds(!withClientIds)
    else dialogs.send({ type: 'dialogs.ask', dialog: clearHistoryQuestion })
  }
  const isEmpty = total === 0 ? t`The history is empty.` : undefined
  const noUnits = count === 0 ? t`There are no work units to export.` : undefined
  return (
    <div role="group" aria-label={t`History files`} className="row gap-2">
      <Button icon="download" isSmall isPending={isBusy} blockedBecause={noUnits} onPress={send('csv')}>
        {t`Export CSV`}
      </Button>
      <FileButton
        icon="upload"
        isSmall
        isPending={isBusy}
        accept={['.json', '.csv']}
        onChoose={file => void take(file)}
      >
        {t`Import`}
      </FileButton>
      <MenuButton
        label={t`More`}
        icon="more"
        entries={() => [
          { id: 'ids', label: t`Machine IDs in CSV`, icon: 'machines' },
          { id: 'json', label: t`Export JSON`, icon: 'download', isAction: true, blockedBecause: noUnits },
          { id: 'clear', label: t`Clear`, icon: 'trash', startsGroup: true, isAction: true, blockedBecause: isEmpty },
        ]}
        chosen={withClientIds ? ['ids'] : []}
        choosesSeveral
        closesOnChoice
        onChoose={choose}
      />
      {foreign === undefined ? undefined : <ColumnMatch file={foreign} onClose={close} onUnavailable={close} />}
    </div>
  )
}
