/*
 * Meters that devices announce on a broker: by Home Assistant's discovery, by Shelly and by Tasmota. They are offered to an
 * administrator; none is used before the settings name it.
 */
import type { MqttReader } from '../alerts/channels/mqtt-inputs.ts'
import { valueAt } from '../values.ts'
import { jsonOf, METER_UNITS, type MeterFormat, type MeterUnit } from './meter-payloads.ts'

/** `by`: whose announcement it was. */
export type FoundMeter = MeterFormat & { readonly name: string; readonly by: 'home-assistant' | 'shelly' | 'tasmota' }

const MOST_FOUND = 200
const MOST_BYTES = 65_536
const LONGEST_NAME = 100
const LONGEST_TOPIC = 1000

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.replaceAll(/\p{Cc}/gu, '').slice(0, LONGEST_NAME) : undefined
}

function topicOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= LONGEST_TOPIC && /^[^#+\p{Cc}]+$/u.test(value) ? value : undefined
}

function unitOf(value: unknown): MeterUnit | undefined {
  return METER_UNITS.find(unit => unit === value)
}

/** The path that a template of Home Assistant reads; undefined for one that does more. */
function pathOf(template: unknown): string | undefined {
  if (typeof template !== 'string' || template.length > 200) return undefined
  const chain = /^\{\{\s*value_json((?:\.\w+|\[['"][\w:-]+['"]\])+)\s*(?:\|\s*(?:float|round)\b[^|}]*)?\}\}$/.exec(
    template,
  )?.[1]
  const keys = chain === undefined ? [] : [...chain.matchAll(/\.(\w+)|\[['"]([\w:-]+)['"]\]/g)]
  return keys.length === 0 ? undefined : keys.map(([, plain, quoted]) => plain ?? quoted ?? '').join('.')
}

/** https://www.home-assistant.io/integrations/mqtt: names are long or abbreviated, `~` stands for the base topic. */
function ofHomeAssistant(json: unknown): FoundMeter | undefined {
  const read = (long: string, short: string): unknown => valueAt(json, long) ?? valueAt(json, short)
  const kind = read('device_class', 'dev_cla')
  const unit = unitOf(read('unit_of_measurement', 'unit_of_meas'))
  const base = textOf(valueAt(json, '~')) ?? ''
  const topic = topicOf(textOf(read('state_topic', 'stat_t'))?.replaceAll('~', base))
  const template = read('value_template', 'val_tpl')
  const path = pathOf(template)
  const isPlain = template === undefined || (typeof template === 'string' && /^\{\{\s*value\s*\}\}$/.test(template))
  if ((kind !== 'power' && kind !== 'energy') || unit === undefined || topic === undefined) return undefined
  if (path === undefined && !isPlain) return undefined
  const device = textOf(valueAt(read('device', 'dev'), 'name'))
  const name = [device, textOf(valueAt(json, 'name'))].filter(part => part !== undefined).join(' ')
  return {
    by: 'home-assistant',
    kind: path === undefined ? 'home-assistant' : 'value',
    name: name === '' ? topic.slice(0, LONGEST_NAME) : name,
    topic,
    unit,
    ...(path === undefined ? {} : { path }),
  }
}

/** Models with a meter, as `shellies/announce` names them. */
const SHELLY_METERS = /^SH(?:PLG|SW-PM|SW-25|SW-1PM|PLG-S|PLG-U1|EM)/i

function ofShelly(json: unknown): FoundMeter | undefined {
  const id = textOf(valueAt(json, 'id'))
  const model = textOf(valueAt(json, 'model')) ?? ''
  if (id === undefined || !/^[\w-]+$/.test(id) || !SHELLY_METERS.test(model)) return undefined
  const part = /^SHEM/i.test(model) ? 'emeter' : 'relay'
  return { by: 'shelly', kind: 'shelly', name: id, topic: `shellies/${id}/${part}/0`, unit: 'W' }
}

/** A status of the later ones says by itself that it has a meter. */
function ofShellyPlus(topic: string, json: unknown): FoundMeter | undefined {
  return valueAt(json, 'apower') === undefined && valueAt(json, 'total_act_power') === undefined
    ? undefined
    : {
        by: 'shelly',
        kind: 'shelly-plus',
        name: topic.split('/')[0]?.slice(0, LONGEST_NAME) ?? topic,
        topic,
        unit: 'W',
      }
}

/** Reads announcements. `prefix`: of Home Assistant’s discovery; empty for none. `ownPrefix`: begins the ids of this server’s entities. */
export function createMeterDiscovery(
  prefix: string,
  ownPrefix = 'foldboard_',
): MqttReader & { readonly found: () => readonly FoundMeter[] } {
  const found = new Map<string, FoundMeter>()
  /** What Tasmota announces in two messages, by the address of the device. */
  const tasmota = new Map<string, { readonly name?: string; readonly topic?: string; readonly hasEnergy?: boolean }>()

  const add = (meter: FoundMeter | undefined): void => {
    if (meter === undefined) return
    const key = `${meter.topic} ${meter.path ?? ''}`
    if (found.has(key) || found.size < MOST_FOUND) found.set(key, meter)
  }
  const addTasmota = (device: string, part: string, json: unknown): void => {
    if (!tasmota.has(device) && tasmota.size >= MOST_FOUND) return
    const before = tasmota.get(device) ?? {}
    const next =
      part === 'sensors'
        ? { ...before, hasEnergy: valueAt(json, 'sn.ENERGY') !== undefined }
        : { ...before, ...announcedTasmota(json) }
    tasmota.set(device, next)
    if (next.hasEnergy === true && next.topic !== undefined)
      add({
        by: 'tasmota',
        kind: 'tasmota',
        name: next.name ?? device.slice(0, LONGEST_NAME),
        topic: next.topic,
        unit: 'W',
      })
  }

  const configs = prefix === '' ? [] : [`${prefix}/sensor/+/config`, `${prefix}/sensor/+/+/config`]
  return {
    topics: [
      ...configs,
      'shellies/announce',
      '+/status/+',
      'tasmota/discovery/+/config',
      'tasmota/discovery/+/sensors',
    ],
    receive: (topic, payload) => {
      if (payload.length === 0 || payload.length > MOST_BYTES) return
      const parts = topic.split('/')
      const isConfig = prefix !== '' && topic.startsWith(`${prefix}/sensor/`) && parts.at(-1) === 'config'
      if (isConfig && !parts.some(part => part.startsWith(ownPrefix))) add(ofHomeAssistant(jsonOf(payload)))
      else if (topic === 'shellies/announce') add(ofShelly(jsonOf(payload)))
      else if (parts.length === 3 && parts[1] === 'status' && topicOf(topic) !== undefined)
        add(ofShellyPlus(topic, jsonOf(payload)))
      else if (parts.length === 4 && topic.startsWith('tasmota/discovery/'))
        addTasmota(parts[2] ?? '', parts[3] ?? '', jsonOf(payload))
    },
    flush: () => undefined,
    found: () => [...found.values()],
  }
}

/** https://tasmota.github.io/docs/MQTT: `ft` is the full topic with its parts, `tp` the prefixes: cmnd, stat, tele. */
function announcedTasmota(json: unknown): { readonly name?: string; readonly topic?: string } {
  const [pattern, device, prefix] = [valueAt(json, 'ft'), valueAt(json, 't'), valueAt(json, 'tp.2')].map(textOf)
  const name = textOf(valueAt(json, 'fn.0')) ?? textOf(valueAt(json, 'dn'))
  const base = pattern?.replaceAll('%prefix%', prefix ?? 'tele').replaceAll('%topic%', device ?? '')
  const topic =
    base === undefined || device === undefined ? undefined : topicOf(`${base}${base.endsWith('/') ? '' : '/'}SENSOR`)
  return { ...(name === undefined ? {} : { name }), ...(topic === undefined ? {} : { topic }) }
}

/** The lines of the settings that use a meter. */
export function settingsOf({ kind, topic, path, unit }: FoundMeter): string {
  return [
    '[[meters]]',
    'name = "…"',
    'machine = "…"',
    `kind = ${JSON.stringify(kind)}`,
    `topic = ${JSON.stringify(topic)}`,
    ...(path === undefined ? [] : [`path = ${JSON.stringify(path)}`]),
    ...(kind === 'value' || kind === 'home-assistant' ? [`unit = ${JSON.stringify(unit)}`] : []),
  ].join('\n')
}
