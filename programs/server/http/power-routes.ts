import * as v from 'valibot'
import { inputName } from '../../../src/folding/schedule/schedule.ts'
import { METER_KINDS, METER_UNITS } from '../power/meter-payloads.ts'
import { powerReport, energyAnswer } from '../../../src/folding/power/report.ts'
import { count, format, shortText, span, get, post, type RouteSpec } from './route-fields.ts'

/* The routes of power, prices and energy, as those of routes.ts. */

const number = v.pipe(v.string(), v.regex(/^-?\d{1,9}(?:\.\d{1,9})?$/, 'must be a number'), v.transform(Number))
export const pricesQuery = v.object({
  per: v.pipe(
    v.optional(v.picklist(['kWh', 'MWh'])),
    v.description('What a price is for; default: what the list says'),
  ),
  add: v.pipe(v.optional(number), v.description('Added to the price of a kilowatt hour: fees')),
  factor: v.pipe(v.optional(number), v.description('What the sum is multiplied by: 1.19 for a tax of 19 %')),
})
export const energyQuery = v.object({ ...span, limit: v.optional(count(20_000), '10000'), format })
export const powerQuery = v.object({ days: v.optional(count(400), '32'), machine: v.optional(shortText) })
export const namePath = inputName

export const powerRoutes = {
  power: get(
    '/api/server/power',
    'view',
    'Known prices, what meters say, and the energy of machines in the last days, by days of the zone of prices',
    { isCoordinated: true, query: powerQuery, answer: powerReport },
  ),
  energy: get(
    '/api/server/energy',
    'view',
    'Energy, points, cost and CO₂ by machine, in quarters of an hour, and in days from some time on; in order of time',
    { query: energyQuery, answer: energyAnswer },
  ),
  prices: post(
    '/api/server/inputs/:name/prices',
    'inputs',
    'Takes a list of prices, or of grams of CO₂, in our own form or that of Tibber, aWATTar, Nord Pool, Energy-Charts or ENTSO-E',
    {
      isCoordinated: true,
      query: pricesQuery,
      body: v.pipe(
        v.unknown(),
        v.check(body => body !== undefined, 'must be JSON'),
      ),
      answer: v.object({ intervals: v.number() }),
    },
  ),
  reading: post('/api/server/meters/:name', 'inputs', 'What a meter of the settings says, in the form of its kind', {
    isCoordinated: true,
    mostBytes: 65_536,
    body: v.pipe(
      v.unknown(),
      v.check(body => body !== undefined, 'must be JSON'),
    ),
    answer: v.object({ status: v.string() }),
  }),
  resetMeter: post(
    '/api/server/meters/:name/reset',
    'control',
    'Forgets what was learned of a meter: its counter, and the most watts that it has shown',
    { isCoordinated: true, answer: v.object({ status: v.string() }) },
  ),
  foundMeters: get(
    '/api/server/meters/found',
    'administer',
    'Meters that devices announce on the MQTT broker, each with the lines of the settings that would use it',
    {
      isCoordinated: true,
      answer: v.object({
        meters: v.array(
          v.object({
            name: v.string(),
            by: v.picklist(['home-assistant', 'shelly', 'tasmota']),
            kind: v.picklist(METER_KINDS),
            topic: v.string(),
            path: v.optional(v.string()),
            unit: v.picklist(METER_UNITS),
            settings: v.string(),
          }),
        ),
      }),
    },
  ),
} as const satisfies Readonly<Record<string, RouteSpec>>
