/*
 * CPUs and GPUs: which are enabled, and as text.
 */
import { plural, t } from '@lingui/core/macro'
import type { ClientInfo, Gpu, GroupConfig, Unit } from '../../protocol/client/client-data.ts'
import { formatList, formatNumber, truncate, UNKNOWN } from '../text/format.ts'
import { AMD_GPUS } from './gpu-names.ts'
import { isSameList } from '../shared/equal.ts'
import { finite, ownValue, positive, record, text, texts } from '../shared/read.ts'

/** Maximum length of a resources text (docs/product.md §2). */
const RESOURCES_LIMIT = 50

export const NO_RESOURCES = t`No resources`

/** Shown for a GPU that is enabled but not reported by the client (docs/product.md §10). */
export const UNDETECTED = t`Undetected`

/** A GPU by its id; undefined when the client does not report it. */
export function gpuOf(info: ClientInfo | undefined, id: string): Gpu | undefined {
  const gpus = info?.gpus
  return gpus !== undefined && record(ownValue(gpus, id)) !== undefined ? gpus[id] : undefined
}

/** The name of a GPU's vendor, by the client's word for it or by its PCI id; an unknown word unchanged. */
export function gpuVendor(gpu: Gpu | undefined): string | undefined {
  const type = text(gpu?.type)
  const vendor = VENDORS.get(type?.toLowerCase() ?? '') ?? PCI_VENDORS.get(finite(gpu?.vendor) ?? 0)
  return vendor ?? (type === 'unknown' ? undefined : type)
}

type Vendor = 'NVIDIA' | 'AMD' | 'Intel' | 'Apple' | 'Microsoft'
const VENDORS: ReadonlyMap<string, Vendor> = new Map<string, Vendor>([
  ['nvidia', 'NVIDIA'],
  ['amd', 'AMD'],
  ['intel', 'Intel'],
])
const PCI_VENDORS: ReadonlyMap<number, Vendor> = new Map<number, Vendor>([
  [0x10de, 'NVIDIA'],
  [0x1002, 'AMD'],
  [0x8086, 'Intel'],
  [0x106b, 'Apple'],
  [0x1414, 'Microsoft'],
])

/** Drivers of AMD name the instruction set instead of the model, as 'gfx1030' or 'gfx90a:sramecc+'. */
const INSTRUCTION_SET = /^gfx[0-9a-f]{3,}(?=:|$)/i
const MODELS: ReadonlyMap<string, string> = new Map(
  AMD_GPUS.split(/;?\s*\n|; /).map(entry => [entry.slice(0, 4), entry.slice(5)] as const),
)

/** A GPU's description; the models of its PCI id where that is missing or only a code. */
export function gpuDescription({ description, vendor, device }: Gpu): string | undefined {
  const described = text(description)
  if (described !== undefined && !INSTRUCTION_SET.test(described)) return described
  const isAmd = PCI_VENDORS.get(finite(vendor) ?? 0) === 'AMD'
  return (isAmd ? MODELS.get((finite(device) ?? 0).toString(16).padStart(4, '0')) : undefined) ?? described
}

/** A GPU's description, else its vendor, else its id; 'Undetected' when the client does not report it. */
export function gpuModel(info: ClientInfo | undefined, id: string): string {
  const gpu = gpuOf(info, id)
  if (gpu === undefined) return UNDETECTED
  const vendor = gpuVendor(gpu)
  return gpuDescription(gpu) ?? (vendor === undefined ? id : t`${vendor} GPU`)
}

/** A GPU as it is told from others of its client: with its slot where another one is of the same model. */
export function gpuName(info: ClientInfo | undefined, id: string): string {
  return namedApart(info, id, gpuModel(info, id))
}

/** The person's own name of a GPU, by its id, or of a group (see fleet/tags.ts). */
export function ownNameOf(info: ClientInfo | undefined, of: string): string | undefined {
  const tags = ownValue(info, 'tags')
  return Array.isArray(tags)
    ? text(
        ownValue(
          tags.find(name => ownValue(name, 'of') === of),
          'tag',
        ),
      )
    : undefined
}

/** With its model, where a person gave it a name: 'Left (GeForce RTX 3060)'. */
export function gpuNameAndModel(info: ClientInfo | undefined, id: string): string {
  const personal = ownNameOf(info, id)
  return personal === undefined ? gpuModel(info, id) : `${personal} (${gpuModel(info, id)})`
}

function namedApart(info: ClientInfo | undefined, id: string, name: string): string {
  const personal = ownNameOf(info, id)
  if (personal !== undefined) return personal
  if (gpuOf(info, id) === undefined) return name
  const model = gpuModel(info, id)
  const twins = gpuIds(info).filter(other => gpuModel(info, other) === model)
  return twins.length < 2 ? name : `${name} (${shortSlots(twins)[twins.indexOf(id)] ?? gpuSlot(id)})`
}

/** Slots without the end that all of them have: '01:00:00' and '02:00:00' → '01' and '02'. */
function shortSlots(ids: readonly string[]): readonly string[] {
  let slots = ids.map(id => gpuSlot(id).split(':'))
  while (new Set(slots.map(parts => parts.at(-1))).size === 1 && slots.every(({ length }) => length > 1))
    slots = slots.map(parts => parts.slice(0, -1))
  return slots.map(parts => parts.join(':'))
}

/** Where a GPU is plugged in: 'gpu:01:00:00' → '01:00:00'. */
export function gpuSlot(id: string): string {
  return id.replace(/^gpu:/, '')
}

/** An operating system's display name: 'linux' → 'Linux'; an unknown one unchanged. */
export function osTitle(os: string): string {
  return OS_NAMES.get(os.toLowerCase()) ?? os
}

