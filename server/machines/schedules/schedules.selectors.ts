import type { FoldingState } from '../../../src/protocol/commands.ts'
import type { Decision } from '../../../src/folding/schedule/decide.ts'
import type { Subject } from '../../../src/folding/schedule/schedule.ts'
import type { Override } from '../schedule/schedule.events.ts'
import { selectCondition, selectOverride, selectWanted, type SubjectCondition } from '../schedule/schedule.selectors.ts'
import type { SchedulesSnapshot } from './schedules.machine.ts'

/** What is decided for a machine or group, and how far it has come. */
export type SubjectState = {
  readonly subject: Subject
  readonly condition: SubjectCondition
  readonly wanted: FoldingState | undefined
  readonly decision: Decision
  readonly override: Override | undefined
}

export const selectSubjects = ({ context: { members } }: SchedulesSnapshot): readonly SubjectState[] =>
  Object.values(members).map(({ subject, ref }) => {
    const snapshot = ref.getSnapshot()
    return {
      subject,
      condition: selectCondition(snapshot),
      wanted: selectWanted(snapshot),
      decision: snapshot.context.decision,
      override: selectOverride(snapshot),
    }
  })
