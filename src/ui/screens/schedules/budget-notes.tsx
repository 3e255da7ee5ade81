import { t } from '@lingui/core/macro'
import { formatKwh, formatMoney } from '../../../folding/power/power-text.ts'
import type { BudgetAhead } from '../../../folding/schedule/budget-ahead.ts'
import { conditionKey } from '../../../folding/schedule/decide.ts'
import { boundaryText, stateNames } from '../../../folding/schedule/schedule-text.ts'
import { isTimeRule, type Schedule } from '../../../folding/schedule/schedule.ts'
import { useClock } from '../../hooks/system-context.ts'
import type { ExpectedAnswer } from './use-expected.ts'

const MINUTE_MS = 60_000

type NoteProps = { readonly budget: BudgetAhead; readonly currency: string | undefined }

function Note({ budget: { rule, used, condition }, currency }: NoteProps) {
  const now = useClock(at => Math.floor(at / MINUTE_MS) * MINUTE_MS)
  const show = (value: number): string =>
    rule.unit === 'kWh' || currency === undefined ? formatKwh(value * 1000) : formatMoney(value, currency)
  const [amount, spent] = [show(rule.amount), show(used)]
  const next = condition.spans?.find(({ begin }) => begin > now)
  const [begin, end] = next === undefined ? [] : [boundaryText(next.begin, now), boundaryText(next.end, now)]
  const state = stateNames[rule.state]
  return (
    <p className="quiet type-3 pretty">
      {t`This month ${spent} of ${amount} are used.`}
      {begin === undefined || end === undefined
        ? ''
        : ` ${t`The budget will be reached about ${begin}, then until ${end}: ${state}.`}`}
    </p>
  )
}

type Props = { readonly answer: ExpectedAnswer; readonly schedule: Schedule }

/** How much of its budgets a schedule has used, and when they will be reached as far as that can be seen. */
export function BudgetNotes({ answer: { budgets, currency }, schedule }: Props) {
  return schedule.rules.map((rule, index) => {
    const budget = isTimeRule(rule) ? undefined : budgets[conditionKey(schedule.id, rule)]
    return budget === undefined ? undefined : <Note key={index} budget={budget} currency={currency} />
  })
}
