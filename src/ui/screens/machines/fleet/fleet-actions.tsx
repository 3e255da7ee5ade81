import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { formatNumber } from '../../../../folding/shared/format.ts'
import type { FoldingState } from '../../../../folding/machine/group.ts'
import { whyNobodyObeys, whyNothingToFinish } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import styles from './fleet-actions.module.css'

const actions: readonly { readonly word: FoldingState; readonly icon: IconName; readonly verb: string }[] = [
  { word: 'fold', icon: 'do-fold', verb: t`Fold` },
  { word: 'pause', icon: 'do-pause', verb: t`Pause` },
  { word: 'finish', icon: 'do-finish', verb: t`Finish` },
]

type Props = {
  /** The machines that the filter lets through; undefined when it lets all through. */
  readonly ids: readonly string[] | undefined
}

/** Fold, pause or finish everything that is shown. */
export const FleetActions = ({ ids }: Props) => {
  const { fleet } = useSystem()
  const obstacle = useSelector(fleet, whyNobodyObeys)
  const blocked = obstacle ?? (ids?.length === 0 ? t`No machine is shown.` : undefined)
  const noFinish = useSelector(fleet, whyNothingToFinish(ids))
  return (
    <div role="group" aria-label={t`All machines`} className={styles['actions']}>
      {actions.map(({ word, icon, verb }) => (
        <Button
          key={word}
          icon={icon}
          kind={word === 'fold' ? 'primary' : 'quiet'}
          blockedBecause={blocked ?? (word === 'finish' ? noFinish : undefined)}
          onPress={() => fleet.send({ type: 'fleet.setState', state: word, ...(ids === undefined ? {} : { ids }) })}
        >
          {ids === undefined ? t`${verb} All` : t`${verb} ${formatNumber(ids.length)} Shown`}
        </Button>
      ))}
    </div>
  )
}
