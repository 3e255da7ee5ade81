import { fromCallback, type AnyEventObject, type CallbackActorLogic, type NonReducibleUnknown } from 'xstate'

type FactActorScope<Command, Input, Fact> = {
  readonly input: Input
  /** Sends a fact to the parent. */
  readonly report: (fact: Fact) => void
  readonly receive: (listener: (command: Command) => void) => void
}

/**
 * A callback actor whose reported events are typed, which XState's are not. Facts reported while the actor starts or
 * receives a command are sent in a microtask afterwards, so that each is a macrostep of its own and a recording needs
 * only their order.
 */
export function factActor<
  Command extends AnyEventObject,
  Input extends NonReducibleUnknown,
  Fact extends AnyEventObject,
>(run: (scope: FactActorScope<Command, Input, Fact>) => () => void): CallbackActorLogic<Command, Input> {
  return fromCallback<Command, Input>(({ input, sendBack, receive }) => {
    const { report, whileBusy } = inTurn<Fact>(sendBack)
    return whileBusy(() =>
      run({ input, report, receive: listener => receive(command => whileBusy(() => listener(command))) }),
    )
  })
}

function inTurn<Fact>(send: (fact: Fact) => void) {
  const waiting: Fact[] = []
  let isBusy = false
  const sendAll = (): void => {
    for (const fact of waiting.splice(0)) send(fact)
  }
  return {
    report: (fact: Fact): void => {
      if (!isBusy && waiting.length === 0) send(fact)
      else if (waiting.push(fact) === 1) queueMicrotask(sendAll)
    },
    whileBusy: <Result>(act: () => Result): Result => {
      isBusy = true
      try {
        return act()
      } finally {
        isBusy = false
      }
    },
  }
}