type OsName = 'Linux' | 'macOS' | 'Windows' | 'FreeBSD'

const OS_NAMES: ReadonlyMap<string, string> = new Map<string, OsName>([
  ['linux', 'Linux'],
  ['macosx', 'macOS'],
  ['macos', 'macOS'],
  ['osx', 'macOS'],
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
  ['win64', 'Windows'],
  ['windows', 'Windows'],
  ['win', 'Windows'],
  ['freebsd', 'FreeBSD'],
])

/** Ids of all GPUs that the client reports, sorted (that is, by slot). */
export function gpuIds(info: ClientInfo | undefined): readonly string[] {
  return Object.keys(record(info?.gpus) ?? {}).sort()
}

/** Ids of the GPUs that a group's config enables, detected or not, sorted. */
export function enabledGpus(config: GroupConfig | undefined): readonly string[] {
  return Object.keys(record(config?.gpus) ?? {})
    .filter(id => ownValue(ownValue(config?.gpus, id), 'enabled') === true)
    .sort()
}

/** The number of CPUs in a config; 0 when it is missing or invalid. */
export function configuredCpus(config: GroupConfig | undefined): number {
  return Math.floor(positive(config?.cpus) ?? 0)
}

/** At most as many CPUs as the client has: groups may name more together, whose units then slow each other. */
export function cappedCpus(cpus: number, info: ClientInfo | undefined): number {
  return Math.min(cpus, positive(info?.cpus) ?? cpus)
}

/**
 * CPUs and GPU names as one text: '12 CPUs, 2 × NVIDIA GeForce RTX 4090'. 'No resources' when there are none.
 * Not truncated.
 */
export function resourcesText(cpus: number, gpuNames: readonly string[], locale?: string): string {
  const counts = new Map<string, number>()
  for (const name of gpuNames) counts.set(name, (counts.get(name) ?? 0) + 1)
  const gpus = [...counts].map(
    ([name, count]) => `${count > 1 ? `${count} × ` : ''}${name === UNDETECTED ? t`Undetected GPU` : name}`,
  )
  const parts = cpus > 0 ? [cpusText(cpus, locale), ...gpus] : gpus
  return parts.length === 0 ? NO_RESOURCES : locale === undefined ? formatList(parts) : parts.join(', ')
}

/** '12 CPUs'. */
export function cpusText(cpus: number, locale?: string): string {
  const count = formatNumber(cpus, { locale })
  return plural(cpus, { one: `${count} CPU`, other: `${count} CPUs` })
}

/** A resources text cut at 50 characters with '...' (docs/product.md §2); show the whole one on hover and focus. */
export function shortResources(resources: string): string {
  return truncate(resources, RESOURCES_LIMIT)
}

/** The models of a unit's GPUs; the id of a GPU that the client does not report. */
function unitGpuModels(unit: Unit, info: ClientInfo | undefined): readonly string[] {
  return texts(unit.gpus).map(id => (gpuOf(info, id) === undefined ? (text(id) ?? UNKNOWN) : gpuModel(info, id)))
}

/** The names of a unit's GPUs, which tell twins apart. `shorten`: what of a model is shown. */
export function unitGpuNames(
  unit: Unit,
  info: ClientInfo | undefined,
  shorten = (model: string): string => model,
): readonly string[] {
  return unitGpuModels(unit, info).map((model, index) =>
    namedApart(info, texts(unit.gpus)[index] ?? '', shorten(model)),
  )
}

/** The name that people know: 'AD102 [GeForce RTX 4090]' → 'GeForce RTX 4090'; a description without brackets unchanged. */
export function shortGpuName(description: string): string {
  return /\[([^\]]{3,})\]/.exec(description)?.[1] ?? description
}

/** A unit's resources as its row shows them: twins among the GPUs of its client are told apart. */
export function shownUnitResources(unit: Unit, info: ClientInfo | undefined, locale?: string): string | undefined {
  const reported = text(ownValue(unit, 'resources'))
  if (reported !== undefined) return reported
  const names = unitGpuNames(unit, info)
  return isSameList(unitGpuModels(unit, info), names)
    ? unitResources(unit, info, locale)
    : resourcesText(positive(unit.cpus) ?? 0, names, locale)
}

/**
 * A unit's resources by their models, by which speeds and histories are compared: '1 CPU, NVIDIA GeForce RTX 4090'.
 * Undefined when it does not report them.
 */
export function unitResources(unit: Unit, info: ClientInfo | undefined, locale?: string): string | undefined {
  const reported = text(ownValue(unit, 'resources'))
  if (reported !== undefined) return reported
  if (finite(unit.cpus) === undefined && !Array.isArray(unit.gpus)) return undefined
  const cpus = positive(unit.cpus) ?? 0
  if (info === undefined || locale !== undefined) return resourcesText(cpus, unitGpuModels(unit, info), locale)
  const cache = textsOfClient(info)
  const key = `${cpus} ${texts(unit.gpus).join(' ')}`
  let found = cache.get(key)
  if (found === undefined) cache.set(key, (found = resourcesText(cpus, unitGpuModels(unit, info))))
  return found
}

// A client has thousands of units with the same few resources, and formatting a number is slow.
const MOST_TEXTS = 500
const resourcesTexts = new WeakMap<ClientInfo, Map<string, string>>()

function textsOfClient(info: ClientInfo): Map<string, string> {
  const cached = resourcesTexts.get(info)
  if (cached !== undefined && cached.size < MOST_TEXTS) return cached
  const fresh = new Map<string, string>()
  resourcesTexts.set(info, fresh)
  return fresh
}
