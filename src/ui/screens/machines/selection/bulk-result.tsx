import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useEffect, useMemo, useState } from 'react'
import { effectCountText, effectText, actionTitle, EFFECT_ORDER } from '../../../../folding/fleet/bulk-text.ts'
import { compareTexts, formatList, formatNumber } from '../../../../folding/text/format.ts'
import { shardedEntries } from '../../../../folding/shared/sharded-map.ts'
import type { PartState, Run } from '../../../../machines/fleet/bulk/bulk.context.ts'
import { canUndo } from '../../../../machines/fleet/bulk/bulk.draft.ts'
import { Button, IconButton } from '../../../parts/actions/button.tsx'
import { ProgressBar } from '../../../parts/display/progress-bar.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { focusContentSoon } from '../../../parts/focus-content.ts'
import styles from './bulk-area.module.css'
import { effectMarks, stateMarks } from './marks.ts'
import { BulkClientList, type ClientLine } from './client-list.tsx'

function stateText(state: PartState): string {
  switch (state.kind) {
    case 'waiting':
      return t`Waiting to be sent`
    case 'asked':
      return t`Asked`
    case 'confirmed':
      return t`Done`
    case 'ignored':
      return t`Not confirmed: ${state.because}`
    case 'failed':
      return t`Failed: ${state.because}`
  }
}

const ORDER: readonly PartState['kind'][] = ['failed', 'ignored', 'asked', 'waiting', 'confirmed']

/** Clients that failed first, then those with which nothing was done. */
function linesOf(run: Run): readonly ClientLine[] {
  return [
    ...[...shardedEntries(run.entries)]
      .map(([id, { name, state }]): ClientLine & { readonly rank: number } => ({
        id,
        name,
        ...stateMarks[state.kind],
        text: stateText(state),
        rank: ORDER.indexOf(state.kind),
      }))
      .sort((a, b) => a.rank - b.rank || compareTexts(a.name, b.name)),
    ...run.skipped.map(({ id, name, effect }): ClientLine => ({
      id,
      name,
      ...effectMarks[effect.kind],
      text: effectText(effect),
    })),
  ]
}

function skippedText({ skipped }: Run): string {
  return formatList(
    EFFECT_ORDER.flatMap(kind => {
      const count = skipped.filter(({ effect }) => effect.kind === kind).length
      return count === 0 ? [] : [effectCountText(kind, count)]
    }),
  )
}

/** Progress and result of an action on many clients, announced; the result stays until it is closed. */
export function BulkResult({ run }: { readonly run: Run }) {
  const { bulk } = useSystem()
  const runs = useSelector(bulk, snapshot => snapshot.hasTag('running'))
  const isReady = useSelector(bulk, snapshot => snapshot.hasTag('ready'))
  const isUndoable = useSelector(bulk, canUndo)
  const [isOpen, setIsOpen] = useState(false)
  // Buttons come and go with its state, and all of it when it is closed.
  useEffect(() => () => focusContentSoon(), [runs, isReady])
  const lines = useMemo(() => (isOpen ? linesOf(run) : []), [isOpen, run])
  const { confirmed, ignored, failed, waiting, asked } = run.counts
  const total = confirmed + ignored + failed + waiting + asked
  const settled = total - waiting - asked
  const parts = [
    t`${formatNumber(confirmed)} of ${plural(total, { one: '# machine', other: '# machines' })} done`,
    ...(ignored === 0 ? [] : [plural(ignored, { other: '# not confirmed' })]),
    ...(failed === 0 ? [] : [plural(failed, { other: '# failed' })]),
  ]
  const skipped = skippedText(run)
  const title = actionTitle(run.action)
  const summary = formatList(parts)
  return (
    <section className={styles['bar']} aria-label={t`Result of the action`}>
      <div className={styles['text']}>
        <p>
          <span className="tabular strong">{title}</span>: {summary}
        </p>
        {skipped === '' ? undefined : <p className="quiet type-2">{t`Skipped: ${skipped}`}</p>}
        {/* Counts change too often to be read out while it runs. */}
        <p role="status" className="visually-hidden">
          {runs
            ? t`${title}: running`
            : skipped === ''
              ? `${title}: ${summary}`
              : t`${title}: ${summary}. Skipped: ${skipped}`}
        </p>
      </div>
      <div className={styles['buttons']}>
        {runs ? <Button onPress={() => bulk.send({ type: 'bulk.stop' })}>{t`Stop`}</Button> : undefined}
        {isReady && ignored + failed > 0 ? (
          <Button onPress={() => bulk.send({ type: 'bulk.retry' })}>
            {t`Again for ${formatNumber(ignored + failed)}`}
          </Button>
        ) : undefined}
        {isUndoable || (runs && run.action.kind === 'undo') ? (
          <Button isPending={runs} onPress={() => bulk.send({ type: 'bulk.undo' })}>
            {t`Undo`}
          </Button>
        ) : undefined}
        <Button onPress={() => setIsOpen(!isOpen)}>{isOpen ? t`Hide machines` : t`Show machines`}</Button>
        {isReady ? (
          <IconButton icon="close" label={t`Close the result`} onPress={() => bulk.send({ type: 'bulk.dismiss' })} />
        ) : undefined}
      </div>
      {runs ? (
        <div className={styles['progress']}>
          <ProgressBar
            label={title}
            tone="running"
            share={total === 0 ? 1 : settled / total}
            valueText={t`${formatNumber(settled)} of ${formatNumber(total)}`}
          />
        </div>
      ) : undefined}
      {isOpen ? (
        <div className={styles['details']}>
          <BulkClientList
            label={t`Machines of the action`}
            count={lines.length}
            lineAt={position => lines[position] ?? NO_LINE}
          />
        </div>
      ) : undefined}
    </section>
  )
}

const NO_LINE: ClientLine = { id: '', name: '', icon: 'unknown', tone: 'unknown', text: '' }
