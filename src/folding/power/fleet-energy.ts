/*
 * What the machines of a fleet draw now, and what they used in the last 31 days: in all, by day, and by machine, resource
 * group, GPU and project.
 */
import { t } from '@lingui/core/macro'
import type { ClientInfo, Unit } from '../../protocol/client/client-data.ts'
import { infoOf, type ClientView } from '../client/client.ts'
import { groupTitleOf } from '../client/group.ts'
import { gpuModel, shortGpuName } from '../client/resources.ts'
import { tagsOfClient, type Tags } from '../fleet/tags.ts'
import { daysFrom } from '../schedule/spans.ts'
import { text, texts } from '../shared/read.ts'
import { clientTime } from '../unit/unit-meaning.ts'
import { currentPpd, projectOf } from '../unit/unit-progress.ts'
import { drawOf, drawOfUnit, sumOfDraws, workingUnits, type Draw } from './draw.ts'
import {
  NO_RATES,
  NOTHING_USED,
  plus,
  sumOf,
  sumOfAll,
  usedBy,
  yearAtPace,
  type Rates,
  type Sample,
  type Used,
} from './energy.ts'
import type { PowerProfile, Tariffs } from './power.ts'
import { pricesIn } from './price.ts'
import type { PowerReport } from './report.ts'
import {
  endedRun,
  outsideOf,
  runningRun,
  sampleOfRun,
  samplesOfRuns,
  usedBySamples,
  type UnitRun,
} from './unit-energy.ts'

const DAY = 86_400_000
/** With today, so that the month that is under way is in it. */
const DAYS = 31

export type PoweredMachine = {
  readonly id: string
  /** By its own id. */
  readonly key: string | undefined
  readonly name: string
  readonly view: ClientView
  /** Complete: with guesses. */
  readonly profile: PowerProfile
  /** Units that ended, of any time. */
  readonly ended: readonly Unit[]
}

export type EnergyDay = {
  readonly date: string
  readonly begin: number
  readonly end: number
  readonly rates: Rates
}

/** Something that uses energy: `now` and `ppd` at this moment, `used` in the last 31 days. */
export type PowerUser = {
  readonly id: string
  readonly name: string
  readonly now: Draw
  readonly ppd: number
  readonly used: Used
  readonly byDay: readonly Used[]
}

export type MachineEnergy = PowerUser & {
  /** What it would draw less if it were paused; undefined where that is not known. */
  readonly saves: number | undefined
  /** When what is known of it begins; undefined without. */
  readonly since: number | undefined
}

/** The last 31 days of a zone with today as the last one, and their prices. */
export function energyDays(now: number, tariffs: Tariffs | undefined, timeZone: string, report: PowerReport) {
  return daysFrom(now - DAYS * DAY, timeZone, DAYS + 2)
    .filter(({ begin }) => begin <= now)
    .slice(-DAYS)
    .map((day): EnergyDay => {
      const context = { timeZone, lists: report.lists }
      const prices = (tariff: Tariffs['price'] | undefined) => pricesIn(tariff, context, day.begin, day.end)
      return { ...day, rates: { price: prices(tariffs?.price), co2: prices(tariffs?.co2) } }
    })
}

function runsOf({ view, ended }: PoweredMachine, from: number, now: number): readonly UnitRun[] {
  const at = clientTime(view.data, now)
  const running = view.isConnected ? workingUnits(view.data, now).flatMap(unit => runningRun(unit, at) ?? []) : []
  return [...ended.flatMap(unit => endedRun(unit) ?? []), ...running].filter(({ until }) => until > from)
}

/** `ppd` of the units that run now. */
function ppdNow({ data, isConnected }: ClientView, now: number): number {
  return isConnected
    ? workingUnits(data, now).reduce((sum, unit) => sum + currentPpd(unit, clientTime(data, now)), 0)
    : 0
}

