import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { processorTitle } from '../../../../folding/fleet/bulk-text.ts'
import { selectId, selectViewNow } from '../../../../machines/connection/client/client.selectors.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'
import { useClient, useClientSelector } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useBulk, useWhyBusy } from '../../../hooks/use-bulk.ts'
import { useIsRelayPending } from '../../../hooks/use-relay-pending.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import {
  askedProcessorState,
  processorBlocker,
  processorText,
  requestProcessor,
  shownProcessors,
  statesFor,
  type ShownProcessor,
} from './request-processor.ts'
import { useNotes, useWantedNotes } from './use-notes.ts'
import styles from './processors.module.css'

const askedTexts: Readonly<Record<FoldingState, string>> = {
  fold: t`resuming…`,
  pause: t`pausing…`,
  finish: t`finishing…`,
}

function Line({ shown, text }: { readonly shown: ShownProcessor; readonly text: string | undefined }) {
  const client = useClient()
  const system = useSystem()
  const bulk = useBulk()
  const id = useClientSelector(selectId)
  const viewNow = selectViewNow(useIsRelayPending())
  const asked = useSelector(bulk, askedProcessorState(id, shown.processor))
  const busy = useWhyBusy()
  const blocked = useClientSelector(snapshot => processorBlocker(viewNow(snapshot)))
  return (
    <li className={styles['line']}>
      <Icon name={shown.state === 'finish' ? 'do-finish' : 'do-pause'} />
      <span>
        <bdi>{shown.name}</bdi>: {text}
      </span>
      <span role="status" className={asked === undefined ? 'visually-hidden' : styles['asked']}>
        {asked === undefined ? '' : askedTexts[asked]}
      </span>
      {statesFor(shown.state).map(state => (
        <Button
          key={state}
          isSmall
          isPending={asked === state}
          blockedBecause={blocked ?? (asked === undefined ? busy : undefined)}
          onPress={() => requestProcessor(client, system, shown.processor, state)}
        >
          {processorTitle(state, shown.name)}
        </Button>
      ))}
    </li>
  )
}

function keyOf({ processor: { gpu = '' }, state, note }: ShownProcessor): string {
  return `${gpu} ${state ?? ''} ${note?.at ?? ''}`
}

type Props = { readonly group: string; readonly isWithoutUnits: boolean }

/** The processors of a group that are paused or finish while the group goes on: all, or only those that have no unit. */
export function ProcessorLines({ group, isWithoutUnits }: Props) {
  const client = useClient()
  const { notes, isKnown, isWatched } = useNotes()
  const linesOf = (): readonly ShownProcessor[] =>
    shownProcessors(client.getSnapshot(), group, notes).filter(
      shown => processorText(shown, isWatched) !== undefined && !(isWithoutUnits && shown.hasUnits),
    )
  useClientSelector(() => linesOf().map(keyOf).join('\n'))
  const lines = linesOf()
  useWantedNotes(lines.some(({ state }) => state === 'off'))
  if (lines.length === 0 || !isKnown) return null
  return (
    <ul className="grid" aria-label={t`GPUs and CPUs`}>
      {lines.map(shown => (
        <Line key={keyOf(shown)} shown={shown} text={processorText(shown, isWatched)} />
      ))}
    </ul>
  )
}
