import { describe, expect, test } from 'vitest'
import { createMeterDiscovery, settingsOf } from './meter-discovery.ts'
import { readingOf, readingOfValue, type MeterFormat, type Reading } from './meter-payloads.ts'
import { afterReading, NO_METER, type MeterState } from './meter.ts'
import { createMqttMeters } from './mqtt-meters.ts'
import type { MeterSettings } from '../config/meter-settings.ts'
import { createMeters } from './meters.ts'
import { priceListOf } from './price-lists.ts'

function bytes(payload: unknown): Uint8Array {
  return Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
}

/** As the makers document them. */
const SHELLY_PLUS = {
  id: 0,
  source: 'WS_in',
  output: true,
  apower: 8.9,
  voltage: 237.5,
  aenergy: { total: 6532.1, by_minute: [45.199, 47.141, 88.397], minute_ts: 1_626_935_779 },
  temperature: { tC: 23.5, tF: 74.4 },
}
const TASMOTA = {
  Time: '2027-01-02T03:04:05',
  ENERGY: {
    TotalStartTime: '2026-03-04T05:06:07',
    Total: 4.251,
    Yesterday: 0.512,
    Today: 0.3,
    Period: 1,
    Power: 121,
    ApparentPower: 130,
    Factor: 0.93,
    Voltage: 230,
    Current: 0.565,
  },
}

describe('what meters send', () => {
  const shelly: MeterFormat = { kind: 'shelly', topic: 'shellies/shellyplug-s-1/relay/0', unit: 'W' }
  const plus: MeterFormat = { kind: 'shelly-plus', topic: 'shellyplusplugs-1/status/switch:0', unit: 'W' }
  const tasmota: MeterFormat = { kind: 'tasmota', topic: 'tele/plug/SENSOR', unit: 'W' }
  const home: MeterFormat = { kind: 'home-assistant', topic: 'ha/sensor/plug/state', unit: 'kWh' }
  const value: MeterFormat = { kind: 'value', topic: 'meter', path: 'emeters.0.total', unit: 'Wh' }
  const cases: readonly (readonly [MeterFormat, string, unknown, Reading | undefined])[] = [
    [shelly, 'shellies/shellyplug-s-1/relay/0/power', '42.17', { watts: 42.17 }],
    [shelly, 'shellies/shellyplug-s-1/relay/0/energy', '600', { wattHours: 10 }],
    [
      { ...shelly, topic: 'shellies/shellyem-1/emeter/0' },
      'shellies/shellyem-1/emeter/0/total',
      '1234.5',
      { wattHours: 1234.5 },
    ],
    [{ ...shelly, topic: 'shellies/shellyem-1/emeter/0' }, 'shellies/shellyem-1/emeter/0/energy', '77', undefined],
    [shelly, 'shellies/shellyplug-s-1/relay/0/power', 'on', { watts: 1 }],
    [plus, plus.topic, SHELLY_PLUS, { watts: 8.9, wattHours: 6532.1 }],
    [plus, plus.topic, { id: 0, total_act_power: -312.4 }, { watts: -312.4 }],
    [plus, plus.topic, { id: 0, total_act: 987.6, total_act_ret: 1.2 }, { wattHours: 987.6 }],
    [plus, plus.topic, { id: 0, output: false }, undefined],
    [tasmota, tasmota.topic, TASMOTA, { watts: 121, wattHours: 4251 }],
    [tasmota, tasmota.topic, { ENERGY: { Total: [1.5, 0.5], Power: [24, 11] } }, { watts: 35, wattHours: 2000 }],
    [tasmota, tasmota.topic, { Time: '2027-01-02T03:04:05', SI7021: { Temperature: 21 } }, undefined],
    [home, home.topic, '12.5', { wattHours: 12_500 }],
    [home, home.topic, 'unavailable', undefined],
    [
      home,
      home.topic,
      {
        entity_id: 'sensor.plug_power',
        state: '42.1',
        attributes: { unit_of_measurement: 'W', device_class: 'power' },
      },
      { watts: 42.1 },
    ],
    [value, 'meter', { emeters: [{ total: 12 }] }, { wattHours: 12 }],
    [value, 'meter', { emeters: [{ total: -12 }] }, undefined],
    [value, 'meter', '{"emeters":', undefined],
    [value, 'meter', '{"__proto__":{"emeters":[{"total":1}]}}', undefined],
    [{ ...value, path: undefined, unit: 'kW' }, 'meter', '1.5', { watts: 1500 }],
    [{ ...value, path: undefined }, 'meter', '9'.repeat(300_000), undefined],
    [{ ...value, path: undefined, unit: 'kW' }, 'meter', '1e300', undefined],
  ]
  test.each(cases)('%j %s %j', (format, topic, payload, reading) => {
    const read = readingOf(format, topic, bytes(payload))
    expect(read).toEqual(reading === undefined ? undefined : { watts: undefined, wattHours: undefined, ...reading })
  })

  test('programs send the same', () => {
    expect(readingOfValue(tasmota, TASMOTA)).toEqual({ watts: 121, wattHours: 4251 })
    expect(readingOfValue(shelly, { power: 10, is_valid: true, total: 120 })).toEqual({ watts: 10, wattHours: 2 })
  })

  test('the broker’s messages reach the meters of their topics, but what it kept from earlier', () => {
    const readings: unknown[] = []
    const reader = createMqttMeters(
      [
        { name: 'plug', ...shelly },
        { name: 'by-http', kind: 'value', unit: 'W' },
      ],
      (name, reading) => readings.push([name, reading.watts]),
    )
    expect(reader.topics).toEqual([`${shelly.topic}/power`, `${shelly.topic}/energy`, `${shelly.topic}/total`])
    reader.receive(`${shelly.topic}/power`, bytes('12'), false)
    reader.receive(`${shelly.topic}/power`, bytes('13'), true)
    reader.receive('other', bytes('14'), false)
    expect(readings).toEqual([['plug', 12]])
  })
})

