import { createMachine, type PromiseActorLogic } from 'xstate'
import type { SocketUrl } from '../../src/protocol/url.ts'

/** A host that answers at once: `pingHost` for tests in which nothing but the clock lets time pass. */
export const answeringHost = createMachine({
  initial: 'answered',
  states: { answered: { type: 'final' } },
}) as unknown as PromiseActorLogic<undefined, { readonly url: SocketUrl }>
