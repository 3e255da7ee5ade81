import type { ReactNode } from 'react'
import { useSelector } from '../../../hooks/use-selector.ts'
import { processorOf } from '../../../../folding/client/processors.ts'
import { selectData, selectId, selectViewNow } from '../../../../machines/connection/client/client.selectors.ts'
import { useClient, useClientSelector } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useBulk, useWhyBusy } from '../../../hooks/use-bulk.ts'
import { useIsRelayPending } from '../../../hooks/use-relay-pending.ts'
import { StateButtons } from './fold-controls.tsx'
import { selectUnit } from '../units/unit-access.ts'
import {
  askedProcessorState,
  processorBlocker,
  processorText,
  requestProcessor,
  shownProcessors,
  type ShownProcessor,
} from './request-processor.ts'
import { useNotes, useWantedNotes } from './use-notes.ts'
import styles from './processors.module.css'

type Props = {
  readonly unit: string
  /** In their place where its group has nothing else. */
  readonly otherwise?: ReactNode
}

/** Fold, pause or finish what computes a unit. */
export function ProcessorButtons({ unit, otherwise }: Props) {
  const client = useClient()
  const { notes, isKnown, isWatched } = useNotes()
  const find = selectUnit(unit)
  const shownOf = (): ShownProcessor | undefined => {
    const snapshot = client.getSnapshot()
    const found = find(snapshot)
    if (found === undefined || selectData(snapshot) === undefined) return undefined
    const { group, gpu } = processorOf(found)
    return shownProcessors(snapshot, group, notes).find(shown => shown.processor.gpu === gpu)
  }
  const key = useClientSelector(() => {
    const shown = shownOf()
    return shown === undefined || shown.isOnly
      ? ''
      : `${shown.name}\n${shown.state ?? ''}\n${processorText(shown, isWatched) ?? ''}`
  })
  const shown = key === '' ? undefined : shownOf()
  useWantedNotes(shown?.state === 'off')
  return shown === undefined ? (
    otherwise
  ) : (
    <Buttons shown={shown} text={isKnown ? processorText(shown, isWatched) : undefined} />
  )
}

type ButtonsProps = { readonly shown: ShownProcessor; readonly text: string | undefined }

function Buttons({ shown: { processor, name, state }, text }: ButtonsProps) {
  const client = useClient()
  const system = useSystem()
  const id = useClientSelector(selectId)
  const viewNow = selectViewNow(useIsRelayPending())
  const bulk = useBulk()
  const asked = useSelector(bulk, askedProcessorState(id, processor))
  const busy = useWhyBusy()
  const blocked = useClientSelector(snapshot => processorBlocker(viewNow(snapshot)))
  return (
    <>
      <p className={styles['name']}>
        <bdi>{name}</bdi>
        {text === undefined ? undefined : `: ${text}`}
      </p>
      <StateButtons
        name={name}
        state={state === 'off' ? 'pause' : state}
        requested={asked}
        blocked={blocked ?? (asked === undefined ? busy : undefined)}
        onRequest={next => requestProcessor(client, system, processor, next)}
      />
    </>
  )
}
