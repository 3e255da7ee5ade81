import { expect, it, vi } from 'vitest'
import { createActor, createMachine, type AnyStateMachine } from 'xstate'
import { isAccountLoading } from '../account/account/account.selectors.ts'
import { signInMachine } from '../account/sign-in/sign-in.machine.ts'
import { bringActors, lateActorNames } from './app.actors.ts'
import { appMachine } from './app.machine.ts'
import { selectRelayCondition } from '../connection/relay/relay.selectors.ts'
import { isHistoryLoading, selectRows } from '../units/history/history.selectors.ts'
import { selectAttentionCount } from '../incidents/incidents/incidents.selectors.ts'
import { lateMachines } from './late-machines.ts'
import { systemOf } from './system.ts'
import { appInput as input } from '../../../test/machines/app-input.ts'

function start(hasSession = false) {
  const idle = createMachine({})
  const machine: AnyStateMachine = appMachine.provide({
    actors: Object.fromEntries(Object.keys(appMachine.implementations.actors).map(name => [name, idle])),
  })
  bringActors(machine, Object.fromEntries(Object.keys(lateMachines).map(name => [name, idle])) as never)
  bringActors(machine, { signIn: signInMachine.provide({ actors: { signInTasks: idle as never } }) })
  const app = createActor(machine as typeof appMachine, { input: { ...input, hasSession } }).start()
  return { app, system: systemOf(app) }
}

it('An actor whose code is not loaded can be read', () => {
  const { account, relay, history, incidents, signIn } = start().system
  expect(account.getSnapshot().hasTag('signedIn')).toBe(false)
  expect(isAccountLoading(account.getSnapshot())).toBe(false)
  expect(selectRelayCondition(relay.getSnapshot())).toBe('inactive')
  expect(isHistoryLoading(history.getSnapshot())).toBe(true)
  expect(selectRows(history.getSnapshot())).toEqual([])
  expect(selectAttentionCount(incidents.getSnapshot())).toBe(0)
  expect(signIn.getSnapshot().hasTag('open')).toBe(false)
})

it('Every late machine comes with a part', () => {
  expect(new Set(lateActorNames)).toEqual(new Set(Object.keys(lateMachines)))
})

it('The account is loading where a session is stored', () => {
  expect(isAccountLoading(start(true).system.account.getSnapshot())).toBe(true)
})

it('What is sent to an actor whose code is not loaded reaches it then, and who listens hears of it', () => {
  const { app, system } = start()
  const { signIn } = system
  const listener = vi.fn<(isOpen: unknown) => void>()
  const [listening, deaf] = [
    signIn.subscribe(() => listener(signIn.getSnapshot().hasTag('open'))),
    signIn.subscribe(listener),
  ]
  deaf.unsubscribe()
  signIn.send({ type: 'signIn.open' })
  expect(signIn.getSnapshot().hasTag('open')).toBe(false)
  app.send({ type: 'code.arrived', part: 'account' })
  expect(signIn.getSnapshot().hasTag('open')).toBe(true)
  expect(listener).toHaveBeenLastCalledWith(true)
  signIn.send({ type: 'signIn.cancel' })
  expect(system.signIn.getSnapshot().hasTag('open')).toBe(false)
  expect(listener.mock.lastCall).toEqual([false])
  listener.mockClear()
  listening.unsubscribe()
  signIn.send({ type: 'signIn.open' })
  expect(listener).not.toHaveBeenCalled()
})
