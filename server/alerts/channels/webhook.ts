import { createHmac } from 'node:crypto'
import type { ChannelSettings } from '../../config/alert-settings.ts'
import type { Gravity } from '../../../src/folding/incidents/incident.ts'
import type { Message } from '../message.ts'
import { shortened, type Channel } from './channel.ts'
import { callHttp } from './http-call.ts'

/* Channels that are one HTTP request each. */

type Settings<Kind extends ChannelSettings['kind']> = Extract<ChannelSettings, { kind: Kind }>
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }
const nothing = (): void => undefined

/** The key of a secret: `whsec_` and base64 as Standard Webhooks has it, else its text. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret, 'utf8')

/** The signature of a request as Standard Webhooks describes it: HMAC-SHA256 of id, time and body. `at`: epoch seconds. */
export const signatureOf = (secret: string, id: string, at: number, body: string): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${at}.${body}`).digest('base64')}`

/** The message as JSON, signed when there is a secret. The id is the same for each attempt. */
export const webhookChannel = ({ name, url, secret }: Settings<'webhook'>, now: () => number): Channel => ({
  isRepeatable: true,
  stop: nothing,
  send: message => {
    const { id, title, body: text, gravity = null, link = null, incidents } = message
    const body = JSON.stringify({ id, at: new Date(message.at).toISOString(), title, text, gravity, link, incidents })
    const seconds = Math.floor(now() / 1000)
    const headers = {
      ...JSON_TYPE,
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      ...(secret === undefined ? {} : { 'webhook-signature': signatureOf(secret, id, seconds, body) }),
    }
    return callHttp(name, url, { method: 'POST', headers, body }, now)
  },
})

const PRIORITIES: Readonly<Record<Gravity, number>> = { grave: 5, warning: 4, notice: 3 }
const TAGS: Readonly<Record<Gravity, string>> = {
  grave: 'rotating_light',
  warning: 'warning',
  notice: 'information_source',
}

/** https://docs.ntfy.sh/publish: as JSON, so that texts need no escapes. */
export const ntfyChannel = ({ name, url, topic, token }: Settings<'ntfy'>, now: () => number): Channel => ({
  isRepeatable: false,
  stop: nothing,
  send: ({ title, body, gravity, link }) =>
    callHttp(
      name,
      url,
      {
        method: 'POST',
        headers: { ...JSON_TYPE, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify({
          topic,
          title: shortened(title, 250),
          message: shortened(body, 3500),
          priority: gravity === undefined ? 3 : PRIORITIES[gravity],
          tags: [gravity === undefined ? 'white_check_mark' : TAGS[gravity]],
          ...(link === undefined ? {} : { click: link }),
        }),
      },
      now,
    ),
})

const COLORS: Readonly<Record<Gravity, number>> = { grave: 0xd0342c, warning: 0xc77700, notice: 0x2f6fc4 }

/** Signs of Discord's Markdown are escaped, and no mention is sent. */
export const discordChannel = ({ name, url = '' }: Settings<'discord'>, now: () => number): Channel => ({
  isRepeatable: false,
  stop: nothing,
  send: ({ title, body, gravity, link }) =>
    callHttp(
      name,
      url,
      {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({
          username: 'Foldboard',
          allowed_mentions: { parse: [] },
          embeds: [
            {
              title: shortened(withoutMarkdown(title), 250),
              description: shortened(withoutMarkdown(body), 4000),
              color: gravity === undefined ? 0x2e7d4f : COLORS[gravity],
              ...(link === undefined ? {} : { url: link }),
            },
          ],
        }),
      },
      now,
    ),
})

const withoutMarkdown = (text: string): string => text.replaceAll(/[\\`*_~|<>[\]()#-]/g, sign => `\\${sign}`)

/** Incoming webhooks of Slack, Mattermost and Rocket.Chat. */
export const slackChannel = ({ name, url = '' }: Settings<'slack'>, now: () => number): Channel => ({
  isRepeatable: false,
  stop: nothing,
  send: message =>
    callHttp(
      name,
      url,
      { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ text: slackText(message) }) },
      now,
    ),
})

const slackText = ({ title, body, link }: Message): string => {
  const text = `*${withoutControls(title)}*\n${withoutControls(body)}`
  return shortened(text, 3500) + (link === undefined ? '' : `\n<${link}>`)
}

/** `&`, `<` and `>` are Slack's controls: mentions and links begin with them. */
const withoutControls = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('*', '∗')
