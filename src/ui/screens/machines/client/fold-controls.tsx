import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { actionBlocker } from '../../../../folding/client/actions.ts'
import { clientState } from '../../../../folding/client/client.ts'
import { foldObstacle } from '../../../../folding/client/group.ts'
import { groupsToResume, finishBlocker } from '../../../../folding/client/finishing.ts'
import type { FoldingState } from '../../../../protocol/client/commands.ts'
import { isPartAwaited } from '../../../../machines/app/app.selectors.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import {
  selectAskedState,
  selectData,
  selectGroupState,
  selectViewNow,
} from '../../../../machines/connection/client/client.selectors.ts'
import { classNames } from '../../../parts/class-names.ts'
import { IconButton } from '../../../parts/actions/button.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { useClient, useClientSelector } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useIsRelayPending } from '../../../hooks/use-relay-pending.ts'
import styles from './fold-controls.module.css'
import { requestState } from './request-state.ts'

type Control = {
  readonly state: FoldingState
  readonly icon: IconName
  readonly word: string
  /** Of a button for a client or group of this name. */
  readonly label: (name: string) => string
  readonly hint: string
}

export const controls: readonly Control[] = [
  { state: 'fold', icon: 'do-fold', word: t`Fold`, label: name => t`Fold ${name}`, hint: t`Fold` },
  {
    state: 'pause',
    icon: 'do-pause',
    word: t`Pause`,
    label: name => t`Pause ${name}`,
    hint: t`Pause: stop now and keep progress`,
  },
  {
    state: 'finish',
    icon: 'do-finish',
    word: t`Finish`,
    label: name => t`Finish ${name}`,
    hint: t`Finish: complete the active work units, then pause`,
  },
]

const requestedLabels: Readonly<Record<FoldingState, string>> = {
  fold: t`resuming…`,
  pause: t`pausing…`,
  finish: t`finishing…`,
}
const reportedLabels: Readonly<Record<FoldingState | 'mixed', string>> = {
  fold: t`Folding`,
  pause: t`Paused`,
  finish: t`Finishing`,
  mixed: t`Groups in different states`,
}

const RESUME_AND_FINISH = t`Finish: resume, complete the active work units, then pause`

type Props = {
  /** A group's name, or undefined for the whole client. */
  readonly group?: string
  /** The name of the client or group, for labels. */
  readonly name: string
  /** Whether the buttons have words. */
  readonly hasWords?: boolean
  /** The only button. */
  readonly only?: FoldingState
}

function stateOf(group: string | undefined) {
  return (snapshot: ClientSnapshot): FoldingState | 'mixed' | undefined =>
    group === undefined ? clientState(selectData(snapshot)) : selectGroupState(group)(snapshot)
}

/** Fold, pause, finish. A requested state shows at once, marked as requested until the client reports it. */
export function FoldControls({ group, name, hasWords = false, only }: Props) {
  const client = useClient()
  const system = useSystem()
  const state = useClientSelector(stateOf(group))
  const requested = useClientSelector(selectAskedState(group))
  const viewNow = selectViewNow(useIsRelayPending())
  const blocked = useClientSelector(snapshot => actionBlocker('fold', viewNow(snapshot)))
  const noFinish = useClientSelector(snapshot => finishBlocker(selectData(snapshot), group))
  const obstacle = useClientSelector(snapshot => foldObstacle(selectData(snapshot), group))
  const isResuming = useClientSelector(snapshot => groupsToResume(selectData(snapshot), group).length > 0)
  return (
    <StateButtons
      name={name}
      hasWords={hasWords}
      only={only}
      obstacle={state === 'fold' ? undefined : obstacle}
      state={state}
      requested={requested}
      blocked={blocked}
      noFinish={noFinish}
      isResuming={isResuming}
      onRequest={next => requestState(client, system, next, group)}
    />
  )
}

type ButtonsProps = Pick<Props, 'name' | 'hasWords'> & {
  readonly only?: FoldingState | undefined
  /** Why it would not fold. */
  readonly obstacle?: string | undefined
  readonly state: FoldingState | 'mixed' | undefined
  readonly requested: FoldingState | undefined
  readonly blocked: string | undefined
  /** Why it cannot finish. */
  readonly noFinish?: string | undefined
  /** Whether it is paused, and folds until it has finished. */
  readonly isResuming?: boolean
  readonly onRequest: (state: FoldingState) => void
}

/** The buttons for something that folds, is paused or finishes. */
export function StateButtons({
  name,
  hasWords = false,
  only,
  obstacle,
  state,
  requested,
  blocked,
  noFinish,
  isResuming = false,
  onRequest,
}: ButtonsProps) {
  const { app } = useSystem()
  const [pressed, setPressed] = useState<FoldingState | 'sent'>()
  const isBulkAwaited = useSelector(app, isPartAwaited('bulk'))
  const asked = requested ?? (isBulkAwaited && pressed !== 'sent' ? pressed : undefined)
  const request = (next: FoldingState): void => {
    onRequest(next)
    setPressed(isPartAwaited('bulk')(app.getSnapshot()) ? next : 'sent')
  }
  return (
    <div role="group" aria-label={t`Fold, pause or finish ${name}`} className="line gap-2">
      <span
        role="status"
        // Screen readers would announce the state of each client that appears, and of each that changes by itself.
        aria-live={pressed === undefined ? 'off' : 'polite'}
        className={asked === undefined ? 'visually-hidden' : 'nowrap accent type-3 italic'}
      >
        {asked === undefined ? (state === undefined ? '' : reportedLabels[state]) : requestedLabels[asked]}
      </span>
      <span className={classNames(styles['buttons'], hasWords && styles['words'])}>
        {controls
          .filter(control => only === undefined || control.state === only)
          .map(({ state: target, icon, word, label, hint }) => (
            <IconButton
              key={target}
              icon={icon}
              label={label(name)}
              word={hasWords ? word : undefined}
              hint={
                target === 'fold' && obstacle !== undefined
                  ? `${hint}\n${obstacle}`
                  : target === 'finish' && isResuming
                    ? RESUME_AND_FINISH
                    : hint
              }
              isPressed={(asked ?? state) === target}
              isPending={asked === target}
              blockedBecause={blocked ?? (target === 'finish' ? noFinish : undefined)}
              onPress={() => request(target)}
            />
          ))}
      </span>
    </div>
  )
}
