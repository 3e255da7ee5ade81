import { t } from '@lingui/core/macro'
import { conditionsAhead } from '../../../folding/schedule/conditions.ts'
import { preview } from '../../../folding/schedule/decide.ts'
import { forecastOf } from '../../../folding/schedule/forecast.ts'
import { isTargetOf, type Schedule } from '../../../folding/schedule/schedule.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { chosenLocales } from '../../../folding/text/format.ts'
import { useClock } from '../../hooks/system-context.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

type Props = { readonly answer: SchedulesAnswer; readonly schedule: Schedule }

/** What the machines of a schedule would use and cost in the next seven days, as far as watts and prices are known. */
export function WeekCost({ answer: { machines: clients, conditions, prices, currency }, schedule }: Props) {
  const now = useClock(at => Math.floor(at / HOUR_MS) * HOUR_MS)
  const knownWatts = clients
    .filter(client => schedule.targets.some(target => isTargetOf(target, client)))
    .flatMap(({ watts }) => (watts === undefined ? [] : [watts]))
  if (knownWatts.length === 0) return null
  const sum = (read: (watts: (typeof knownWatts)[number]) => number): number =>
    knownWatts.reduce((total, watts) => total + read(watts), 0)
  const watts = { idle: sum(({ idle }) => idle), folding: sum(({ folding }) => folding) }
  const expected = { ...conditions, ...conditionsAhead([schedule], { conditions, prices }, now) }
  const { kWh, pricedKWh, money } = forecastOf(preview([schedule], expected, now, now + WEEK_MS), watts, prices)
  const number = new Intl.NumberFormat(chosenLocales(), { maximumSignificantDigits: 3 })
  const cost =
    currency === undefined || pricedKWh === 0
      ? undefined
      : new Intl.NumberFormat(chosenLocales(), { style: 'currency', currency }).format(money)
  const [energy, priced] = [number.format(kWh), number.format(pricedKWh)]
  const isWhole = pricedKWh >= kWh * 0.999
  return (
    <p className="quiet type-3 pretty">
      {cost === undefined
        ? t`About ${energy} kWh in the next seven days`
        : isWhole
          ? t`About ${energy} kWh and ${cost} in the next seven days`
          : t`About ${energy} kWh in the next seven days; the ${priced} kWh with known prices cost ${cost}`}
      {knownWatts.some(({ isGuess }) => isGuess) ? ` (${t`with guessed watts`})` : ''}
    </p>
  )
}
