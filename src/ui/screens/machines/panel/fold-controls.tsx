import { t } from '@lingui/core/macro'
import { whyNot } from '../../../../folding/machine/actions.ts'
import { clientState } from '../../../../folding/machine/client.ts'
import { groupsToResume, whyNothingToFinish } from '../../../../folding/machine/finishing.ts'
import type { FoldingState } from '../../../../folding/machine/group.ts'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import {
  selectAskedState,
  selectGroupState,
  selectView,
} from '../../../../machines/connection/client/client.selectors.ts'
import { IconButton } from '../../../parts/actions/button.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { useClient, useFact } from '../client-context.ts'
import styles from './fold-controls.module.css'

type Control = { readonly word: FoldingState; readonly icon: IconName; readonly label: string; readonly hint: string }

const controls: readonly Control[] = [
  { word: 'fold', icon: 'do-fold', label: t`Fold`, hint: t`Fold` },
  { word: 'pause', icon: 'do-pause', label: t`Pause`, hint: t`Pause: stop at once, keep the work` },
  { word: 'finish', icon: 'do-finish', label: t`Finish`, hint: t`Finish: complete the active work units, then pause` },
]

const askedWords: Readonly<Record<FoldingState, string>> = {
  fold: 'resuming…',
  pause: 'pausing…',
  finish: 'finishing…',
}
const factWords: Readonly<Record<FoldingState | 'mixed', string>> = {
  fold: t`Folding`,
  pause: t`Paused`,
  finish: t`Finishing`,
  mixed: t`Groups differ`,
}

const RESUME_AND_FINISH = t`Finish: resume, complete the active work units, then pause`

type Props = {
  /** A group's name, or undefined for the whole machine. */
  readonly group?: string
  /** What is controlled, as a person would call it. */
  readonly what: string
}

const stateOf =
  (group: string | undefined) =>
  (snapshot: ClientSnapshot): FoldingState | 'mixed' | undefined =>
    group === undefined ? clientState(snapshot.context.record.data) : selectGroupState(group)(snapshot)

/** Fold, pause, finish: what was asked shows at once, and becomes fact when the machine says so. */
export const FoldControls = ({ group, what }: Props) => {
  const client = useClient()
  const state = useFact(stateOf(group))
  const asked = useFact(selectAskedState(group))
  const blocked = useFact(snapshot => whyNot('fold', selectView(snapshot)))
  const noFinish = useFact(({ context }) => whyNothingToFinish(context.record.data, group))
  const resumes = useFact(({ context }) => groupsToResume(context.record.data, group).length > 0)
  const ask = (word: FoldingState): void =>
    client.send({ type: 'client.setState', state: word, ...(group === undefined ? {} : { group }) })
  return (
    <div role="group" aria-label={t`Fold, pause or finish ${what}`} className={styles['controls']}>
      <span role="status" className={asked === undefined ? 'visually-hidden' : styles['asked']}>
        {asked === undefined ? (state === undefined ? '' : factWords[state]) : askedWords[asked]}
      </span>
      <span className={styles['buttons']}>
        {controls.map(({ word, icon, label, hint }) => (
          <IconButton
            key={word}
            icon={icon}
            label={`${label} ${what}`}
            hint={word === 'finish' && resumes ? RESUME_AND_FINISH : hint}
            isPressed={(asked ?? state) === word}
            isPending={asked === word}
            blockedBecause={blocked ?? (word === 'finish' ? noFinish : undefined)}
            onPress={() => ask(word)}
          />
        ))}
      </span>
    </div>
  )
}
