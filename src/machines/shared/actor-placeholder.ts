import {
  fromCallback,
  fromPromise,
  type AnyEventObject,
  type CallbackActorLogic,
  type NonReducibleUnknown,
  type PromiseActorLogic,
} from 'xstate'

const notProvided = (name: string): Error =>
  new Error(`The actor '${name}' was not provided. Provide it in src/app/system.ts.`)

/** Stands in a machine's `setup` for a callback actor. Throws when no implementation was provided. */
export const actorPlaceholder = <Commands extends AnyEventObject, Input extends NonReducibleUnknown>(
  name: string,
): CallbackActorLogic<Commands, Input> =>
  fromCallback<Commands, Input>(() => {
    throw notProvided(name)
  })

/** As `actorPlaceholder`, for a promise actor: rejects. */
export const taskPlaceholder = <Output, Input extends NonReducibleUnknown>(
  name: string,
): PromiseActorLogic<Output, Input> => fromPromise<Output, Input>(() => Promise.reject(notProvided(name)))
