import * as v from 'valibot'
import { inputName } from '../../../src/folding/schedule/schedule.ts'
import { flag, jsonPath, listOf, plainTopic, secret, word } from './fields.ts'

const mqttInput = v.strictObject({
  name: v.pipe(inputName, v.description('The input of schedules that it sets.')),
  topic: v.pipe(plainTopic, v.description('The topic whose messages have the value.')),
  path: v.pipe(
    v.optional(jsonPath),
    v.description(
      'Where the value is in a message of JSON, such as "ENERGY.Power" or "values.0"; default: the message is the value.',
    ),
  ),
})

export const mqttBroker = v.strictObject({
  url: v.pipe(
    v.optional(
      v.pipe(
        word(1000),
        v.check(text => {
          const url = URL.canParse(text) ? new URL(text) : undefined
          return url !== undefined && /^(?:mqtts?|wss?):$/.test(url.protocol) && url.username === ''
        }, 'must be an address such as "mqtts://broker.example.org:8883", without a user name'),
      ),
    ),
    v.description('The MQTT broker: mqtt, mqtts, ws or wss. Without it MQTT is not used.'),
  ),
  user: v.optional(word()),
  password: secret,
  topic: v.pipe(
    v.optional(
      v.pipe(word(100), v.regex(/^[\w/-]+$/, 'must have letters, digits, dashes and slashes only')),
      'foldboard',
    ),
    v.description('All topics of this server begin with it.'),
  ),
  discovery: v.pipe(
    v.optional(
      v.pipe(
        v.string('must be text in quotes'),
        v.regex(/^[\w/-]{0,100}$/, 'must have letters, digits and slashes only'),
      ),
      'homeassistant',
    ),
    v.description('Prefix of Home Assistant’s discovery; "" for no discovery.'),
  ),
  switches: v.pipe(
    flag(false),
    v.description('Whether Home Assistant gets a switch for each machine whose commands include state.'),
  ),
  'find-meters': v.pipe(
    flag(true),
    v.description('Whether meters that devices announce on the broker are offered to administrators.'),
  ),
  inputs: v.pipe(v.optional(listOf(mqttInput, 100), []), v.description('Topics whose values are inputs of schedules.')),
})

export type MqttSettings = v.InferOutput<typeof mqttBroker>
export type MqttInput = MqttSettings['inputs'][number]
