import type { AlertRule } from '../config/alert-settings.ts'
import type {
  Attempt,
  DeliveryInput,
  DeliveryState,
  Examination,
  KeptDelivery,
  SettledState,
} from '../machines/delivery/delivery.events.ts'
import type { NewDelivery, StoredDelivery } from '../store/alert-store.ts'
import { inLanguage } from '../locale.ts'
import { createKeeper } from '../store/keeper.ts'
import { createPauses } from '../event-loop.ts'
import type { ServerStore } from '../store/store.ts'
import type { Alert } from './alert.ts'
import type { Channel } from './channels/channel.ts'
import { messageOf } from './message.ts'
import { quietRemaining } from './quiet-hours.ts'

export type OutboxDeps = {
  readonly store: Pick<ServerStore, 'alerts'>
  /** By name. */
  readonly channels: ReadonlyMap<string, Channel>
  readonly rules: readonly AlertRule[]
  /** The language of a person or purpose by a channel. */
  readonly languageOf: (rule: string, channel: string) => string
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly newId: () => string
  /** The page of incidents, where the server knows its own address. */
  readonly page: string | undefined
  /** Deliveries to start. */
  readonly onPlanned: (deliveries: readonly DeliveryInput[]) => void
  /** A delivery that is over. */
  readonly onSettled: (channel: string, how: SettledState, error: string | undefined) => void
  readonly onError: (error: unknown) => void
}

export type Outbox = {
  /** What the server did not finish before it ended. It waits no longer than was meant, wherever the clock was then. */
  readonly restore: () => Promise<readonly DeliveryInput[]>
  readonly examine: (id: string) => Promise<Examination>
  readonly attempt: (id: string) => Promise<Attempt>
  readonly keep: (delivery: KeptDelivery) => void
  readonly inputOf: (delivery: NewDelivery) => DeliveryInput
  /** The outbox ends. Resolves when what is being stored is stored. */
  readonly settled: () => Promise<void>
}

/** Settled deliveries are kept for so many days. */
const KEPT_DAYS = 90
const DAY_MS = 86_400_000
/** Deliveries whose new state waits for the database. */
const MOST_KEPT = 10_000
const INTERRUPTED = 'The server ended while the message was being sent: whether it arrived is unknown.'

/**
 * The effects of deliveries: the outbox of the database and the channels. An attempt is stored before it is made, so that
 * after a crash nothing is sent a second time, except to receivers that recognize a repetition.
 */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { channels, rules, now } = deps
  const { alerts } = deps.store
  const keeper = createKeeper({ onError: deps.onError, most: MOST_KEPT })
  const ruleOf = (name: string): AlertRule | undefined => rules.find(rule => rule.name === name)
  const prune = (): void => void keeper.keep('prune', () => alerts.prune(now() - KEPT_DAYS * DAY_MS))
  const inputOf = ({ id, due }: NewDelivery): DeliveryInput => ({
    id,
    wait: Math.max(0, due - now()),
    failures: 0,
    wasTried: false,
  })

  const restoreOne = async (stored: StoredDelivery): Promise<readonly DeliveryInput[]> => {
    const { id, state, failures } = stored
    const channel = channels.get(stored.channel)
    const isMissing = channel === undefined || ruleOf(stored.rule) === undefined
    const isUncertain = state === 'sending' && channel?.isRepeatable !== true
    if (isMissing || isUncertain) {
      const error = isMissing ? 'The settings no longer have this channel or person.' : INTERRUPTED
      const ended = isMissing ? 'given-up' : 'unknown'
      await alerts.keep({ id, state: ended, failures, error, wait: 0 }, now())
      deps.onSettled(stored.channel, ended, error)
      return []
    }
    const wasTried = state === 'ready' || state === 'sending' || state === 'retrying'
    const meant = Math.max(0, stored.due - (stored.attempted ?? stored.created))
    return [{ id, wait: Math.min(inputOf(stored).wait, meant), failures, wasTried }]
  }

  return {
    inputOf,
    settled: keeper.stop,
    restore: async () => {
      prune()
      const inputs: DeliveryInput[] = []
      const pause = createPauses()
      for (const stored of await alerts.unfinished()) {
        inputs.push(...(await restoreOne(stored)))
        await pause()
      }
      return inputs
    },
    examine: async id => {
      const stored = await alerts.delivery(id)
      const rule = stored === undefined ? undefined : ruleOf(stored.rule)
      if (stored === undefined || rule === undefined) return { kind: 'nothing' }
      const remaining = quietRemaining(rule.quiet, now())
      const mayPass = ({ phase, incident }: Alert): boolean =>
        remaining === 0 || (phase === 'found' && rule.quiet?.except.includes(incident.gravity) === true)
      const { isSent, later, next } = await alerts.take(id, now(), { remaining, mayPass }, deps.newId)
      if (!isSent) return later < Infinity ? { kind: 'later', remaining: later } : { kind: 'nothing' }
      if (next !== undefined) deps.onPlanned([inputOf(next)])
      return { kind: 'send' }
    },
    attempt: async id => {
      const stored = await alerts.delivery(id)
      const content = await alerts.claimedBy(id)
      const channel = stored === undefined ? undefined : channels.get(stored.channel)
      if (channel === undefined) return { kind: 'refused', reason: 'The settings no longer have this channel.' }
      await keeper.inTurn(() => alerts.beginAttempt(id, now()), id)
      const language = deps.languageOf(stored?.rule ?? '', stored?.channel ?? '')
      const message = inLanguage(language, () => messageOf(id, content, now(), deps.page))
      const result = await channel.send(message)
      return result.kind === 'unknown' && channel.isRepeatable ? { ...result, kind: 'failed' } : result
    },
    keep: delivery => {
      const { id, state, error } = delivery
      void keeper.keep(id, async () => {
        await alerts.keep(delivery, now())
        const stored = isSettled(state) ? await alerts.delivery(id) : undefined
        if (stored !== undefined && isSettled(state)) deps.onSettled(stored.channel, state, error)
      })
      prune()
    },
  }
}

function isSettled(state: DeliveryState): state is SettledState {
  return state === 'delivered' || state === 'given-up' || state === 'unknown'
}
