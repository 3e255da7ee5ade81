import * as v from 'valibot'
import { inputName } from '../../../src/folding/schedule/schedule.ts'
import { METER_KINDS, METER_UNITS } from '../power/meter-payloads.ts'
import { jsonPath, listOf, plainTopic, word } from './fields.ts'

const meter = v.strictObject({
  name: v.pipe(
    inputName,
    v.description('Its name in addresses and metrics; its watts are an input of schedules with this name.'),
  ),
  machine: v.pipe(
    v.optional(word()),
    v.description('The machine that it measures, by its address or name of [[machines]]. Default: the house.'),
  ),
  kind: v.pipe(
    v.optional(v.picklist(METER_KINDS, `must be one of ${METER_KINDS.join(', ')}`), 'value'),
    v.description(
      'What it sends: shelly (first generation), shelly-plus (later ones), tasmota, home-assistant, or a value.',
    ),
  ),
  topic: v.pipe(
    v.optional(plainTopic),
    v.description(
      'Its MQTT topic; of kind shelly the beginning, such as "shellies/shellyplug-s-1/relay/0". Default: by HTTP only.',
    ),
  ),
  path: v.pipe(v.optional(jsonPath), v.description('Of kind value: where the value is in a message of JSON.')),
  unit: v.pipe(
    v.optional(v.picklist(METER_UNITS, `must be one of ${METER_UNITS.join(', ')}`), 'W'),
    v.description('The unit of a value: power (W, kW), or a counter of energy (Wmin, Wh, kWh, MWh).'),
  ),
})

export const meters = v.optional(listOf(meter, 1000), [])

export type MeterSettings = v.InferOutput<typeof meter>

/** What no schema of one meter can say. `machines`: addresses and names. */
export function meterContradictions(
  list: readonly MeterSettings[],
  mqtt: { readonly url?: string | undefined; readonly inputs: readonly { readonly name: string }[] },
  machines: readonly string[],
) {
  return list.flatMap(({ name, machine, topic, kind, path }, at) => {
    const found: { readonly path: readonly (string | number)[]; readonly message: string }[] = []
    const add = (key: string, message: string): void => void found.push({ path: ['meters', at, key], message })
    if (topic !== undefined && mqtt.url === undefined)
      add('topic', `meters[${at + 1}].topic needs mqtt.url, the broker.`)
    if (machine !== undefined && !machines.includes(machine))
      add('machine', `meters[${at + 1}].machine names ${machine}, which is no address or name of [[machines]].`)
    if (path !== undefined && kind !== 'value') add('path', `meters[${at + 1}].path is for the kind value only.`)
    if (mqtt.inputs.some(input => input.name === name)) add('name', `meters[${at + 1}] repeats ${name} of mqtt.inputs.`)
    return found
  })
}
