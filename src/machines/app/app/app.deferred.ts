/*
 * Which deferred groups the app has loaded, and the events that wait for their actors. Pure functions of the app's context.
 */
import type { AnyEventObject } from 'xstate'
import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import type { DeferredGroup, GroupState } from '../deferred.ts'
import { deferredActors, type AppInput } from './app.actors.ts'

export type Deferred = {
  /** By group. Not named `groups`: what recordings contain under that key are names of resource groups. */
  readonly states: Readonly<Record<DeferredGroup, GroupState>>
  /** Events for actors that are not started, by the name of the actor, oldest first. */
  readonly waiting: Readonly<Record<string, readonly AnyEventObject[]>>
}

export type Sending = {
  /** The name of a deferred actor. */
  readonly to: string
  readonly event: AnyEventObject
  /** Every event of a screen has its actor loaded. */
  readonly isFromScreen?: boolean
}

/** The latest events of an actor that are kept until it starts: a screen sends a few. */
const MOST_WAITING = 100

const GROUPS: readonly DeferredGroup[] = [
  'account',
  'clientSettings',
  'connections',
  'history',
  'log',
  'series',
  'viewer',
]

export const deferredAtStart = ({ defers = false }: Pick<AppInput, 'defers'>): Deferred => ({
  states: Object.fromEntries(GROUPS.map(group => [group, defers ? 'waiting' : 'started'])) as Deferred['states'],
  waiting: {},
})

/** The names of a group's actors, in the order in which they start. */
export const namesOf = (group: DeferredGroup): readonly string[] =>
  [...deferredActors].flatMap(([name, about]) => (about.group === group ? [name] : []))

const LOADER = 'load:'
/** The id of the actor that loads a group. */
export const loaderOf = (group: DeferredGroup): string => `${LOADER}${group}`
export const groupOfLoader = (id: string): DeferredGroup | undefined => GROUPS.find(group => loaderOf(group) === id)

const isLoadable = (state: GroupState): boolean => state !== 'loading' && state !== 'started'

/** The same object when the group is loaded or being loaded. */
export const afterWanting = (deferred: Deferred, group: DeferredGroup): Deferred =>
  isLoadable(deferred.states[group]) ? { ...deferred, states: { ...deferred.states, [group]: 'loading' } } : deferred

type AfterSending = {
  /** 'send' when the actor is started. */
  readonly state: Deferred | 'send'
  /** The group to load. */
  readonly wanted?: DeferredGroup
}

export const afterSending = (deferred: Deferred, { to, event, isFromScreen = false }: Sending): AfterSending => {
  const about = deferredActors.get(to)
  if (about === undefined || deferred.states[about.group] === 'started') return { state: 'send' }
  const wakes = isFromScreen || about.wakes.includes(event.type)
  // While the group is being loaded it is about to start, so everything counts.
  if (!wakes && !about.keeps.includes(event.type) && deferred.states[about.group] !== 'loading')
    return { state: deferred }
  const waiting = [...(deferred.waiting[to] ?? []), event].slice(-MOST_WAITING)
  const state = { ...deferred, waiting: { ...deferred.waiting, [to]: waiting } }
  return wakes ? { state, wanted: about.group } : { state }
}

export const afterLoading = (deferred: Deferred, group: DeferredGroup): Deferred => {
  const started = namesOf(group)
  return {
    states: { ...deferred.states, [group]: 'started' },
    waiting: Object.fromEntries(Object.entries(deferred.waiting).filter(([name]) => !started.includes(name))),
  }
}

export const afterFailing = (deferred: Deferred, group: DeferredGroup, fault: LoadFault): Deferred => ({
  ...deferred,
  states: { ...deferred.states, [group]: fault },
})

export const hasWaiting = ({ waiting }: Deferred, group: DeferredGroup): boolean =>
  namesOf(group).some(name => (waiting[name] ?? []).length > 0)

/** Groups that could not be loaded. */
export const failedGroups = ({ states }: Deferred): readonly DeferredGroup[] =>
  GROUPS.filter(group => states[group] !== 'waiting' && isLoadable(states[group]))
