import {
  fromCallback,
  fromPromise,
  type AnyEventObject,
  type CallbackActorLogic,
  type NonReducibleUnknown,
  type PromiseActorLogic,
} from 'xstate'

const unfilled = (name: string): Error =>
  new Error(`The actor '${name}' was not provided. Fill it in src/app/system.ts.`)

/** A place for an effect that talks both ways: `Commands` go in, facts come back. Fails loudly when nobody filled it. */
export const emptySlot = <Commands extends AnyEventObject, Input extends NonReducibleUnknown>(
  name: string,
): CallbackActorLogic<Commands, Input> =>
  fromCallback<Commands, Input>(() => {
    throw unfilled(name)
  })

/** A place for an effect that answers once. Fails loudly when nobody filled it. */
export const emptyTask = <Output, Input extends NonReducibleUnknown>(name: string): PromiseActorLogic<Output, Input> =>
  fromPromise<Output, Input>(() => Promise.reject(unfilled(name)))
