import { discord } from './discord.ts'
import { email } from './email.ts'
import { mqtt } from './mqtt.ts'
import { ntfy } from './ntfy.ts'
import { push } from './push.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

/** All kinds of channels. Settings, senders, labels of pages, secrets and docs/channels.md follow from an entry. */
export const CHANNEL_KINDS = { email, webhook, ntfy, discord, slack, mqtt, push }

export const channelKinds = Object.values(CHANNEL_KINDS)