describe('the energy of a meter', () => {
  const MINUTE = 60_000
  const run = (readings: readonly (readonly [number, Reading])[]) => {
    let state: MeterState = NO_METER
    return readings.map(([minute, reading]) => {
      const result = afterReading(state, reading, minute * MINUTE)
      ;({ state } = result)
      const { metered } = result
      return metered === undefined
        ? undefined
        : [metered.from / MINUTE, metered.until / MINUTE, Math.round(metered.wattHours * 1000) / 1000]
    })
  }
  test('of watts, unless they were silent; what is fed in is none', () => {
    expect(
      run([
        [0, { watts: 60 }],
        [1, { watts: 120 }],
        [11, { watts: 60 }],
        [12, { watts: -60 }],
        [13, { watts: 0 }],
      ]),
    ).toEqual([undefined, [0, 1, 1], undefined, [11, 12, 1], [12, 13, 0]])
  })
  test('of a counter: a gap, a restart, an end of its digits, and values that cannot be', () => {
    const rollover = 4_294_967_296 / 60
    expect(
      run([
        [0, { wattHours: 100 }],
        [1, { wattHours: 101 }],
        [60, { wattHours: 160 }],
        [61, { wattHours: 2 }],
        [62, { wattHours: 90_000_000 }],
        [63, { wattHours: rollover - 3 }],
        [64, { wattHours: rollover - 1 }],
        [65, { wattHours: 1 }],
        [65 + 32 * 1440, { wattHours: 5 }],
      ]),
    ).toEqual([
      undefined,
      [0, 1, 1],
      [1, 60, 59],
      [60, 61, 2],
      undefined,
      undefined,
      [63, 64, 2],
      [64, 65, 2],
      undefined,
    ])
  })
  test('of a counter that was not heard is that of another device when it never showed as much', () => {
    const plug = (after: Reading) =>
      run([
        [0, { watts: 400, wattHours: 480_000 }],
        [1, { watts: 420, wattHours: 480_007 }],
        [1 + 2 * 1440, after],
      ])[2]
    expect(plug({ wattHours: 499_000 })).toEqual([1, 2881, 18_993])
    expect(plug({ wattHours: 12_000 })).toEqual([1, 2881, 12_000])
    expect(plug({ wattHours: 300_000 })).toBeUndefined()
    expect(plug({ wattHours: 5_000_000 })).toBeUndefined()
    expect(
      run([
        [0, { wattHours: 10 }],
        [2, { wattHours: 3 }],
      ])[1],
    ).toBeUndefined()
  })
  test('of values that come together says nothing, and a peak has a limit', () => {
    const first = afterReading(NO_METER, { wattHours: 10 }, MINUTE).state
    const together = afterReading(first, { wattHours: 14 }, MINUTE + 51)
    expect(together).toEqual({ state: first, metered: undefined })
    expect(afterReading(together.state, { wattHours: 15 }, 2 * MINUTE)).toMatchObject({
      state: { peak: 300 },
      metered: { wattHours: 5 },
    })
    expect(afterReading(first, { watts: 900_000 }, 2 * MINUTE).state.peak).toBe(20_000)
    const meter: MeterSettings = { name: 'plug', kind: 'value', unit: 'Wh' }
    const meters = createMeters(
      [meter],
      [{ name: 'plug', source: JSON.stringify(['', 'value', '', '', 'Wh']), at: 0, wattHours: 5, peak: 705_882 }],
    )
    expect(meters.counters()).toMatchObject([{ wattHours: 5, peak: 20_000 }])
    expect(meters.reset('plug')).toBe(true)
    expect(meters.reset('none')).toBe(false)
    expect(meters.counters()).toEqual([])
  })
  test('watts follow from a counter where the meter does not say them', () => {
    const first = afterReading(NO_METER, { wattHours: 10 }, MINUTE).state
    expect(afterReading(first, { wattHours: 12 }, 2 * MINUTE).state.power).toEqual({ watts: 120, at: 2 * MINUTE })
    const said = afterReading(first, { watts: 5, wattHours: 10 }, 90_000).state
    expect(afterReading(said, { wattHours: 12 }, 2 * MINUTE).state.power).toEqual({ watts: 5, at: 90_000 })
  })
})

