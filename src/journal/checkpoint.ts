import type { AnyActorRef, AnyMachineSnapshot } from 'xstate'
import { childrenOf } from './address.ts'
import type { Mask } from './mask.ts'

/** An actor as it was, without its secrets. Immutable: parts that did not change are shared by one checkpoint and the next. */
export type SavedActor = {
  /** The name of its logic among its parent's. */
  readonly src: string
  readonly id: string
  readonly systemId: string | undefined
  readonly snapshot: SavedSnapshot
}

/** Of an actor that is no machine only the status is kept: what it does comes from the recording. */
export type SavedSnapshot = {
  readonly status: 'active' | 'done' | 'error' | 'stopped'
  readonly machine?: SavedMachine
}

export type SavedMachine = {
  readonly value: unknown
  readonly context: unknown
  readonly historyValue: unknown
  readonly children: readonly SavedActor[]
}

/** All actors at one moment, between two events. */
export type Checkpoint = {
  /** The number of the event that comes next. */
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly root: SavedActor
}

type Saving = { readonly saved: SavedActor; readonly size: number }

export const saveActor = (ref: AnyActorRef, mask: Mask): Saving => {
  const snapshot: unknown = ref.getSnapshot()
  const { src, id } = ref
  const named = { src: typeof src === 'string' ? src : '', id, systemId: systemIdOf(ref) }
  if (!isMachineSnapshot(snapshot)) return { saved: { ...named, snapshot: { status: statusOf(snapshot) } }, size: 0 }
  const context = mask.applyShared(snapshot.context)
  const children = Object.values(childrenOf(ref)).map(child => saveActor(child, mask))
  const machine: SavedMachine = {
    value: snapshot.value,
    context: context.value,
    historyValue: namesOfHistory(snapshot.historyValue),
    children: children.map(({ saved }) => saved),
  }
  return { saved: { ...named, snapshot: { status: snapshot.status, machine } }, size: children.reduce((sum, { size }) => sum + size, context.size) }
}

const isMachineSnapshot = (snapshot: unknown): snapshot is AnyMachineSnapshot =>
  typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot && 'value' in snapshot

const statusOf = (snapshot: unknown): SavedSnapshot['status'] => {
  const status = typeof snapshot === 'object' && snapshot !== null && 'status' in snapshot ? snapshot.status : 'active'
  return status === 'done' || status === 'error' || status === 'stopped' ? status : 'active'
}

const systemIdOf = (ref: AnyActorRef): string | undefined => ('systemId' in ref && typeof ref.systemId === 'string' ? ref.systemId : undefined)

/** State nodes belong to one machine; their ids to every copy of it. */
const namesOfHistory = (history: AnyMachineSnapshot['historyValue']): Readonly<Record<string, readonly { readonly id: string }[]>> =>
  Object.fromEntries(Object.entries(history).map(([key, nodes]) => [key, nodes.map(({ id }) => ({ id }))]))
