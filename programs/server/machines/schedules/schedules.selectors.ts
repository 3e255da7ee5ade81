import type { FoldingState } from '../../../../src/protocol/client/commands.ts'
import type { Decision, IdleAhead } from '../../../../src/folding/schedule/decide.ts'
import type { Subject } from '../../../../src/folding/schedule/schedule.ts'
import type { Override } from '../schedule/saved.ts'
import {
  isIdle,
  selectCondition,
  selectIdle,
  selectOverride,
  selectPaused,
  selectWanted,
  selectWantedKey,
  type SubjectCondition,
} from '../schedule/schedule.selectors.ts'
import type { SchedulesSnapshot } from './schedules.machine.ts'

/** What is decided for a client or group, and how far it has come. */
export type SubjectState = {
  readonly subject: Subject
  readonly condition: SubjectCondition
  readonly wanted: FoldingState | undefined
  readonly decision: Decision
  readonly override: Override | undefined
  readonly idle: IdleAhead | undefined
}

/** A decision that has not reached its client. `key` tells it from the next one. */
export type PendingChange = { readonly machine: string; readonly key: string; readonly isSending: boolean }

/** What waits for clients that are not connected, or whose state is too old, and what is being sent. */
export function selectPending({ context: { members } }: SchedulesSnapshot): readonly PendingChange[] {
  return Object.entries(members).flatMap(
    ([
      subject,
      {
        subject: { machine: client },
        ref,
      },
    ]) => {
      const snapshot = ref.getSnapshot()
      const condition = selectCondition(snapshot)
      const isWaiting = (condition === 'away' && snapshot.context.seen.mayAct) || snapshot.matches('outdated')
      return isWaiting || condition === 'sending'
        ? [
            {
              machine: client,
              key: `${subject} ${selectWantedKey(snapshot) ?? ''}`,
              isSending: condition === 'sending',
            },
          ]
        : []
    },
  )
}

export function selectSubjects({ context: { members } }: SchedulesSnapshot): readonly SubjectState[] {
  return Object.values(members).flatMap(({ subject, ref }) => {
    const snapshot = ref.getSnapshot()
    if (isIdle(snapshot)) return []
    return {
      subject,
      condition: selectCondition(snapshot),
      wanted: selectWanted(snapshot),
      decision: snapshot.context.decision,
      override: selectOverride(snapshot),
      idle: selectIdle(snapshot),
    }
  })
}

/** The groups of each client, by its address, that schedules paused and resume. */
export function selectPausedGroups({
  context: { members },
}: SchedulesSnapshot): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { subject, ref } of Object.values(members)) {
    const paused = selectPaused(ref.getSnapshot())
    if (paused.length > 0) found.set(subject.machine, [...(found.get(subject.machine) ?? []), ...paused])
  }
  return found
}
