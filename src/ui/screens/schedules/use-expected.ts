import { useMemo } from 'react'
import { budgetsAhead, type BudgetAhead } from '../../../folding/schedule/budget-ahead.ts'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { withDraft } from '../../../machines/server/schedule-editor/schedule-editor.selectors.ts'
import { useClock } from '../../hooks/system-context.ts'

const MINUTE_MS = 60_000

/** `conditions`: also of budgets that are expected to be reached; `budgets`: these, by the keys of their conditions. */
export type ExpectedAnswer = SchedulesAnswer & { readonly budgets: Readonly<Record<string, BudgetAhead>> }

/** What the server answered, and what follows from it and the schedule that is edited for budgets. */
export function useExpected(
  answer: SchedulesAnswer | undefined,
  draft: Schedule | undefined,
): ExpectedAnswer | undefined {
  const now = useClock(at => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  return useMemo(() => {
    if (answer === undefined) return undefined
    const { machines: clients, conditions, prices } = answer
    const schedules = withDraft(answer.schedules, draft).filter(({ isEnabled }) => isEnabled)
    const budgets = budgetsAhead({ schedules, clients, conditions, prices }, now)
    const expected = Object.entries(budgets).map(([key, { condition }]) => [key, condition] as const)
    return { ...answer, budgets, conditions: { ...conditions, ...Object.fromEntries(expected) } }
  }, [answer, draft, now])
}
