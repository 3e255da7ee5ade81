import { getShortestPaths } from '@xstate/graph'
import {
  __unsafe_getAllOwnEventDescriptors,
  type AnyStateMachine,
  type EventFromLogic,
  type InputFrom,
  type SnapshotFrom,
  type StateNode,
} from 'xstate'

type PathOptions<Machine extends AnyStateMachine> = {
  /** Every event that matters. Timers (`after`) are found by themselves. */
  readonly events: readonly (EventFromLogic<Machine> | ({ readonly type: string } & Record<string, unknown>))[]
  readonly input?: InputFrom<Machine>
  /** Names of actions that send to a parent: a machine that is walked has none. */
  readonly silence?: readonly string[]
  /** What of the context tells two states apart, beside the state value. Keep it bounded. */
  readonly context?: (context: SnapshotFrom<Machine>['context']) => unknown
}

export type Walk<Machine extends AnyStateMachine> = {
  /** The snapshots at the ends of all shortest paths, with the events that lead there. */
  readonly ends: readonly { readonly snapshot: SnapshotFrom<Machine>; readonly path: string }[]
  /** Ids of states that no path reaches. */
  readonly unreached: readonly string[]
}

/** Walks every shortest path of a machine's own graph, without running any of its effects. */
export function walkShortestPaths<Machine extends AnyStateMachine>(
  machine: Machine,
  options: PathOptions<Machine>,
): Walk<Machine> {
  const modelEvents = options.events as readonly { readonly type: string }[]
  const silenced = Object.fromEntries((options.silence ?? []).map(name => [name, () => undefined]))
  const plans = getShortestPaths((machine as AnyStateMachine).provide({ actions: silenced }), {
    ...(options.input === undefined ? {} : { input: options.input }),
    events: snapshot => [...modelEvents, ...timersOf(snapshot)],
    serializeState: snapshot => {
      const { value, context } = snapshot as SnapshotFrom<Machine>
      return JSON.stringify([value, options.context?.(context)])
    },
    limit: 100_000,
  })
  const ends = plans.map(({ state, steps }) => ({
    snapshot: state as SnapshotFrom<Machine>,
    path: steps.map(({ event }) => (event as { type: string }).type).join(' → '),
  }))
  const reached = new Set(ends.flatMap(({ snapshot }) => nodesOf(snapshot).map(({ id }) => id)))
  return { ends, unreached: leavesOf(machine.root as StateNode).filter(id => !reached.has(id)) }
}

function nodesOf(snapshot: unknown): readonly StateNode[] {
  return (snapshot as { _nodes: StateNode[] })._nodes
}

function timersOf(snapshot: SnapshotFrom<AnyStateMachine>): readonly { type: string }[] {
  return (__unsafe_getAllOwnEventDescriptors(snapshot) as readonly string[])
    .filter(type => type.startsWith('xstate.after.'))
    .map(type => ({ type }))
}

/** States that a machine passes through at once (`always` without a way to stay) cannot be an end. */
function leavesOf(node: StateNode): readonly string[] {
  const children = Object.values(node.states)
  if (children.length > 0) return children.flatMap(leavesOf)
  const isPassage = node.always?.some(({ guard }) => guard === undefined) ?? false
  return isPassage ? [] : [node.id]
}
