import { clientKeyOf, infoOf, type ClientView } from '../../folding/client/client.ts'
import type { ClientPower } from '../../folding/fleet/client-facts.ts'
import { drawOf, workingUnits } from '../../folding/power/draw.ts'
import { usedBy } from '../../folding/power/energy.ts'
import { guessProfile } from '../../folding/power/hardware-power.ts'
import {
  completedProfile,
  profileOfClient,
  type PowerProfile,
  type PowerSettings,
  type Tariffs,
} from '../../folding/power/power.ts'
import { pricesIn } from '../../folding/power/price.ts'
import type { PowerReport } from '../../folding/power/report.ts'
import { efficiencyOf } from '../../folding/power/unit-energy.ts'
import { daysFrom } from '../../folding/schedule/spans.ts'
import { clientTime } from '../../folding/unit/unit-meaning.ts'
import { currentPpd } from '../../folding/unit/unit-progress.ts'
import { selectPower, selectPowerReport } from '../../machines/fleet/power/power.selectors.ts'
import type { System } from '../../machines/app/system.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** The watts of a client: those of the settings, and guesses for the rest. */
export function profileOfView(power: PowerSettings, view: ClientView): PowerProfile {
  return completedProfile(profileOfClient(power, clientKeyOf(view)), guessProfile(infoOf(view)))
}

type Known = {
  readonly power: PowerSettings
  readonly report: PowerReport
  readonly minute: number
  readonly facts: ClientPower
}
const lastByView = new WeakMap<ClientView, Known>()

/** Computed again when the client, the settings or the minute change. */
export function powerOf(system: Pick<System, 'power'>, view: ClientView, now: number): ClientPower {
  const snapshot = system.power.getSnapshot()
  const [power, report, minute] = [selectPower(snapshot), selectPowerReport(snapshot), Math.floor(now / MINUTE)]
  const last = lastByView.get(view)
  if (last?.power === power && last.report === report && last.minute === minute) return last.facts
  const facts = factsOf(power, report, view, now)
  lastByView.set(view, { power, report, minute, facts })
  return facts
}

function factsOf(power: PowerSettings, report: PowerReport, view: ClientView, now: number): ClientPower {
  const key = clientKeyOf(view)
  const draw = drawOf(view, profileOfView(power, view), now, key === undefined ? undefined : report.meters[key])
  const at = clientTime(view.data, now)
  const ppd = workingUnits(view.data, now).reduce((sum, unit) => sum + currentPpd(unit, at), 0)
  const price = power.tariffs === undefined ? undefined : averagePrice(power.tariffs, report, now)
  return {
    watts: draw.watts,
    isGuess: draw.origin === 'guess',
    pointsPerKwh: efficiencyOf(ppd, draw)?.pointsPerKwh,
    costDay: draw.watts === undefined || price === undefined ? undefined : ((draw.watts * 24) / 1000) * price,
    currency: power.tariffs?.currency ?? '',
  }
}

const averages = new WeakMap<
  Tariffs,
  { readonly report: PowerReport; readonly day: number; readonly price: number | undefined }
>()

/** Over the day of the zone that is under way; undefined where a price is missing. */
function averagePrice(tariffs: Tariffs, report: PowerReport, now: number): number | undefined {
  const { timeZone, price: tariff } = tariffs
  const last = averages.get(tariffs)
  if (last?.report === report && now < last.day) return last.price
  const today = daysFrom(Math.floor(now), timeZone, 1)[0] ?? { begin: now, end: now + DAY }
  const prices = pricesIn(tariff, { timeZone, lists: report.lists }, today.begin, today.end)
  // A kilowatt all day.
  const used = usedBy(
    { from: today.begin, until: today.end, watts: 1000, ppd: 0, origin: 'entered' },
    { price: prices, co2: [] },
  )
  const price = used.pricedWattHours < used.wattHours ? undefined : (used.cost / used.wattHours) * 1000
  averages.set(tariffs, { report, day: today.end, price })
  return price
}
