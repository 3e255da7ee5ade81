/*
 * CPUs and GPUs: which are enabled, and as text.
 */
import { plural, t } from '@lingui/core/macro'
import type { ClientInfo, Gpu, GroupConfig, Unit } from '../../protocol/client-data.ts'
import { formatNumber, truncate, UNKNOWN } from '../shared/format.ts'
import { finite, own, positive, record, text, texts } from '../shared/read.ts'

/** Maximum length of a resources text (docs/product.md §2). */
const RESOURCES_LIMIT = 50

export const NO_RESOURCES = t`No resources`

/** Shown for a GPU that is enabled but not reported by the machine (docs/product.md §10). */
export const UNDETECTED = t`Undetected`

/** A GPU by its id; undefined when the machine does not report it. */
export const gpuOf = (info: ClientInfo | undefined, id: string): Gpu | undefined => {
  const gpus = info?.gpus
  return gpus !== undefined && record(own(gpus, id)) !== undefined ? gpus[id] : undefined
}

/** A GPU's description, its id without one, 'Undetected' when the machine does not report it. */
export const gpuName = (info: ClientInfo | undefined, id: string): string =>
  gpuOf(info, id) === undefined ? UNDETECTED : (text(gpuOf(info, id)?.description) ?? id)

/** Ids of all GPUs that the machine reports, sorted (that is, by slot). */
export const gpuIds = (info: ClientInfo | undefined): readonly string[] => Object.keys(record(info?.gpus) ?? {}).sort()

/** Ids of the GPUs that a group's config enables, detected or not, sorted. */
export const enabledGpus = (config: GroupConfig | undefined): readonly string[] =>
  Object.keys(record(config?.gpus) ?? {})
    .filter(id => own(own(config?.gpus, id), 'enabled') === true)
    .sort()

/** The number of CPUs in a config; 0 when it is missing or invalid. */
export const configuredCpus = (config: GroupConfig | undefined): number => Math.floor(positive(config?.cpus) ?? 0)

/** At most as many CPUs as the machine has: a client uses none twice, whatever its groups add up to. */
export const cappedCpus = (cpus: number, info: ClientInfo | undefined): number =>
  Math.min(cpus, positive(info?.cpus) ?? cpus)

/**
 * CPUs and GPU names as one text: '12 CPUs, 2 × NVIDIA GeForce RTX 4090'. 'No resources' when there are none.
 * Not truncated.
 */
export const resourcesText = (cpus: number, gpuNames: readonly string[], locale?: string): string => {
  const counts = new Map<string, number>()
  for (const name of gpuNames) counts.set(name, (counts.get(name) ?? 0) + 1)
  const gpus = [...counts].map(
    ([name, count]) => `${count > 1 ? `${count} × ` : ''}${name === UNDETECTED ? t`Undetected GPU` : name}`,
  )
  const parts = cpus > 0 ? [cpusText(cpus, locale), ...gpus] : gpus
  return parts.length === 0 ? NO_RESOURCES : parts.join(', ')
}

const cpusText = (cpus: number, locale: string | undefined): string => {
  const count = formatNumber(cpus, { locale })
  return plural(cpus, { one: `${count} CPU`, other: `${count} CPUs` })
}

/** A resources text cut at 50 characters with '...' (docs/product.md §2); show the whole one on hover and focus. */
export const shortResources = (resources: string): string => truncate(resources, RESOURCES_LIMIT)

/** The names of a unit's GPUs; the id of a GPU that the machine does not report. */
export const unitGpuNames = (unit: Unit, info: ClientInfo | undefined): readonly string[] =>
  texts(unit.gpus).map(id => text(gpuOf(info, id)?.description) ?? text(id) ?? UNKNOWN)

/** The name that people know: 'AD102 [GeForce RTX 4090]' → 'GeForce RTX 4090'; a description without brackets unchanged. */
export const shortGpuName = (description: string): string => /\[([^\]]{3,})\]/.exec(description)?.[1] ?? description

/** A unit's resources: '1 CPU, NVIDIA GeForce RTX 4090'. Undefined when it does not report them. */
export const unitResources = (unit: Unit, info: ClientInfo | undefined, locale?: string): string | undefined => {
  const reported = text(own(unit, 'resources'))
  if (reported !== undefined) return reported
  if (finite(unit.cpus) === undefined && !Array.isArray(unit.gpus)) return undefined
  const cpus = positive(unit.cpus) ?? 0
  if (info === undefined || locale !== undefined) return resourcesText(cpus, unitGpuNames(unit, info), locale)
  const known = textsOfMachine(info)
  const key = `${cpus} ${texts(unit.gpus).join(' ')}`
  let found = known.get(key)
  if (found === undefined) known.set(key, (found = resourcesText(cpus, unitGpuNames(unit, info))))
  return found
}

// A machine has thousands of units with the same few resources, and formatting a number is slow.
const MOST_TEXTS = 500
const resourcesTexts = new WeakMap<ClientInfo, Map<string, string>>()

const textsOfMachine = (info: ClientInfo): Map<string, string> => {
  const known = resourcesTexts.get(info)
  if (known !== undefined && known.size < MOST_TEXTS) return known
  const fresh = new Map<string, string>()
  resourcesTexts.set(info, fresh)
  return fresh
}
