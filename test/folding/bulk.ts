import type { ClientData, GroupConfig } from '../../src/protocol/client/client-data.ts'
import { type Command } from '../../src/protocol/client/commands.ts'
import type { ClientView } from '../../src/folding/client/client.ts'
import type { BulkAction, BulkEffect, BulkWorld, SettingsPatch } from '../../src/folding/fleet/bulk-action.ts'
import { EMPTY_WORLD, planBulk } from '../../src/folding/fleet/bulk-plan.ts'

export const WORLD: BulkWorld = { ...EMPTY_WORLD, account: 'me' }

export const GPUS = {
  a: { description: 'RTX 4090', supported: true },
  b: { description: 'RTX 3080', supported: true },
  old: { description: 'GT 210', supported: false },
}

export type Groups = Readonly<Record<string, GroupConfig>>

export function dataOf(
  groups: Groups,
  info: Partial<ClientData['info']> = {},
  units: ClientData['units'] = [],
): ClientData {
  return {
    info: { id: 'm', version: '8.5.7', cpus: 16, os: 'linux', hostname: 'host', gpus: GPUS, ...info },
    config: { user: 'Ada', team: 7, cause: 'any', passkey: '' },
    groups: Object.fromEntries(Object.entries(groups).map(([name, config]) => [name, { config }])),
    units,
  }
}

export function viewOf(data: ClientData | undefined, more: Partial<ClientView> = {}): ClientView {
  return {
    id: 'm',
    isDirect: false,
    name: 'attic',
    isConnected: data !== undefined,
    data,
    ...more,
  }
}

export function effectOf(action: BulkAction, view: ClientView, world = WORLD): BulkEffect {
  const [entry] = planBulk(action, [{ id: view.id, view }], world).entries
  if (entry === undefined) throw new Error('There is no entry.')
  return entry.effect
}

export function stateAction(state: 'fold' | 'pause' | 'finish', keepsPaused = false): BulkAction {
  return {
    kind: 'state',
    state,
    keepsPaused,
  }
}

export function settings(patch: Partial<SettingsPatch>): BulkAction {
  return {
    kind: 'settings',
    patch: { scope: { kind: 'all' }, ...patch },
  }
}

export function commandsOf(effect: BulkEffect): readonly Command[] {
  return effect.kind === 'change' && effect.work.kind === 'commands' ? effect.work.commands : []
}

/** The client's data after commands, by the rules of docs/protocol.md §5. */
export function after(data: ClientData, commands: readonly Command[]): ClientData {
  let now = data
  for (const command of commands) {
    const isAlone = Object.keys(now.groups).length === 0
    if (command.cmd === 'state') {
      const apply = (config: GroupConfig): GroupConfig =>
        command.state === 'pause'
          ? { ...config, paused: true, finish: false }
          : command.state === 'fold'
            ? { ...config, paused: false, finish: false }
            : config.paused === true
              ? config
              : { ...config, finish: true }
      now = isAlone
        ? { ...now, config: { ...now.config, ...apply(now.config) } }
        : {
            ...now,
            groups: Object.fromEntries(
              Object.entries(now.groups).map(([name, group]) => [
                name,
                { ...group, config: apply(group.config ?? {}) },
              ]),
            ),
          }
    }
    if (command.cmd === 'config') {
      const { groups = {}, ...rest } = { ...command.config, ...command.secrets }
      now = {
        ...now,
        config: { ...now.config, ...rest },
        groups: Object.fromEntries(
          Object.entries(now.groups).map(([name, group]) => [
            name,
            { ...group, config: { ...group.config, ...(Object.hasOwn(groups, name) ? groups[name] : {}) } },
          ]),
        ),
      }
    }
  }
  return now
}
