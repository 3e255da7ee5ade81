import * as v from 'valibot'
import { language, name } from '../../config/fields.ts'
import type { MqttSettings } from '../../config/mqtt-settings.ts'
import type { Attempt } from '../../machines/delivery/delivery.events.ts'
import type { PushKeys } from '../../push/push-keys.ts'
import type { PushStore } from '../../store/push-store.ts'
import type { Message } from '../message.ts'

export type Channel = {
  /** Resolves within half a minute, and never rejects. `unknown` when the message may have been taken. */
  readonly send: (message: Message) => Promise<Attempt>
  /** Whether a receiver tells a repeated message by its id, so that one whose attempt was cut off may be sent again. */
  readonly isRepeatable: boolean
  readonly stop?: () => void
}

export type MqttPublisher = {
  /** A channel that publishes alerts; each is an event of Home Assistant. */
  readonly channel: (name: string) => Channel
  /** Publishes what changed. Called regularly. */
  readonly publish: () => void
  readonly stop: () => Promise<void>
}

/** What a channel may need besides its settings. */
export type ChannelDeps = {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly subscriptions: PushStore
  /** Of this server at push services; undefined without a channel that needs them. */
  readonly pushKeys: PushKeys | undefined
  /** Undefined without a broker. */
  readonly mqtt: MqttPublisher | undefined
}

/** The settings around a channel. */
type Surroundings = { readonly mqtt: MqttSettings; readonly users: readonly { readonly name: string }[] }

const messageLanguage = v.pipe(language, v.description('The language of its messages, such as "de"; default: English.'))

type ChannelSchema<Kind extends string, Entries extends v.ObjectEntries> = v.StrictObjectSchema<
  {
    readonly kind: v.LiteralSchema<Kind, undefined>
    readonly name: typeof name
    readonly language: typeof messageLanguage
  } & Entries,
  undefined
>

/** A kind of channel: all that settings, sending, pages and documentation need to know of it. */
export function channelKind<const Kind extends string, Entries extends v.ObjectEntries>(
  kind: Kind,
  {
    settings,
    mistake,
    open,
    ...texts
  }: {
    /** As pages show it. */
    readonly label: string
    /** For docs/channels.md. */
    readonly sends: string
    /** Settings besides the name. */
    readonly settings: Entries
    /** Those of them that must not be readable by others. Environment variables can set them. */
    readonly secrets: readonly (keyof Entries & string)[]
    /** What no schema of one setting can say. `where`: how mistakes name the channel. */
    readonly mistake?: (
      settings: v.InferOutput<ChannelSchema<Kind, Entries>>,
      where: string,
      surroundings: Surroundings,
    ) => { readonly key: string; readonly message: string } | undefined
    readonly open: (settings: v.InferOutput<ChannelSchema<Kind, Entries>>, deps: ChannelDeps) => Channel
  },
) {
  const schema: ChannelSchema<Kind, Entries> = v.strictObject({
    kind: v.literal(kind),
    name,
    language: messageLanguage,
    ...settings,
  })
  return {
    kind,
    ...texts,
    schema,
    // Parsed again for its type: a table of kinds has settings of any of them.
    mistake: (input: unknown, where: string, surroundings: Surroundings) =>
      mistake?.(v.parse(schema, input), where, surroundings),
    open: (input: unknown, deps: ChannelDeps): Channel => open(v.parse(schema, input), deps),
  }
}

/** Longest time of a whole attempt, from the connection to the last byte of the answer. Milliseconds. */
export const ATTEMPT_MS = 20_000

/** As long as `most` characters, the rest replaced by an ellipsis. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
