/*
 * CPUs and GPUs in words, and where they are enabled.
 */
import { t } from '@lingui/core/macro'
import type { ClientInfo, Gpu, GroupConfig, Unit } from '../../protocol/client-data.ts'
import { formatCount, truncate, UNKNOWN } from '../shared/format.ts'
import { finite, own, positive, record, text, texts } from '../shared/read.ts'

/** Most characters of a resources text (docs/product.md §2). */
export const RESOURCES_LIMIT = 50

export const NO_RESOURCES = t`No resources`

/** What a GPU is called that is enabled but that the machine does not report (docs/product.md §10). */
export const UNDETECTED = t`Undetected`

/** A GPU by its id; undefined when the machine does not report it. */
export const gpuOf = (info: ClientInfo | undefined, id: string): Gpu | undefined => {
  const gpus = info?.gpus
  return gpus !== undefined && record(own(gpus, id)) !== undefined ? gpus[id] : undefined
}

/** What a GPU is called: its description, its id when it has none, 'Undetected' when the machine does not report it. */
export const gpuName = (info: ClientInfo | undefined, id: string): string =>
  gpuOf(info, id) === undefined ? UNDETECTED : (text(gpuOf(info, id)?.description) ?? id)

/** Ids of all GPUs that the machine reports, in the order of their ids (that is, of their slots). */
export const gpuIds = (info: ClientInfo | undefined): readonly string[] => Object.keys(record(info?.gpus) ?? {}).sort()

/** Ids of the GPUs that a group's config enables, detected or not, in order. */
export const enabledGpus = (config: GroupConfig | undefined): readonly string[] =>
  Object.keys(record(config?.gpus) ?? {})
    .filter(id => own(own(config?.gpus, id), 'enabled') === true)
    .sort()

/** The number of CPUs that a config gives, 0 when it says nothing usable. */
export const configuredCpus = (config: GroupConfig | undefined): number => Math.floor(positive(config?.cpus) ?? 0)

/** CPUs that are given, but no more than the machine has: a client gives none twice, whatever its groups add up to. */
export const cappedCpus = (cpus: number, info: ClientInfo | undefined): number =>
  Math.min(cpus, positive(info?.cpus) ?? cpus)

/**
 * CPUs and GPU names as one text: '12 CPUs, 2 × NVIDIA GeForce RTX 4090'. 'No resources' when there are none.
 * Not truncated.
 */
export const resourcesWords = (cpus: number, gpuNames: readonly string[], locale?: string): string => {
  const counts = new Map<string, number>()
  for (const name of gpuNames) counts.set(name, (counts.get(name) ?? 0) + 1)
  const gpus = [...counts].map(
    ([name, count]) => `${count > 1 ? `${count} × ` : ''}${name === UNDETECTED ? t`Undetected GPU` : name}`,
  )
  const parts = cpus > 0 ? [formatCount(cpus, 'CPU', t`CPUs`, locale), ...gpus] : gpus
  return parts.length === 0 ? NO_RESOURCES : parts.join(', ')
}

/** A resources text cut at 50 characters with '...' (docs/product.md §2); the whole one belongs on hover and focus. */
export const shortResources = (words: string): string => truncate(words, RESOURCES_LIMIT)

/** The names of a unit's GPUs; a GPU that the machine does not report goes by its id here. */
export const unitGpuNames = (unit: Unit, info: ClientInfo | undefined): readonly string[] =>
  texts(unit.gpus).map(id => text(gpuOf(info, id)?.description) ?? text(id) ?? UNKNOWN)

/** What a unit computes on: '1 CPU, NVIDIA GeForce RTX 4090'. Undefined when it does not say. */
export const unitResources = (unit: Unit, info: ClientInfo | undefined, locale?: string): string | undefined => {
  const told = text(own(unit, 'resources'))
  if (told !== undefined) return told
  if (finite(unit.cpus) === undefined && !Array.isArray(unit.gpus)) return undefined
  return resourcesWords(positive(unit.cpus) ?? 0, unitGpuNames(unit, info), locale)
}
