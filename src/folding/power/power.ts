/*
 * What machines draw and what a kilowatt hour costs: the settings, which a browser or a server keeps. Every figure has
 * an origin, and a sum has the worst of its parts.
 */
import type { Immutable } from 'immer'
import * as v from 'valibot'
import { inputName, timeZoneName, weekFields } from '../schedule/schedule.ts'

/** The best first: by a meter, by a person, or from a table of what such hardware may draw at most. */
export const ORIGINS = ['measured', 'entered', 'guess'] as const
export type Origin = (typeof ORIGINS)[number]

/** The worse of two; undefined where nothing was added up. */
export function worseOrigin(a: Origin | undefined, b: Origin | undefined): Origin | undefined {
  return a === undefined ? b : b === undefined || ORIGINS.indexOf(a) >= ORIGINS.indexOf(b) ? a : b
}

export const MOST_WATTS = 100_000
const MOST_GPUS = 64
const MOST_MACHINES = 10_000
const MOST_BANDS = 50
const LONGEST_ID = 200
/** Of any currency, for one kilowatt hour. Below zero where a market pays for what is used. */
export const MOST_PRICE = 1_000_000

const watts = v.pipe(
  v.number(),
  v.finite(),
  v.minValue(0, 'must not be negative'),
  v.maxValue(MOST_WATTS, `must be at most ${MOST_WATTS}`),
)
const figure = v.object({ watts, origin: v.picklist(ORIGINS) })
function isKey(key: string): boolean {
  return key !== '' && key !== '__proto__' && key.length <= LONGEST_ID
}
const gpuId = v.pipe(v.string(), v.check(isKey, 'is no id of a GPU'))

/**
 * The watts of a machine; what is left out is not known. `idle`: all of it while nothing folds. `cpu`: what all of its CPUs
 * add while they fold. `gpus`: what each adds, by the client's id of it, which is its slot.
 */
export const powerProfile = v.object({
  idle: v.optional(figure),
  cpu: v.optional(figure),
  gpus: v.pipe(
    v.record(gpuId, figure),
    v.check(gpus => Object.keys(gpus).length <= MOST_GPUS, `must have at most ${MOST_GPUS} GPUs`),
  ),
})

const price = v.pipe(
  v.number(),
  v.finite(),
  v.minValue(-MOST_PRICE, `must be at least ${-MOST_PRICE}`),
  v.maxValue(MOST_PRICE, `must be at most ${MOST_PRICE}`),
)
const band = v.object({ ...weekFields, price })

/**
 * What a kilowatt hour costs: always the same; by the first band that applies (`otherwise`: where none does, null: not
 * known); or by a list of intervals that programs send to an input of the server.
 */
export const tariff = v.variant('kind', [
  v.object({ kind: v.literal('fixed'), price }),
  v.object({
    kind: v.literal('bands'),
    bands: v.pipe(v.array(band), v.minLength(1, 'must have a band'), v.maxLength(MOST_BANDS)),
    otherwise: v.nullable(price),
  }),
  v.object({ kind: v.literal('list'), input: inputName }),
])

/** `currency`: ISO 4217. `timeZone`: of bands, and of days and months. `co2`: grams of CO₂ in place of money. */
export const tariffs = v.object({
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be a currency such as EUR')),
  timeZone: timeZoneName,
  price: v.nullable(tariff),
  co2: v.nullable(tariff),
})

export type Figure = Immutable<v.InferOutput<typeof figure>>
export type PowerProfile = Immutable<v.InferOutput<typeof powerProfile>>
export type Band = v.InferOutput<typeof band>
export type Tariff = v.InferOutput<typeof tariff>
export type Tariffs = Readonly<v.InferOutput<typeof tariffs>>

/** `machines`: by the client's key; never with a guess. `tariffs`: undefined until somebody chose them. */
export type PowerSettings = {
  readonly machines: Readonly<Record<string, PowerProfile>>
  readonly tariffs: Tariffs | undefined
}

