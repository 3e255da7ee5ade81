import type { Json, JsonObject } from '../../../src/protocol/json.ts'
import { infoGpus, type ClientDocument, type Info } from './document.ts'
import { loadInitialUnit } from './unit/loaded-unit.ts'
import { restoreUnit, storeUnit, toJson, type StoredClient } from './store.ts'
import type { ClientProfile, SimulatedClientOptions } from './types.ts'
import type { SimulatedUnit } from './unit/simulated-unit.ts'
import { textOf } from './wire-value.ts'
import type { ClientContext } from './client-context.ts'

export function nameOf(doc: ClientDocument): string {
  return textOf(doc.info['mach_name'])
}

function infoOf(
  { id, name, profile, account }: SimulatedClientOptions,
  restored: StoredClient | undefined,
  pid: number,
): Info {
  return {
    version: profile.version,
    url: 'https://v8-5.foldingathome.org/',
    os: profile.os,
    os_version: profile.osVersion,
    cpu: profile.cpu,
    cpu_brand: profile.cpuBrand,
    cpus: profile.cpus,
    gpus: infoGpus(profile.gpus),
    mach_name: restored?.name ?? name,
    hostname: name,
    pid,
    cwd: '/var/lib/fah-client',
    mode: 'Release',
    revision: '0000000000000000000000000000000000000000',
    has_battery: profile.hasBattery,
    on_battery: restored?.onBattery ?? profile.onBattery,
    id,
    account: account ?? restored?.account ?? '',
    simulated: true,
  }
}

function groupsOf(profile: ClientProfile) {
  return Object.entries(profile.groups).map(([name, config]) => ({ name, config, extra: profile.failures[name] ?? {} }))
}

/** Sets the initial state of a client, from the store or from its profile. */
export function fillDocument(
  doc: ClientDocument,
  options: SimulatedClientOptions,
  restored: StoredClient | undefined,
  pid: number,
): void {
  Object.assign(doc.info, infoOf(options, restored, pid))
  Object.assign(doc.config, restored?.config ?? options.profile.config)
  const groups = restored?.groups ?? groupsOf(options.profile)
  if (!groups.some(group => group.name === '')) doc.addGroup('')
  for (const { name, config, extra } of groups) {
    doc.addGroup(name)
    const made = doc.groups.get(name)
    if (made === undefined) continue
    Object.assign(made.config, config)
    Object.assign(made.extra, extra)
  }
}

/** Units that the client had when it stopped, or those of its profile. */
export function startingUnits(context: ClientContext, restored: StoredClient | undefined): readonly SimulatedUnit[] {
  const now = context.schedule.now()
  if (restored !== undefined) return restored.units.map(unit => restoreUnit(unit, context.projects, now))
  const first = context.profile.history.length + 1
  return context.profile.units.map((unit, index) => loadInitialUnit(context, unit, first + index, now))
}

type ClientState = Pick<StoredClient, 'born' | 'times' | 'nextNumber' | 'inUse' | 'onBattery'> & {
  readonly history: readonly JsonObject[] | undefined
}

/** The state that is stored, as JSON. */
export function storeClient({ doc, units, schedule }: ClientContext, state: ClientState): Json {
  const now = schedule.now()
  return toJson({
    format: 1,
    ...state,
    history: state.history === undefined ? undefined : [...state.history],
    name: nameOf(doc),
    account: textOf(doc.info['account']),
    config: doc.config,
    groups: [...doc.groups].map(([name, { config, extra }]) => ({ name, config, extra })),
    units: units.flatMap(unit => storeUnit(unit, now) ?? []),
  })
}
