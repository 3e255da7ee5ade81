import {
  fromCallback,
  fromPromise,
  type AnyEventObject,
  type CallbackActorLogic,
  type NonReducibleUnknown,
  type PromiseActorLogic,
} from 'xstate'

function notProvided(name: string): Error {
  return new Error(`The actor '${name}' was not provided. Provide it in src/app/system.ts.`)
}

/** Stands in a machine's `setup` for a callback actor. Throws when no implementation was provided. */
export function actorPlaceholder<Commands extends AnyEventObject, Input extends NonReducibleUnknown>(
  name: string,
): CallbackActorLogic<Commands, Input> {
  return fromCallback<Commands, Input>(() => {
    throw notProvided(name)
  })
}

/** As `actorPlaceholder`, for a promise actor: rejects. */
export function taskPlaceholder<Output, Input extends NonReducibleUnknown>(
  name: string,
): PromiseActorLogic<Output, Input> {
  return fromPromise<Output, Input>(() => Promise.reject(notProvided(name)))
}
