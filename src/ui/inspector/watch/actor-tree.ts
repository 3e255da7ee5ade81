import type { AnyActorRef, AnyMachineSnapshot, StateValue } from 'xstate'
import { addressOf, childrenOf } from '../../../journal/address.ts'
import { clientMachine, type ClientSnapshot } from '../../../machines/connection/client/client.machine.ts'
import { selectName } from '../../../machines/connection/client/client.selectors.ts'
import { isSameList } from '../../../folding/shared/equal.ts'

/** An actor and its children. Unchanged nodes are the same object in the next tree. */
export type ActorNode = {
  readonly address: string
  readonly name: string
  /** The name of the folding client, if it has one. */
  readonly label: string | undefined
  /** Active states of a machine, such as `link.live, commands.ready`; for other actors their status. */
  readonly state: string
  readonly isMachine: boolean
  readonly children: readonly ActorNode[]
}

const seen = new WeakMap<object, ActorNode>()

export function actorTree(ref: AnyActorRef): ActorNode {
  const snapshot = ref.getSnapshot() as object
  const children = Object.values(childrenOf(ref)).map(actorTree)
  const before = seen.get(snapshot)
  const address = addressOf(ref)
  if (before?.address === address && isSameList(before.children, children)) return before
  const machine = machineSnapshotOf(ref)
  const node: ActorNode = {
    address,
    name: address === '' ? (machine?.machine.id ?? ref.id) : ref.id,
    label: machine?.machine.id === clientMachine.id ? selectName(machine as ClientSnapshot) : undefined,
    state: machine !== undefined ? stateLabel(machine.value as StateValue) : statusOf(snapshot),
    isMachine: machine !== undefined,
    children,
  }
  seen.set(snapshot, node)
  return node
}

/** Undefined for an actor that is not a machine. */
export function machineSnapshotOf(ref: AnyActorRef): AnyMachineSnapshot | undefined {
  const snapshot: unknown = ref.getSnapshot()
  return typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot && snapshot.machine !== undefined
    ? (snapshot as AnyMachineSnapshot)
    : undefined
}

/** Paths of the innermost active states; empty for a machine without states. */
export function stateLabel(value: StateValue): string {
  return leaves(value).join(', ')
}

function leaves(value: StateValue): readonly string[] {
  return typeof value === 'string'
    ? [value]
    : Object.entries(value).flatMap(([name, inner]) => {
        const below = inner === undefined ? [] : leaves(inner)
        return below.length === 0 ? [name] : below.map(path => `${name}.${path}`)
      })
}

function statusOf(snapshot: object): string {
  return 'status' in snapshot && typeof snapshot.status === 'string' ? snapshot.status : ''
}

/** Nodes whose name or state contains the text, with their ancestors; all nodes without a text. */
export function findActors(node: ActorNode, text: string): ActorNode | undefined {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return node
  const children = node.children.flatMap(child => findActors(child, wanted) ?? [])
  const isHit = `${node.name} ${node.label ?? ''} ${node.state}`.toLowerCase().includes(wanted)
  return isHit || children.length > 0 ? { ...node, children } : undefined
}
