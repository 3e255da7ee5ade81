import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { isPartAwaited } from '../../../../machines/app/app.selectors.ts'
import { useSelector } from '../../../hooks/use-selector.ts'
import { formatNumber } from '../../../../folding/text/format.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'
import {
  selectShownIds,
  whyNotControllable,
  whyNothingToFinish,
} from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { useWhyBusy } from '../../../hooks/use-bulk.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { requestStates } from '../client/request-state.ts'
import styles from './fleet-actions.module.css'

type FleetAction = {
  readonly state: FoldingState
  readonly icon: IconName
  readonly allLabel: string
  readonly shownLabel: (count: string) => string
}

export const fleetActions: readonly FleetAction[] = [
  { state: 'fold', icon: 'do-fold', allLabel: t`Fold All`, shownLabel: count => t`Fold ${count} Shown` },
  { state: 'pause', icon: 'do-pause', allLabel: t`Pause All`, shownLabel: count => t`Pause ${count} Shown` },
  { state: 'finish', icon: 'do-finish', allLabel: t`Finish All`, shownLabel: count => t`Finish ${count} Shown` },
]

type Props = {
  /** The clients that match the filter; undefined when there is no filter. */
  readonly ids: readonly string[] | undefined
}

/** Buttons that fold, pause or finish all clients, or those that match the filter. */
export function FleetActions({ ids }: Props) {
  const system = useSystem()
  const { fleet } = system
  const noneReachable = useSelector(fleet, whyNotControllable)
  const blocked = noneReachable ?? (ids?.length === 0 ? t`No machines are shown.` : undefined)
  const busy = useWhyBusy()
  const [pressed, setPressed] = useState<FoldingState>()
  const isAwaited = useSelector(system.app, isPartAwaited('bulk'))
  const noFinish = useSelector(fleet, whyNothingToFinish(ids))
  return (
    <div role="group" aria-label={t`All machines`} className={styles['actions']}>
      {fleetActions.map(({ state, icon, allLabel, shownLabel }) => (
        <Button
          key={state}
          icon={icon}
          kind={state === 'fold' ? 'primary' : 'quiet'}
          blockedBecause={blocked ?? busy ?? (state === 'finish' ? noFinish : undefined)}
          isPending={isAwaited && pressed === state}
          onPress={() => {
            setPressed(state)
            requestStates(system, state, ids ?? selectShownIds('usual')(fleet.getSnapshot()))
          }}
        >
          {ids === undefined ? allLabel : shownLabel(formatNumber(ids.length))}
        </Button>
      ))}
    </div>
  )
}