/** One machine: what a server noted of it, and estimates from its units for the rest of the time. */
export function machineEnergy(
  machine: PoweredMachine,
  days: readonly EnergyDay[],
  report: PowerReport,
  now: number,
): MachineEnergy {
  const { id, key, name, view, profile } = machine
  const from = days[0]?.begin ?? now
  const record = key === undefined ? [] : (report.records[key] ?? [])
  const samples = outsideOf(record, samplesOfRuns(runsOf(machine, from, now), infoOf(view), profile))
  const byDay = days.map(({ begin, end, rates }) =>
    plus(sumOf(record, begin, end), usedBySamples(samples, begin, end, rates)),
  )
  const draw = drawOf(view, profile, now, key === undefined ? undefined : report.meters[key])
  const first = Math.min(samples[0]?.from ?? Infinity, record[0]?.from ?? Infinity)
  return {
    id,
    name,
    now: draw,
    ppd: ppdNow(view, now),
    used: sumOfAll(byDay),
    byDay,
    saves: savedByPause(view, profile, now),
    since: first < now ? Math.max(from, first) : undefined,
  }
}

/** A machine that is paused still draws what it draws idle. */
function savedByPause(view: ClientView, profile: PowerProfile, now: number): number | undefined {
  const [folding, idle] = [drawOf(view, profile, now).watts, profile.idle?.watts]
  return folding === undefined || idle === undefined ? undefined : Math.max(0, folding - idle)
}

export type PartKind = 'group' | 'gpu' | 'project'

/** What the units of each resource group, GPU model or project used by themselves, without what machines draw idle. */
export function partsOf(
  kind: PartKind,
  machines: readonly PoweredMachine[],
  days: readonly EnergyDay[],
  now: number,
): readonly PowerUser[] {
  const parts = new Map<string, { name: string; now: Draw; ppd: number; byDay: readonly Used[] }>()
  const from = days[0]?.begin ?? now
  for (const machine of machines) {
    const info = infoOf(machine.view)
    for (const run of runsOf(machine, from, now)) {
      const place = placeOf(kind, run.unit, machine, info)
      if (place === undefined) continue
      const part = parts.get(place.id) ?? {
        name: place.name,
        now: { watts: 0, origin: undefined },
        ppd: 0,
        byDay: days.map(() => NOTHING_USED),
      }
      parts.set(place.id, part)
      part.byDay = withRun(part.byDay, sampleOfRun(run, info, machine.profile), days)
    }
    for (const unit of machine.view.isConnected ? workingUnits(machine.view.data, now) : []) {
      const place = placeOf(kind, unit, machine, info)
      const part = place === undefined ? undefined : parts.get(place.id)
      if (part === undefined) continue
      part.now = sumOfDraws([part.now, drawOfUnit(unit, info, machine.profile)])
      part.ppd += currentPpd(unit, clientTime(machine.view.data, now))
    }
  }
  return [...parts].map(([id, part]) => ({ id, ...part, used: sumOfAll(part.byDay) }))
}

function withRun(byDay: readonly Used[], sample: Sample | undefined, days: readonly EnergyDay[]): readonly Used[] {
  return sample === undefined
    ? byDay
    : byDay.map((used, index) => {
        const { begin, end, rates } = days[index] ?? { begin: 0, end: 0, rates: NO_RATES }
        const [from, until] = [Math.max(begin, sample.from), Math.min(end, sample.until)]
        return from < until ? plus(used, usedBy({ ...sample, from, until }, rates)) : used
      })
}

function placeOf(
  kind: PartKind,
  unit: Unit,
  { id, name }: PoweredMachine,
  info: ClientInfo | undefined,
): { readonly id: string; readonly name: string } | undefined {
  if (kind === 'project') {
    const project = projectOf(unit)
    return project === undefined ? undefined : { id: String(project), name: String(project) }
  }
  if (kind === 'group') {
    const group = text(unit.group) ?? ''
    return { id: `${id} ${group}`, name: `${name}: ${groupTitleOf(info, group)}` }
  }
  const [gpu] = texts(unit.gpus)
  if (gpu === undefined) return undefined
  const model = shortGpuName(gpuModel(info, gpu))
  return { id: model, name: model }
}

