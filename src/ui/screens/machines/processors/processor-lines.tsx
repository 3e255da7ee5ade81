import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useMemo } from 'react'
import { formatLocalShort } from '../../../../folding/text/times.ts'
import { selectClientKey, selectId, selectViewNow } from '../../../../machines/connection/client/client.selectors.ts'
import { selectNotes } from '../../../../machines/fleet/processors/processors.selectors.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'
import { useClient, useClientSelector } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useBulk } from '../../../hooks/use-bulk.ts'
import { useIsRelayPending } from '../../../hooks/use-relay-pending.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import {
  askedProcessorState,
  BUSY,
  isBusy,
  processorBlocker,
  requestProcessor,
  shownProcessors,
  statesFor,
  type ShownProcessor,
} from './request-processor.ts'
import styles from './processors.module.css'

function lineText({ name, state, note }: ShownProcessor): string {
  if (state === 'finish') return t`${name} is finishing. Keep this page open: it is paused when its work unit is done.`
  if (note === undefined) return t`${name} is disabled in its group, perhaps paused from another page.`
  return t`${name} has been paused by itself since ${formatLocalShort(note.at)}.`
}

const words: Readonly<Record<FoldingState, { readonly word: string; readonly asked: string }>> = {
  fold: { word: t`Fold`, asked: t`resuming…` },
  pause: { word: t`Pause`, asked: t`pausing…` },
  finish: { word: t`Finish`, asked: t`finishing…` },
}

function Line({ shown }: { readonly shown: ShownProcessor }) {
  const client = useClient()
  const system = useSystem()
  const bulk = useBulk()
  const id = useClientSelector(selectId)
  const viewNow = selectViewNow(useIsRelayPending())
  const asked = useSelector(bulk, askedProcessorState(id, shown.processor))
  const isOtherRunning = useSelector(bulk, isBusy) && asked === undefined
  const blocked = useClientSelector(snapshot => processorBlocker(viewNow(snapshot)))
  return (
    <li className={styles['line']}>
      <Icon name={shown.state === 'finish' ? 'do-finish' : 'do-pause'} />
      <span>{lineText(shown)}</span>
      <span role="status" className={asked === undefined ? 'visually-hidden' : styles['asked']}>
        {asked === undefined ? '' : words[asked].asked}
      </span>
      {statesFor(shown.state).map(state => (
        <Button
          key={state}
          isSmall
          isPending={asked === state}
          blockedBecause={blocked ?? (isOtherRunning ? BUSY : undefined)}
          onPress={() => requestProcessor(client, system, shown.processor, state)}
        >
          {state === 'fold' ? t`Fold ${shown.name}` : t`Pause ${shown.name}`}
        </Button>
      ))}
    </li>
  )
}

function keyOf({ processor: { gpu = '' }, state, note }: ShownProcessor): string {
  return `${gpu} ${state ?? ''} ${note?.at ?? ''}`
}

/** The processors of a group that are paused or finish while the group goes on. */
export function ProcessorLines({ group }: { readonly group: string }) {
  const client = useClient()
  const { processors } = useSystem()
  const notes = useSelector(processors, selectNotes(useClientSelector(selectClientKey)))
  const linesOf = (): readonly ShownProcessor[] =>
    shownProcessors(client.getSnapshot(), group, notes).filter(
      ({ state, note }) => state === 'pause' || state === 'off' || (state === 'finish' && note !== undefined),
    )
  const keys = useClientSelector(() => linesOf().map(keyOf).join('\n'))
  // eslint-disable-next-line react-hooks/exhaustive-deps -- `keys` is all that the lines depend on
  const lines = useMemo(linesOf, [keys])
  if (lines.length === 0) return null
  return (
    <ul className={styles['lines']} aria-label={t`Paused GPUs and CPUs`}>
      {lines.map(shown => (
        <Line key={keyOf(shown)} shown={shown} />
      ))}
    </ul>
  )
}
