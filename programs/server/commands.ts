import type { Logger } from 'pino'
import { mayUse, type Identity } from './access/access.ts'
import { describeCommand, type ControlRequest } from './gateway/page-command.ts'
import type { Outcome } from './gateway/pacer.ts'
import type { PersonChange } from './cluster/peers.ts'
import type { Metrics } from './http/metrics.ts'
import type { Place } from './place.ts'
import { subjectOf } from './places.ts'
import { createKeeper } from './store/keeper.ts'
import type { ServerStore } from './store/store.ts'

export type CommandDeps = {
  readonly store: Pick<ServerStore, 'addAction' | 'settleAction'>
  readonly metrics: Pick<Metrics, 'countCommand'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** A client took over the state that a user or a program gave it. */
  readonly onPersonChange: (change: PersonChange) => void
}

export type Commands = {
  /** Sends a command if its sender and the settings allow it, once it has been recorded. Rejects when it cannot be. */
  readonly send: (
    place: Place,
    request: ControlRequest,
    identity: Identity,
    reason: string,
  ) => Promise<Outcome | 'forbidden'>
  readonly stop: () => Promise<void>
  /** As `send`, for a sender that needs no answer. */
  readonly post: (place: Place, request: ControlRequest, identity: Identity, reason: string) => void
}

/** Schedules act as an operator does: only where the settings allow it. */
export const SCHEDULES: Identity = { name: 'schedules', role: 'operator' }

/** Outcomes that wait for the database. */
const MOST_OUTCOMES = 1000

export function createCommands({ store, metrics, log, now, onPersonChange }: CommandDeps): Commands {
  const onError = (error: unknown): void => log.error({ err: error }, 'the outcome of a command could not be stored')
  const outcomes = createKeeper({ onError, most: MOST_OUTCOMES })
  const send: Commands['send'] = async (place, request, identity, reason) => {
    const facts = {
      who: identity.name,
      machine: place.label,
      command: describeCommand(request),
      reason,
    }
    if (!mayUse(identity, 'control') || !place.config.commands.includes(request.cmd)) {
      log.warn(facts, 'command not allowed')
      return 'forbidden'
    }
    const id = await store.addAction({ at: now(), ...facts })
    const outcome = await new Promise<Outcome>(done => place.exchange.command(request, done))
    log.info({ ...facts, outcome }, 'command')
    metrics.countCommand(outcome)
    // It was carried out, whether that can be stored now or later.
    await outcomes.keep(String(id), () => store.settleAction(id, outcome))
    if (request.cmd === 'state' && outcome === 'confirmed' && identity !== SCHEDULES)
      onPersonChange({ subject: subjectOf(place, request.group), state: request.state, by: identity.name })
    return outcome
  }
  return {
    send,
    stop: outcomes.stop,
    post: (...command) => {
      send(...command).catch((error: unknown) => {
        log.error({ err: error }, 'a command was not sent, since it could not be recorded')
      })
    },
  }
}
