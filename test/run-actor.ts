import { createActor, createMachine, type AnyActorLogic, type AnyEventObject } from 'xstate'

/** Runs an effect on its own, and hears what it reports. It stops with the process. */
export function runActor<Fact extends AnyEventObject>(logic: AnyActorLogic) {
  const facts: Fact[] = []
  let wake = (): void => undefined
  const parent = createActor(
    createMachine({
      invoke: { src: logic, id: 'child' },
      on: {
        '*': {
          actions: ({ event }) => {
            facts.push(event as unknown as Fact)
            wake()
          },
        },
      },
    }),
  ).start()
  const child = parent.getSnapshot().children['child']
  return {
    send: (command: AnyEventObject): void => child?.send(command),
    /** The next fact of this kind; those before it are taken too. */
    next: async (holds: (fact: Fact) => boolean): Promise<Fact> => {
      for (;;) {
        const fact = facts.shift()
        if (fact === undefined) await new Promise<void>(resolve => (wake = resolve))
        else if (holds(fact)) return fact
      }
    },
    stop: (): unknown => parent.stop(),
  }
}
