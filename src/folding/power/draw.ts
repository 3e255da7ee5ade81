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

const NOTHING: Draw = Object.freeze({ watts: 0, origin: undefined })
const UNKNOWN_DRAW: Draw = Object.freeze({ watts: undefined, origin: undefined })

function drawOfFigure(figure: Figure | undefined, share = 1): Draw {
  return figure === undefined ? UNKNOWN_DRAW : { watts: figure.watts * share, origin: figure.origin }
}

function together(a: Draw, b: Draw): Draw {
  return {
    watts: a.watts === undefined || b.watts === undefined ? undefined : a.watts + b.watts,
    origin: worseOrigin(a.origin, b.origin),
  }
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
  return [...gpus].reduce(
    (sum, id) => together(sum, drawOfFigure(Object.hasOwn(profile.gpus, id) ? profile.gpus[id] : undefined)),
    cpu > 0 ? drawOfFigure(profile.cpu, cpu) : NOTHING,
  )
}

/** What a machine draws while some units run on it: what it draws idle, its CPUs by their share, and each GPU. */
export function drawOfUnits(units: readonly Unit[], info: ClientInfo | undefined, profile: PowerProfile): Draw {
  return together(
    drawOfFigure(profile.idle),
    drawOfParts(
      Math.min(
        1,
        units.reduce((sum, unit) => sum + cpuShare(unit, info), 0),
      ),
      new Set(units.flatMap(unit => texts(unit.gpus))),
      profile,
    ),
  )
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