test('a template with a key that has a dot is not understood, so the meter is not offered', () => {
  const discovery = createMeterDiscovery('homeassistant')
  const config = { device_class: 'power', state_topic: 'a/b', unit_of_measurement: 'W' }
  const template = `{{ value_json['a.b'].power }}`
  discovery.receive('homeassistant/sensor/x/config', bytes({ ...config, value_template: template }), true)
  expect(discovery.found()).toEqual([])
})

test('meters that devices announce are found, with the settings that would use them', () => {
  const discovery = createMeterDiscovery('homeassistant')
  const announce = (topic: string, payload: unknown) => discovery.receive(topic, bytes(payload), true)
  announce('homeassistant/sensor/zigbee_plug/power/config', {
    name: 'Power',
    device_class: 'power',
    state_topic: 'zigbee2mqtt/plug',
    unit_of_measurement: 'W',
    value_template: '{{ value_json.power }}',
    device: { name: 'Desk plug', manufacturer: 'IKEA' },
  })
  announce('homeassistant/sensor/short/config', {
    '~': 'esp/desk',
    dev_cla: 'energy',
    stat_t: '~/energy/state',
    unit_of_meas: 'kWh',
    uniq_id: 'x',
  })
  announce('homeassistant/sensor/foldboard_1/total_energy/config', {
    device_class: 'energy',
    state_topic: 'foldboard/total/state',
    unit_of_measurement: 'kWh',
    value_template: '{{ value_json.energy }}',
  })
  announce('homeassistant/sensor/odd/config', {
    device_class: 'power',
    state_topic: 'odd/+/state',
    unit_of_measurement: 'W',
  })
  announce('homeassistant/sensor/clever/config', {
    device_class: 'power',
    state_topic: 'clever',
    unit_of_measurement: 'W',
    value_template: '{{ states("sensor.x") | float * 2 }}',
  })
  announce('homeassistant/sensor/warm/config', {
    device_class: 'temperature',
    state_topic: 't',
    unit_of_measurement: '°C',
  })
  announce('shellies/announce', {
    id: 'shellyplug-s-1',
    model: 'SHPLG-S',
    mac: '5ECF7F632632',
    ip: '192.168.1.9',
    new_fw: false,
  })
  announce('shellies/announce', { id: 'shellydw-1', model: 'SHDW-1' })
  announce('shellyplusplugs-1/status/switch:0', SHELLY_PLUS)
  announce('tasmota/discovery/A020A6/config', {
    ip: '192.168.1.7',
    dn: 'Tasmota',
    fn: ['Attic plug', null],
    hn: 'tasmota-1',
    mac: 'A020A6',
    md: 'Sonoff POW',
    ft: '%prefix%/%topic%/',
    t: 'tasmota_A020A6',
    tp: ['cmnd', 'stat', 'tele'],
  })
  announce('tasmota/discovery/A020A6/sensors', { sn: TASMOTA, ver: 1 })
  announce('tasmota/discovery/B/config', '{')
  const found = discovery.found()
  expect(found).toEqual([
    {
      by: 'home-assistant',
      kind: 'value',
      name: 'Desk plug Power',
      topic: 'zigbee2mqtt/plug',
      unit: 'W',
      path: 'power',
    },
    {
      by: 'home-assistant',
      kind: 'home-assistant',
      name: 'esp/desk/energy/state',
      topic: 'esp/desk/energy/state',
      unit: 'kWh',
    },
    { by: 'shelly', kind: 'shelly', name: 'shellyplug-s-1', topic: 'shellies/shellyplug-s-1/relay/0', unit: 'W' },
    {
      by: 'shelly',
      kind: 'shelly-plus',
      name: 'shellyplusplugs-1',
      topic: 'shellyplusplugs-1/status/switch:0',
      unit: 'W',
    },
    { by: 'tasmota', kind: 'tasmota', name: 'Attic plug', topic: 'tele/tasmota_A020A6/SENSOR', unit: 'W' },
  ])
  expect(found.map(settingsOf)[0]).toBe(
    '[[meters]]\nname = "…"\nmachine = "…"\nkind = "value"\ntopic = "zigbee2mqtt/plug"\npath = "power"\nunit = "W"',
  )
  for (let index = 0; index < 500; index++) announce(`plug${index}/status/switch:0`, SHELLY_PLUS)
  expect(discovery.found()).toHaveLength(200)
})

