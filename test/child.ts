import {
  createActor,
  createMachine,
  SimulatedClock,
  type ActorRefFrom,
  type AnyStateMachine,
  type InputFrom,
} from 'xstate'

/** A machine that runs as a child, with a clock that a test moves, below a parent that collects the events sent to it. */
export function startChild<Machine extends AnyStateMachine>(machine: Machine, input?: InputFrom<Machine>) {
  const clock = new SimulatedClock()
  const received: ({ readonly type: string } & Record<string, unknown>)[] = []
  const parent = createActor(
    createMachine({
      invoke: { src: machine, id: 'child', input },
      on: { '*': { actions: ({ event }) => received.push(event) } },
    }),
    { clock },
  ).start()
  const actor = parent.getSnapshot().children['child'] as unknown as ActorRefFrom<Machine>
  return { actor, clock, received }
}

/** Resolves after all pending microtasks. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