/** The sums of machines by tag; a machine with several tags counts for each. Watts of machines that are away are in no sum. */
export function tagSums(
  machines: readonly PoweredMachine[],
  energies: readonly MachineEnergy[],
  tags: Tags,
): readonly PowerUser[] {
  const away = new Set(machines.flatMap(({ id, view }) => (view.isConnected ? [] : [id])))
  const keys = new Map(machines.map(({ id, key }) => [id, key]))
  const parts = new Map<string, { readonly name: string; readonly machines: MachineEnergy[] }>()
  for (const energy of energies) {
    const clientTags = tagsOfClient(tags, keys.get(energy.id))
    for (const tag of clientTags.length === 0 ? [''] : clientTags) {
      const part = parts.get(tag.toLowerCase()) ?? { name: tag === '' ? t`Without tags` : tag, machines: [] }
      parts.set(tag.toLowerCase(), part)
      part.machines.push(energy)
    }
  }
  return [...parts].map(([id, part]) => {
    const here = part.machines.filter(machine => !away.has(machine.id))
    return {
      id,
      name: part.name,
      now: here.length === 0 ? { watts: undefined, origin: undefined } : sumOfDraws(here.map(({ now }) => now)),
      ppd: part.machines.reduce((sum, { ppd }) => sum + ppd, 0),
      used: sumOfAll(part.machines.map(({ used }) => used)),
      byDay: (part.machines[0]?.byDay ?? []).map((_, index) =>
        sumOfAll(part.machines.flatMap(({ byDay }) => byDay[index] ?? [])),
      ),
    }
  })
}

/** Sums of a fleet. `unknown`: connected machines of which the watts are not known; they are in no sum. */
export type FleetEnergy = {
  readonly now: Draw
  readonly ppd: number
  readonly unknown: number
  readonly today: Used
  readonly month: Used
  readonly all: Used
  readonly byDay: readonly Used[]
  /** A year at the pace of the known time; undefined while that is too short. `days`: what it is based on. */
  readonly year: { readonly used: Used; readonly days: number } | undefined
}

export function fleetEnergy(
  machines: readonly MachineEnergy[],
  connected: ReadonlySet<string>,
  days: readonly EnergyDay[],
  now: number,
): FleetEnergy {
  const withWatts = machines.filter(machine => machine.now.watts !== undefined)
  const byDay = days.map((_, index) => sumOfAll(machines.flatMap(machine => machine.byDay[index] ?? [])))
  const month = days.at(-1)?.date.slice(0, 7) ?? ''
  const all = sumOfAll(byDay)
  const since = Math.min(...machines.map(machine => machine.since ?? now), now)
  const year = yearAtPace(all, now - since)
  return {
    now: sumOfDraws(withWatts.map(machine => machine.now)),
    ppd: withWatts.reduce((sum, machine) => sum + machine.ppd, 0),
    unknown: machines.filter(({ id, now: { watts } }) => watts === undefined && connected.has(id)).length,
    today: byDay.at(-1) ?? NOTHING_USED,
    month: sumOfAll(byDay.filter((_, index) => days[index]?.date.startsWith(month) === true)),
    all,
    byDay,
    year: year === undefined ? undefined : { used: year, days: (now - since) / DAY },
  }
}

/** Pausing the first machines: how many, the watts that it saves, and the points per day that it costs. */
export type Saving = { readonly machines: readonly MachineEnergy[]; readonly watts: number; readonly ppd: number }

/** What pausing the one, two, … least efficient machines would save; at most half of those that fold. None while a guess decides which. */
export function savings(machines: readonly MachineEnergy[]): readonly Saving[] {
  const folding = machines.flatMap(machine =>
    machine.ppd > 0 && machine.saves !== undefined && machine.saves > 0 ? [{ machine, saves: machine.saves }] : [],
  )
  if (folding.some(({ machine }) => machine.now.origin === 'guess')) return []
  folding.sort((a, b) => a.machine.ppd / a.saves - b.machine.ppd / b.saves)
  return folding.slice(0, Math.min(MOST_SAVINGS, Math.floor(folding.length / 2))).map((_, index) => {
    const paused = folding.slice(0, index + 1)
    return {
      machines: paused.map(({ machine }) => machine),
      watts: paused.reduce((sum, { saves }) => sum + saves, 0),
      ppd: paused.reduce((sum, { machine }) => sum + machine.ppd, 0),
    }
  })
}

const MOST_SAVINGS = 5
