import { t, plural } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { MACHINE_ID_WARNING } from '../../../folding/unit/history.ts'
import type { FileOutcome, HistoryStoreFault } from '../../../machines/units/history/history.events.ts'
import { formatNumber } from '../../../folding/text/format.ts'
import { selectRelayedCount, selectWithoutHistory } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { MOST_REQUESTED } from '../../../machines/units/history/history.requests.ts'
import {
  isHistoryLimited,
  isImportUndoable,
  selectDurability,
  selectOutcome,
  selectStoreFault,
} from '../../../machines/units/history/history.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { useSystem } from '../../hooks/system-context.ts'

const troubleText: Readonly<Record<HistoryStoreFault, string>> = {
  unavailable: t`This browser does not store anything in this window. The history shows what your machines report while the page is open.`,
  full: t`This browser’s storage is full. New work units are shown while the page is open, but not stored.`,
}

function outcomeText(outcome: FileOutcome): string {
  if (outcome.kind === 'refused') return outcome.reason
  if (outcome.kind === 'exported') {
    const { count } = outcome
    const exported = t`${plural(count, { one: '# work unit', other: '# work units' })} exported.`
    return outcome.holdsMachineIds ? t`${exported} The file contains machine IDs. ${MACHINE_ID_WARNING}` : exported
  }
  const { added, known, unusable } = outcome
  const parts = [
    t`${plural(added, { one: '# new work unit', other: '# new work units' })} imported.`,
    known === 0
      ? undefined
      : t`${plural(known, { one: '# work unit was', other: '# work units were' })} already in the history.`,
    unusable === 0
      ? undefined
      : t`${plural(unusable, { one: '# entry is', other: '# entries are' })} not a finished work unit.`,
  ]
  return parts.filter(part => part !== undefined).join(' ')
}

/** Says that not all clients of a large account are asked for their history, and has all asked on request. */
export function HistoryLimit() {
  const { fleet, history } = useSystem()
  const count = useSelector(fleet, selectRelayedCount)
  const isLimited = useSelector(history, isHistoryLimited)
  if (!isLimited || count <= MOST_REQUESTED) return null
  return (
    <Banner
      tone="paused"
      icon="info"
      actions={
        <Button isSmall onPress={() => history.send({ type: 'history.wantUnlimited' })}>
          {t`Ask all`}
        </Button>
      }
    >
      {t`To spare the account’s relay, only ${formatNumber(MOST_REQUESTED)} of ${formatNumber(count)} machines are asked for their finished work units, one a second. Others are asked when you look at them.`}
    </Banner>
  )
}

/** Why the history is not stored, and the result of the last export or import. */
export function HistoryNotes() {
  const { fleet, history } = useSystem()
  const without = useSelector(fleet, selectWithoutHistory)
  const trouble = useSelector(history, selectStoreFault)
  const outcome = useSelector(history, selectOutcome)
  const durability = useSelector(history, selectDurability)
  const canUndo = useSelector(history, isImportUndoable)
  return (
    <>
      <HistoryLimit />
      {without === '' ? undefined : (
        <Banner tone="paused" icon="info">
          {t`Clients before 8.4.0 keep no history of their work units: ${without}.`}
        </Banner>
      )}
      {trouble === undefined ? undefined : (
        <Banner tone="warning" icon="warning" help="/help/when-something-is-wrong#the-browser-stores-nothing">
          {troubleText[trouble]}
        </Banner>
      )}
      {durability === 'undecided' ? (
        <Banner
          tone="paused"
          icon="info"
          actions={
            <Button isSmall onPress={() => history.send({ type: 'history.keep' })}>
              {t`Keep my history`}
            </Button>
          }
        >
          {t`This browser may delete your history when its disk is full. If you keep it, the browser asks for your permission.`}
        </Banner>
      ) : undefined}
      {outcome === undefined ? undefined : (
        <Banner
          isUrgent
          tone={outcome.kind === 'refused' ? 'failed' : 'done'}
          icon={outcome.kind === 'refused' ? 'fail' : 'done'}
          {...(outcome.kind === 'refused' ? { help: '/help/coming-from-elsewhere#a-spreadsheet-of-your-own' } : {})}
          actions={
            <>
              {canUndo ? (
                <Button isSmall onPress={() => history.send({ type: 'history.undoImport' })}>
                  {t`Undo`}
                </Button>
              ) : undefined}
              <Button
                isSmall
                onPress={() => {
                  history.send({ type: 'history.dismiss' })
                  focusContentSoon()
                }}
              >
                {t`OK`}
              </Button>
            </>
          }
        >
          {outcomeText(outcome)}
          {outcome.kind === 'exported' && durability === 'volatile' ? (
            <>
              {' '}
              {t`This browser may delete the history that it stores itself, for example after seven days without a visit.`}
            </>
          ) : undefined}
        </Banner>
      )}
    </>
  )
}
