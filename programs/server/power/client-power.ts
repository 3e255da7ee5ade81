import { configuredCpus, cappedCpus, enabledGpus, gpuOf } from '../../../src/folding/client/resources.ts'
import { isOldState } from '../../../src/folding/client/old-state.ts'
import { groupsOf } from '../../../src/folding/client/group.ts'
import { drawOf, type Draw } from '../../../src/folding/power/draw.ts'
import { guessProfile } from '../../../src/folding/power/hardware-power.ts'
import {
  completedProfile,
  profileOfClient,
  type PowerProfile,
  type PowerSettings,
} from '../../../src/folding/power/power.ts'
import { positive } from '../../../src/folding/shared/read.ts'
import type { ClientData } from '../../../src/protocol/client/client-data.ts'
import type { ListedClient } from '../news.ts'

/** What was entered for a client, and what is guessed of the rest. */
export function profileOf({ id, data }: Pick<ListedClient, 'id' | 'data'>, power: PowerSettings): PowerProfile {
  return completedProfile(profileOfClient(power, id), guessProfile(data?.info))
}

export function drawNow(
  client: Pick<ListedClient, 'id' | 'data' | 'isConnected' | 'asOf'>,
  power: PowerSettings,
  at: number,
): Draw {
  const isKnown = client.isConnected && !isOldState(client, at)
  return drawOf({ data: client.data, isConnected: isKnown }, profileOf(client, power), at)
}

/** What a client adds while all that its settings give to folding folds; undefined while a figure is not known. */
export function foldingWatts(data: ClientData, { cpu, gpus }: PowerProfile): number | undefined {
  const configs = Object.values(groupsOf(data)).map(({ config }) => config)
  const used = new Set(configs.flatMap(enabledGpus).filter(id => gpuOf(data.info, id)?.supported !== false))
  const cpus = cappedCpus(
    configs.reduce((sum, config) => sum + configuredCpus(config), 0),
    data.info,
  )
  const all = positive(data.info.cpus) ?? 0
  const parts = [
    ...[...used].map(id => (Object.hasOwn(gpus, id) ? gpus[id]?.watts : undefined)),
    ...(cpus > 0 && all > 0 ? [cpu === undefined ? undefined : (cpu.watts * cpus) / all] : []),
  ]
  return parts.reduce<number | undefined>(
    (sum, watts) => (sum === undefined || watts === undefined ? undefined : sum + watts),
    0,
  )
}

export function isGuessed({ idle, cpu, gpus }: PowerProfile): boolean {
  return [idle, cpu, ...Object.values(gpus)].some(figure => figure?.origin === 'guess')
}