describe('lists of prices', () => {
  const noon = Date.parse('2027-01-04T12:00:00Z')
  const HOUR = 3_600_000
  const two = [
    { begin: noon, end: noon + HOUR, price: 0.3 },
    { begin: noon + HOUR, end: noon + 2 * HOUR, price: -0.02 },
  ]
  const [first, second] = ['2027-01-04T13:00:00.000+01:00', '2027-01-04T14:00:00.000+01:00']
  const tibber = { today: [{ total: 0.3, startsAt: first }], tomorrow: [{ total: -0.02, startsAt: second }] }
  const cases: readonly (readonly [string, unknown])[] = [
    ['our own', two],
    [
      'our own, with times as text',
      {
        prices: [
          { begin: first, price: 0.3 },
          { begin: second, price: '-0.02' },
        ],
      },
    ],
    ['Tibber', tibber],
    ['Tibber’s answer', { data: { viewer: { homes: [{ currentSubscription: { priceInfo: tibber } }] } } }],
    [
      'aWATTar',
      {
        object: 'list',
        data: [
          { start_timestamp: noon, end_timestamp: noon + HOUR, marketprice: 300, unit: 'Eur/MWh' },
          { start_timestamp: noon + HOUR, end_timestamp: noon + 2 * HOUR, marketprice: -20, unit: 'Eur/MWh' },
        ],
      },
    ],
    [
      'Nord Pool in Home Assistant',
      {
        raw_today: [{ start: first, end: second, value: 0.3 }],
        raw_tomorrow: [{ start: second, end: '2027-01-04T15:00:00+01:00', value: -0.02 }],
      },
    ],
    ['Energy-Charts', { unix_seconds: [noon / 1000, noon / 1000 + 3600], price: [300, -20], unit: 'EUR / MWh' }],
    [
      'ENTSO-E',
      {
        periods: [
          {
            timeInterval: { start: '2027-01-04T12:00Z', end: '2027-01-04T14:00Z' },
            resolution: 'PT15M',
            points: [
              { position: 1, 'price.amount': 300 },
              { position: 5, 'price.amount': -20 },
            ],
          },
        ],
      },
    ],
  ]
  test.each(cases)('%s', (_, list) => {
    expect(priceListOf(list, {}, noon)).toEqual(two)
  })
  test('fees and taxes are added, and entries that are none are left out', () => {
    const list = [
      { begin: noon, price: 100 },
      { begin: 'soon', price: 1 },
      { begin: noon + HOUR, price: null },
      null,
      7,
    ]
    expect(priceListOf(list, { per: 'MWh', add: 0.1, factor: 1.5 }, noon)).toEqual([
      { begin: noon, end: noon + HOUR, price: 0.30000000000000004 },
    ])
    for (const none of [undefined, null, 'x', {}, [], { today: 3 }, { data: 'x' }, { unix_seconds: 1 }])
      expect(priceListOf(none, {}, noon)).toBe('There is no price in it')
    expect(priceListOf([{ begin: 0, price: 1 }], {}, noon)).toBe('There is no price in it')
    expect(priceListOf([{ begin: noon, price: 1e9 }], {}, noon)).toBe('There is no price in it')
  })
  test('a list is refused that overlaps itself, is too long, or has a time whose zone nobody knows', () => {
    const hour = { begin: noon, end: noon + HOUR, price: 1 }
    expect(priceListOf([hour, { ...hour, begin: noon + HOUR / 2 }], {}, noon)).toBe('Its prices overlap')
    expect(priceListOf(Array(10_001).fill(null), {}, noon)).toBe('There are more than 10000 prices in it')
    const text = 'A time in it has no zone, such as Z or +01:00'
    expect(priceListOf([hour, { begin: '2027-01-04T13:00:00', price: 1 }], {}, noon)).toBe(text)
    expect(priceListOf([{ ...hour, end: '2027-01-04T13:00' }], {}, noon)).toBe(text)
    expect(priceListOf([{ ...hour, begin: '2027-01-04T13:00:00+01:00' }], {}, noon)).toEqual([hour])
  })
  test('quarters of an hour without ends', () => {
    const quarters = [0, 1, 2].map(index => ({ begin: noon + (index * HOUR) / 4, price: index }))
    expect(priceListOf(quarters, {}, noon)).toMatchObject(
      [0, 1, 2].map(index => ({ end: noon + ((index + 1) * HOUR) / 4 })),
    )
  })
})
