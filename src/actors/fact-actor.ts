import { fromCallback, type AnyEventObject, type CallbackActorLogic, type NonReducibleUnknown } from 'xstate'

type FactActorScope<Command, Input, Fact> = {
  readonly input: Input
  /** Tells the parent what happened. */
  readonly report: (fact: Fact) => void
  readonly receive: (listener: (command: Command) => void) => void
}

/**
 * An effect whose facts have a type: what a callback actor reports is checked here, since XState does not. A fact that
 * is found while the actor is started or told something is reported right after that, so that every fact begins a run
 * of its own: a recording needs no more than their order.
 */
export const factActor = <
  Command extends AnyEventObject,
  Input extends NonReducibleUnknown,
  Fact extends AnyEventObject,
>(
  run: (scope: FactActorScope<Command, Input, Fact>) => () => void,
): CallbackActorLogic<Command, Input> =>
  fromCallback<Command, Input>(({ input, sendBack, receive }) => {
    const { report, whileBusy } = inTurn<Fact>(sendBack)
    return whileBusy(() =>
      run({ input, report, receive: listener => receive(command => whileBusy(() => listener(command))) }),
    )
  })

const inTurn = <Fact>(tell: (fact: Fact) => void) => {
  const waiting: Fact[] = []
  let isBusy = false
  const tellAll = (): void => {
    for (const fact of waiting.splice(0)) tell(fact)
  }
  return {
    report: (fact: Fact): void => {
      if (!isBusy && waiting.length === 0) tell(fact)
      else if (waiting.push(fact) === 1) queueMicrotask(tellAll)
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
