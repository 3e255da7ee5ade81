import * as v from 'valibot'
import { kindEntry, thresholdKey } from '../../../src/folding/incidents/incident-kinds.ts'
import { GRAVITIES, INCIDENT_KINDS } from '../../../src/folding/incidents/incident.ts'
import { CHANNEL_KINDS, channelKinds } from '../alerts/channels/channel-kinds.ts'
import { flag, language, listOf, name, webAddress, wholeNumberBetween, word } from './fields.ts'
import { mqttBroker } from './mqtt-settings.ts'

/*
 * The settings of incidents and alerts: which channels there are, and who is told of what, when. Every address that the
 * server calls is here, and every secret of a channel here or in the environment.
 */

const channel = v.variant(
  'kind',
  channelKinds.map(({ schema }) => schema),
  `must be one of ${channelKinds.map(({ kind }) => kind).join(', ')}`,
)

const clockTime = v.pipe(
  v.string('must be text in quotes'),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "22:00"'),
)

const timeZone = v.pipe(
  word(64),
  v.check(zone => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== ''
    } catch {
      return false
    }
  }, 'must be a time zone such as "Europe/Berlin"'),
)

const gravity = v.picklist(GRAVITIES, `must be one of ${GRAVITIES.join(', ')}`)

const quiet = v.strictObject({
  from: clockTime,
  until: clockTime,
  zone: v.pipe(v.optional(timeZone, 'UTC'), v.description('Time zone of from and until, such as "Europe/Berlin".')),
  except: v.pipe(
    v.optional(listOf(gravity, 3), []),
    v.description('Gravities that come during quiet hours too, such as ["grave"].'),
  ),
})

const rule = v.strictObject({
  name: v.pipe(name, v.description('Who is told: a person, or a purpose.')),
  language: v.pipe(
    language,
    v.description('The language of their messages, such as "de"; default: that of the channel.'),
  ),
  channels: v.pipe(
    listOf(name, 10),
    v.minLength(1, 'must not be empty'),
    v.description(
      'Names of channels: the first is used at once, each further one escalate-minutes later unless the incident is acknowledged.',
    ),
  ),
  together: v.pipe(flag(false), v.description('Use all channels at once instead of one after another.')),
  'escalate-minutes': v.pipe(
    v.optional(wholeNumberBetween(1, 10_080), 30),
    v.description('Minutes until the next channel is used for an incident that is still open.'),
  ),
  least: v.pipe(
    v.optional(gravity, 'warning'),
    v.description('The least grave incidents of which this person is told: grave, warning or notice.'),
  ),
  kinds: v.pipe(
    v.optional(
      listOf(v.picklist(INCIDENT_KINDS, `must be one of ${INCIDENT_KINDS.join(', ')}`), INCIDENT_KINDS.length),
    ),
    v.description('Only these kinds of incidents; default: all.'),
  ),
  machines: v.pipe(
    v.optional(listOf(word(), 1000)),
    v.description('Only these machines, by their names; default: all.'),
  ),
  'digest-minutes': v.pipe(
    v.optional(wholeNumberBetween(0, 1440), 1),
    v.description('Incidents within so many minutes come in one message; 0 for within a few seconds.'),
  ),
  recovery: v.pipe(flag(true), v.description('Also tell when an incident is over, if its beginning was told.')),
  quiet: v.pipe(v.optional(quiet), v.description('Quiet hours: what still lasts at their end comes in one message.')),
})

const incidents = v.strictObject({
  disabled: v.pipe(
    v.optional(
      listOf(v.picklist(INCIDENT_KINDS, `must be one of ${INCIDENT_KINDS.join(', ')}`), INCIDENT_KINDS.length),
      [],
    ),
    v.description('Kinds that are not looked for.'),
  ),
  thresholds: v.pipe(
    v.optional(
      v.record(
        v.pipe(v.string(), v.regex(/^[a-z-]{1,20}\.[a-z]{1,20}$/, 'must be quoted as "kind.threshold"')),
        v.pipe(v.number('must be a number'), v.finite('must be a number')),
      ),
      {},
    ),
    v.description('Thresholds by "kind.name", such as "unreachable.minutes" = 20; default: those of the page.'),
  ),
})

