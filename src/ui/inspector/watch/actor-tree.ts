import type { AnyActorRef, AnyMachineSnapshot, StateValue } from 'xstate'
import { addressOf, childrenOf } from '../../../journal/address.ts'
import { clientMachine, type ClientSnapshot } from '../../../machines/connection/client/client.machine.ts'
import { selectName } from '../../../machines/connection/client/client.selectors.ts'

/** An actor and those below it, as they are at one moment. What did not change is the same object at the next. */
export type ActorNode = {
  readonly address: string
  readonly name: string
  /** What a person calls it, when that is something else. */
  readonly called: string | undefined
  /** What a machine is in: `link.live, commands.ready`; of an effect, whether it goes on. */
  readonly state: string
  readonly isMachine: boolean
  readonly children: readonly ActorNode[]
}

const seen = new WeakMap<object, ActorNode>()

export const actorTree = (ref: AnyActorRef): ActorNode => {
  const snapshot = ref.getSnapshot() as object
  const children = Object.values(childrenOf(ref)).map(actorTree)
  const before = seen.get(snapshot)
  const address = addressOf(ref)
  if (
    before?.address === address &&
    before.children.length === children.length &&
    before.children.every((child, index) => child === children[index])
  )
    return before
  const machine = machineSnapshotOf(ref)
  const node: ActorNode = {
    address,
    name: address === '' ? (machine?.machine.id ?? ref.id) : ref.id,
    called: machine?.machine.id === clientMachine.id ? selectName(machine as ClientSnapshot) : undefined,
    state: machine === undefined ? statusOf(snapshot) : stateWords(machine.value as StateValue),
    isMachine: machine !== undefined,
    children,
  }
  seen.set(snapshot, node)
  return node
}

/** Undefined of an actor that is no machine. */
export const machineSnapshotOf = (ref: AnyActorRef): AnyMachineSnapshot | undefined => {
  const snapshot: unknown = ref.getSnapshot()
  return typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot
    ? (snapshot as AnyMachineSnapshot)
    : undefined
}

/** The innermost active states, by their paths. A machine without states is in none. */
export const stateWords = (value: StateValue): string => leaves(value).join(', ')

const leaves = (value: StateValue): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : Object.entries(value).flatMap(([name, inner]) => {
        const below = inner === undefined ? [] : leaves(inner)
        return below.length === 0 ? [name] : below.map(path => `${name}.${path}`)
      })

const statusOf = (snapshot: object): string =>
  'status' in snapshot && typeof snapshot.status === 'string' ? snapshot.status : ''

/** Those whose name or state has the words, with all above them; everything without words. */
export const findActors = (node: ActorNode, words: string): ActorNode | undefined => {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return node
  const children = node.children.flatMap(child => findActors(child, wanted) ?? [])
  const isHit = `${node.name} ${node.called ?? ''} ${node.state}`.toLowerCase().includes(wanted)
  return isHit || children.length > 0 ? { ...node, children } : undefined
}
