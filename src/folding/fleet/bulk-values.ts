/* From the values that a client shall have to the commands that give it these, and back. */
import type { ClientData } from '../../protocol/client/client-data.ts'
import type { Command, ConfigPatch, FoldingState, GroupPatch } from '../../protocol/client/commands.ts'
import { groupSettingFacts, type GroupSettingKey } from '../../protocol/client/settings-table.ts'
import { groupNames, groupsOf, groupState, hasGroups } from '../client/group.ts'
import { enabledGpus } from '../client/resources.ts'
import { isSameValue } from '../shared/equal.ts'
import { ownValue } from '../shared/read.ts'
import type { ValueChange, Values } from './bulk-action.ts'

export type ValuesChange = {
  readonly changes: readonly ValueChange[]
  readonly commands: readonly Command[]
  /** The values that the client has now, of everything that changes. */
  readonly before: Values
}

export const STATE_VALUES: Readonly<Record<FoldingState, GroupPatch>> = {
  fold: { paused: false, finish: false },
  pause: { paused: true },
  finish: { paused: false, finish: true },
}

const CLIENT_KEYS = ['user', 'team', 'cause'] as const
const CLIENT_DEFAULTS = { user: '', team: 0, cause: '' } as const

/** The value of a group's setting as the client acts on it, also where it does not report one. */
function currentValue(data: ClientData, group: string, key: GroupSettingKey): unknown {
  const reported = ownValue(groupsOf(data)[group]?.config, key)
  if (reported !== undefined) return reported
  const facts = groupSettingFacts(key)
  if (facts.isState === true) return false
  return facts.type === 'boolean' ? (facts.missing ?? facts.default) : facts.default
}

/** Whether a group uses these GPUs; it uses none of which it reports nothing. */
function currentGpus(data: ClientData, group: string, ids: readonly string[]): NonNullable<GroupPatch['gpus']> {
  const enabled = enabledGpus(groupsOf(data)[group]?.config)
  return Object.fromEntries(ids.map(id => [id, { enabled: enabled.includes(id) }]))
}

/**
 * How a client with these data gets the wanted values; undefined when it has them. Groups that it does not have are left
 * out. All values of a client change with one command wherever one can do it: it takes one of a kind a second
 * (docs/protocol.md §5).
 */
export function changeValues(wanted: Values, data: ClientData): ValuesChange | undefined {
  const groups = groupsOf(data)
  const changes: ValueChange[] = []
  const patches: Record<string, GroupPatch> = {}
  const before: Record<string, GroupPatch> = {}
  for (const name of groupNames(wanted.groups)) {
    if (!Object.hasOwn(groups, name)) continue
    const patch: Record<string, unknown> = {}
    const had: Record<string, unknown> = {}
    for (const [key, after] of Object.entries(wanted.groups[name] ?? {})) {
      const value =
        key === 'gpus' ? currentGpus(data, name, Object.keys(after)) : currentValue(data, name, key as GroupSettingKey)
      if (isSameValue(value, after)) continue
      patch[key] = after
      had[key] = value
      changes.push({ group: name, key, before: value, after })
    }
    if (Object.keys(patch).length === 0) continue
    patches[name] = patch
    // To pause resets `finish` too.
    const isState = 'paused' in patch || 'finish' in patch
    const others = Object.fromEntries(Object.entries(had).filter(([key]) => key !== 'paused' && key !== 'finish'))
    before[name] = isState ? { ...others, ...STATE_VALUES[groupState(groups[name])] } : had
  }
  const client = changedOf(wanted.machine, data)
  for (const key of CLIENT_KEYS)
    if (client[key] !== undefined)
      changes.push({ key, before: data.config[key] ?? CLIENT_DEFAULTS[key], after: client[key] })
  const passkey = wanted.secrets?.passkey
  const isPasskeyNew = passkey !== undefined && passkey !== (data.config.passkey ?? '')
  // Neither text is a passkey.
  if (isPasskeyNew) changes.push({ key: 'passkey', before: undefined, after: undefined })
  if (changes.length === 0) return undefined
  const config: ConfigPatch = { ...client, ...(Object.keys(patches).length === 0 ? {} : { groups: patches }) }
  const keepsOtherGpus = Object.values(patches).some(patch => patch.gpus !== undefined)
  const command: Command = { cmd: 'config', config, ...(keepsOtherGpus ? { keepsOtherGpus } : {}) }
  return {
    changes,
    commands: isPasskeyNew
      ? [{ ...command, secrets: { passkey } }]
      : (stateCommands(patches, client, data) ?? [command]),
    before: {
      groups: before,
      machine: Object.fromEntries(
        CLIENT_KEYS.flatMap(key =>
          client[key] === undefined ? [] : [[key, data.config[key] ?? CLIENT_DEFAULTS[key]] as const],
        ),
      ),
      ...(isPasskeyNew ? { secrets: { passkey: data.config.passkey ?? '' } } : {}),
    },
  }
}

function changedOf(wanted: Values['machine'], { config }: ClientData): Values['machine'] {
  return Object.fromEntries(
    CLIENT_KEYS.flatMap(key => {
      const value = wanted[key]
      return value === undefined || value === (config[key] ?? CLIENT_DEFAULTS[key]) ? [] : [[key, value] as const]
    }),
  )
}

/**
 * Where only folding states change, and all groups get the same one: the command for the whole client, which one
 * of any supported version knows. Undefined where states are set group by group, with one `config`.
 */
function stateCommands(
  patches: Readonly<Record<string, GroupPatch>>,
  client: Values['machine'],
  data: ClientData,
): readonly Command[] | undefined {
  const groups = groupsOf(data)
  const changed = Object.values(patches)
  if (changed.length === 0 || Object.keys(client).length > 0) return undefined
  if (changed.some(patch => Object.keys(patch).some(key => key !== 'paused' && key !== 'finish'))) return undefined
  const states = new Set(
    Object.entries(groups).map(([name, group]) =>
      groupState({ ...group, config: { ...group.config, ...(Object.hasOwn(patches, name) ? patches[name] : {}) } }),
    ),
  )
  const [state] = states
  if (state === undefined || states.size > 1) return undefined
  const isResumed = state === 'finish' && Object.values(groups).some(group => groupState(group) === 'pause')
  if (!isResumed) return [{ cmd: 'state', state }]
  // Without groups there is nothing that a `config` could set them in.
  return hasGroups(data)
    ? undefined
    : [
        { cmd: 'state', state: 'fold' },
        { cmd: 'state', state },
      ]
}
