/*
 * What a machine draws now, from the states of its units.
 */
import type { ClientData, ClientInfo, Unit } from '../../protocol/client/client-data.ts'
import { unitsOf, type ClientView } from '../client/client.ts'
import { finite, positive, texts } from '../shared/read.ts'
import { clientTime, isWorking } from '../unit/unit-meaning.ts'
import { worseOrigin, type Figure, type Origin, type PowerProfile } from './power.ts'

/** What a meter of a machine last said. `at`: epoch milliseconds. */
export type MeterReading = { readonly watts: number; readonly at: number }

/** After this time a meter is silent, and figures are used in its place. */
export const METER_VALID = 5 * 60_000

/** `watts`: undefined while a figure that is needed is not known. */
export type Draw = { readonly watts: number | undefined; readonly origin: Origin | undefined }

const UNKNOWN_DRAW: Draw = Object.freeze({ watts: undefined, origin: undefined })

function drawOfFigure(figure: Figure | undefined, share = 1): Draw {
  return figure === undefined ? UNKNOWN_DRAW : { watts: figure.watts * share, origin: figure.origin }
}

/** Unknown watts of a part leave the sum unknown. */
export function sumOfDraws(draws: readonly Draw[]): Draw {
  return draws.reduce(
    (sum, draw) => ({
      watts: sum.watts === undefined || draw.watts === undefined ? undefined : sum.watts + draw.watts,
      origin: worseOrigin(sum.origin, draw.origin),
    }),
    { watts: 0, origin: undefined },
  )
}

/** What some meters say together; undefined without any, and while one of them is silent. */
export function wattsOfMeters(readings: readonly (MeterReading | undefined)[], now: number): number | undefined {
  const valid = readings.filter(each => each !== undefined && now - each.at <= METER_VALID)
  if (valid.length === 0 || valid.length < readings.length) return undefined
  return valid.reduce((sum, each) => sum + (each?.watts ?? 0), 0)
}

/** The share of the machine's CPUs that a unit uses. The CPU that feeds a GPU counts as part of that GPU. */
function cpuShare(unit: Unit, info: ClientInfo | undefined): number {
  if (texts(unit.gpus).length > 0) return 0
  const there = positive(info?.cpus) ?? 0
  return there === 0 ? 0 : Math.min(1, (positive(unit.cpus) ?? 0) / there)
}

/** What a unit adds to its machine while its core runs. */
export function drawOfUnit(unit: Unit, info: ClientInfo | undefined, profile: PowerProfile): Draw {
  return drawOfParts(cpuShare(unit, info), new Set(texts(unit.gpus)), profile)
}

function drawOfParts(cpu: number, gpus: ReadonlySet<string>, profile: PowerProfile): Draw {
  return sumOfDraws([
    ...(cpu > 0 ? [drawOfFigure(profile.cpu, cpu)] : []),
    ...[...gpus].map(id => drawOfFigure(Object.hasOwn(profile.gpus, id) ? profile.gpus[id] : undefined)),
  ])
}

/** What a machine draws while some units run on it: what it draws idle, its CPUs by their share, and each GPU. */
export function drawOfUnits(units: readonly Unit[], info: ClientInfo | undefined, profile: PowerProfile): Draw {
  const cpu = units.reduce((sum, unit) => sum + cpuShare(unit, info), 0)
  const gpus = new Set(units.flatMap(unit => texts(unit.gpus)))
  return sumOfDraws([drawOfFigure(profile.idle), drawOfParts(Math.min(1, cpu), gpus, profile)])
}

/** The units of a client whose core runs. `now`: epoch milliseconds on this page's clock. */
export function workingUnits(data: ClientData | undefined, now: number): readonly Unit[] {
  const at = clientTime(data, now)
  return unitsOf(data).filter(unit => isWorking(unit, at))
}

/**
 * What a client draws now; a meter that is not silent wins. Undefined watts while it is disconnected without a meter:
 * nobody knows whether it is on.
 */
export function drawOf(
  { data, isConnected }: Pick<ClientView, 'data' | 'isConnected'>,
  profile: PowerProfile,
  now: number,
  meter?: MeterReading,
): Draw {
  if (meter !== undefined && now - meter.at <= METER_VALID && finite(meter.watts) !== undefined)
    return { watts: meter.watts, origin: 'measured' }
  return isConnected && data !== undefined ? drawOfUnits(workingUnits(data, now), data.info, profile) : UNKNOWN_DRAW
}
