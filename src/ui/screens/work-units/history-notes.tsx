import { t, plural } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { MACHINE_ID_WARNING } from '../../../folding/unit/history.ts'
import type { FileOutcome, KeeperTrouble } from '../../../machines/units/history/history.events.ts'
import { selectOutcome, selectTrouble } from '../../../machines/units/history/history.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './history-tools.module.css'

const troubleWords: Readonly<Record<KeeperTrouble, string>> = {
  unavailable: t`This browser keeps nothing in this window. The history shows what your machines report, as long as the page is open.`,
  full: t`This browser has no room left for the history. What is new is shown as long as the page is open, but not kept.`,
}

const wordsOf = (outcome: FileOutcome): string => {
  if (outcome.kind === 'refused') return outcome.reason
  if (outcome.kind === 'exported') {
    const { count } = outcome
    const exported = t`${plural(count, { one: '# unit', other: '# units' })} exported.`
    return outcome.holdsMachineIds ? t`${exported} The file contains machine IDs. ${MACHINE_ID_WARNING}` : exported
  }
  const { added, known, unusable } = outcome
  const parts = [
    t`${plural(added, { one: '# new unit', other: '# new units' })} imported.`,
    known === 0 ? undefined : t`${plural(known, { one: '# unit was', other: '# units were' })} there already.`,
    unusable === 0
      ? undefined
      : t`${plural(unusable, { one: '# line holds', other: '# lines hold' })} no unit that ended.`,
  ]
  return parts.filter(part => part !== undefined).join(' ')
}

/** Why nothing is kept, and what came of the last file. */
export const HistoryNotes = () => {
  const { history } = useSystem()
  const trouble = useSelector(history, selectTrouble)
  const outcome = useSelector(history, selectOutcome)
  return (
    <div className={styles['notes']}>
      {trouble === undefined ? undefined : (
        <Banner tone="warning" icon="warning">
          {troubleWords[trouble]}
        </Banner>
      )}
      {outcome === undefined ? undefined : (
        <Banner
          isUrgent
          tone={outcome.kind === 'refused' ? 'failed' : 'done'}
          icon={outcome.kind === 'refused' ? 'fail' : 'done'}
          actions={
            <Button isSmall onPress={() => history.send({ type: 'history.dismiss' })}>
              OK
            </Button>
          }
        >
          {wordsOf(outcome)}
        </Banner>
      )}
    </div>
  )
}