/** `power.import`: what is there stays. */
export type PowerChange =
  | { readonly type: 'power.profile'; readonly machine: string; readonly profile: PowerProfile }
  | { readonly type: 'power.tariffs'; readonly tariffs: Tariffs }
  | { readonly type: 'power.import'; readonly power: PowerSettings }

export const NO_PROFILE: PowerProfile = Object.freeze({ gpus: Object.freeze({}) })
export const NO_POWER: PowerSettings = Object.freeze({ machines: Object.freeze({}), tariffs: undefined })

/** Whether there is a price of any kind. */
export function hasPrice(chosen: Tariffs | undefined): chosen is Tariffs {
  return chosen !== undefined && chosen.price !== null
}

/** What was entered for a client. The same object while it is the same. */
export function profileOfClient({ machines }: PowerSettings, client: string | undefined): PowerProfile {
  return client !== undefined && Object.hasOwn(machines, client) ? (machines[client] ?? NO_PROFILE) : NO_PROFILE
}

/** The settings after a change; the same object when it changes nothing. */
export function powerAfter(power: PowerSettings, change: PowerChange): PowerSettings {
  switch (change.type) {
    case 'power.profile':
      return withProfile(power, change.machine, change.profile)
    case 'power.tariffs':
      return JSON.stringify(power.tariffs) === JSON.stringify(change.tariffs)
        ? power
        : { ...power, tariffs: change.tariffs }
    case 'power.import': {
      const profiles = { ...change.power.machines, ...power.machines }
      const machines = Object.fromEntries(Object.entries(profiles).slice(0, MOST_MACHINES))
      return { machines, tariffs: power.tariffs ?? change.power.tariffs }
    }
  }
}

function withProfile(power: PowerSettings, client: string, profile: PowerProfile): PowerSettings {
  const entered = withoutGuesses(profile)
  const before = profileOfClient(power, client)
  if (!isKey(client) || JSON.stringify(entered) === JSON.stringify(before)) return power
  const { [client]: _, ...others } = power.machines
  if (isEmpty(entered)) return { ...power, machines: others }
  return Object.keys(others).length >= MOST_MACHINES ? power : { ...power, machines: { ...others, [client]: entered } }
}

function isKnown(candidate: Figure | undefined): candidate is Figure {
  return candidate !== undefined && candidate.origin !== 'guess'
}

function withoutGuesses({ idle, cpu, gpus }: PowerProfile): PowerProfile {
  return {
    ...(isKnown(idle) ? { idle } : {}),
    ...(isKnown(cpu) ? { cpu } : {}),
    gpus: Object.fromEntries(Object.entries(gpus).filter(([id, candidate]) => isKey(id) && isKnown(candidate))),
  }
}

function isEmpty({ idle, cpu, gpus }: PowerProfile): boolean {
  return idle === undefined && cpu === undefined && Object.keys(gpus).length === 0
}

/** What was entered or measured, and what is guessed where nothing was. */
export function completedProfile(entered: PowerProfile, guess: PowerProfile): PowerProfile {
  return {
    idle: entered.idle ?? guess.idle,
    cpu: entered.cpu ?? guess.cpu,
    gpus: { ...guess.gpus, ...entered.gpus },
  }
}

/** Settings of any origin: a machine whose profile is none is left out. Undefined when they are no settings. */
export function parsePower(value: unknown): PowerSettings | undefined {
  const read = v.safeParse(
    v.object({ machines: v.record(v.string(), v.unknown()), tariffs: v.optional(v.unknown()) }),
    value,
  )
  if (!read.success) return undefined
  const chosen = v.safeParse(tariffs, read.output.tariffs)
  const machines = Object.entries(read.output.machines)
    .slice(0, MOST_MACHINES)
    .flatMap(([client, stored]) => {
      const profile = v.safeParse(powerProfile, stored)
      if (!isKey(client) || !profile.success) return []
      const entered = withoutGuesses(profile.output)
      return isEmpty(entered) ? [] : [[client, entered] as const]
    })
  return { machines: Object.fromEntries(machines), tariffs: chosen.success ? chosen.output : undefined }
}
