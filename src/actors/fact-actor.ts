import { fromCallback, type AnyEventObject, type CallbackActorLogic, type NonReducibleUnknown } from 'xstate'

type FactActorScope<Command, Input, Fact> = {
  readonly input: Input
  /** Tells the parent what happened. */
  readonly report: (fact: Fact) => void
  readonly receive: (listener: (command: Command) => void) => void
}

/** An effect whose facts have a type: what a callback actor reports is checked here, since XState does not. */
export const factActor = <Command extends AnyEventObject, Input extends NonReducibleUnknown, Fact extends AnyEventObject>(
  run: (scope: FactActorScope<Command, Input, Fact>) => () => void,
): CallbackActorLogic<Command, Input> =>
  fromCallback<Command, Input>(({ input, sendBack, receive }) => run({ input, report: sendBack, receive }))