const alive = v.strictObject({
  url: v.pipe(
    v.optional(webAddress),
    v.description('Called regularly while the server works, so that a service notices when it does not.'),
  ),
  minutes: v.pipe(v.optional(wholeNumberBetween(1, 1440), 5), v.description('Minutes between two calls.')),
})

export const alertSections = {
  incidents: v.optional(incidents, {}),
  alive: v.optional(alive, {}),
  mqtt: v.optional(mqttBroker, {}),
  channels: v.optional(listOf(channel, 100), []),
  alerts: v.optional(listOf(rule, 1000), []),
}

export type AlertSettings = v.InferOutput<v.ObjectSchema<typeof alertSections, undefined>>
export type ChannelSettings = AlertSettings['channels'][number]
export type AlertRule = AlertSettings['alerts'][number]

/** Sections whose settings environment variables can set, beside those of schema.ts. */
export const ALERT_VARIABLES = { alive, mqtt: mqttBroker } as const

/** What an environment variable may give a channel, so that the file holds no secrets. */
const CHANNEL_SECRETS = [...new Set<string>(channelKinds.flatMap(({ secrets }) => secrets))]

/** FOLDBOARD_CHANNEL_PHONE_TOKEN is the `token` of the channel named `phone`. */
export function channelSecrets(channels: unknown, environment: Readonly<Record<string, string | undefined>>) {
  return (Array.isArray(channels) ? (channels as readonly unknown[]) : []).flatMap((entry, index) => {
    const channelName: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'name') : undefined
    if (typeof channelName !== 'string') return []
    return CHANNEL_SECRETS.flatMap(key => {
      const variable = `FOLDBOARD_CHANNEL_${channelName}_${key}`.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')
      const value = environment[variable]
      return value === undefined || value === '' ? [] : [{ index, key, variable, value }]
    })
  })
}

const THRESHOLDS = new Map(
  INCIDENT_KINDS.flatMap(kind =>
    Object.entries(kindEntry(kind).thresholds).map(
      ([name, threshold]) => [thresholdKey(kind, name), threshold] as const,
    ),
  ),
)

/** What no schema of one setting can say. */
export function alertContradictions(
  { channels, alerts, mqtt, incidents: { thresholds } }: AlertSettings,
  users: readonly { readonly name: string }[],
) {
  const found: { readonly path: readonly (string | number)[]; readonly message: string }[] = []
  const names = new Set(channels.map(entry => entry.name))
  mqtt.inputs.forEach((entry, at) => {
    if (mqtt.url === undefined && at === 0)
      found.push({ path: ['mqtt', 'inputs'], message: 'mqtt.inputs needs mqtt.url, the broker.' })
    if (mqtt.inputs.findIndex(({ name: other }) => other === entry.name) < at)
      found.push({ path: ['mqtt', 'inputs', at, 'name'], message: `mqtt.inputs[${at + 1}] repeats ${entry.name}.` })
  })
  for (const [key, value] of Object.entries(thresholds)) {
    const path = ['incidents', 'thresholds', key]
    const threshold = THRESHOLDS.get(key)
    if (threshold === undefined)
      found.push({ path, message: `There is no threshold ${key}: it is one of ${[...THRESHOLDS.keys()].join(', ')}.` })
    else if (value < threshold.least || value > threshold.most)
      found.push({ path, message: `The threshold ${key} must be from ${threshold.least} to ${threshold.most}.` })
  }
  channels.forEach((entry, at) => {
    const mistake = CHANNEL_KINDS[entry.kind].mistake(entry, `channels[${at + 1}]`, { mqtt, users })
    if (mistake !== undefined) found.push({ path: ['channels', at, mistake.key], message: mistake.message })
  })
  alerts.forEach((entry, at) =>
    entry.channels.forEach((channelName, position) => {
      if (!names.has(channelName))
        found.push({
          path: ['alerts', at, 'channels'],
          message: `alerts[${at + 1}].channels names ${channelName}, which is no channel of [[channels]].`,
        })
      if (entry.channels.indexOf(channelName) < position)
        found.push({ path: ['alerts', at, 'channels'], message: `alerts[${at + 1}].channels repeats ${channelName}.` })
    }),
  )
  return found
}
