// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { createActor, fromCallback, type AnyActorRef } from 'xstate'
import { webSocketUrl } from '../../../test/urls.ts'
import { renderScreen, START, startTestSystem } from '../../../test/ui/test-system.tsx'
import { keys } from '../../../test/machines/account.ts'
import type { AppEvent } from '../../machines/app/app.events.ts'
import { appMachine } from '../../machines/app/app.machine.ts'
import type { AppInput } from '../../machines/app/app.actors.ts'
import { Notices } from './notices.tsx'

afterEach(cleanup)

/** The notices below an app without effects. */
function open(input: Partial<AppInput> = {}) {
  const testSystem = startTestSystem()
  const inert = fromCallback(() => undefined)
  const actors = Object.fromEntries(Object.keys(appMachine.implementations.actors).map(name => [name, inert]))
  const app = createActor(appMachine.provide({ actors }), {
    input: { ...testSystem.system.app.getSnapshot().context.input, ...input },
  }).start()
  renderScreen({ ...testSystem, system: { ...testSystem.system, app } }, <Notices onFind={() => undefined} />)
  return { ...testSystem, sendToApp: (event: AppEvent) => act(() => app.send(event)) }
}

function all(): string | null | undefined {
  return document.querySelector('[aria-live]')?.textContent
}

it('are none while nothing is wrong', () => {
  open()
  expect(all()).toBe('')
})

it('say what the browser lacks', () => {
  const { sendToApp } = open({ isSecure: false })
  expect(screen.getByText(/^You cannot log in here: the page was loaded over plain HTTP/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Help' }).getAttribute('href')).toMatch(/#you-cannot-log-in-here$/)
  sendToApp({ type: 'memory.unavailable' })
  expect(screen.getByText(/^This browser does not let Foldboard store data/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText(/store data/)).toBeNull()
  sendToApp({ type: 'network.lost', at: START })
  expect(screen.getByText(/^This computer is offline/)).toBeTruthy()
})

it('say that the computer is offline only while nothing is live, and never instead of the relay’s own', () => {
  const { system, sendToApp, advance, receiveSnapshot, disconnect } = open()
  sendToApp({ type: 'network.lost', at: START })
  const offline = () => screen.queryByText(/^This computer is offline/)
  expect(offline()).toBeTruthy()
  act(() => system.account.send({ type: 'account.signedOutElsewhere' }))
  act(() => receiveSnapshot({ info: { id: 'desk' }, config: {}, groups: {}, units: [] }))
  expect(offline()).toBeNull()
  act(() => system.relay.send({ type: 'relay.activate', target: { url: webSocketUrl('wss://node1.test/'), keys } }))
  act(() => advance(8000))
  expect(offline()).toBeNull()
  const relay = () => screen.queryByText(/^The relay to your account’s machines cannot be reached/)
  expect(relay()).toBeTruthy()
  act(() => disconnect())
  expect([offline(), relay()].every(Boolean)).toBe(true)
})

it('say that the clock is wrong, and by how much', () => {
  const { system } = open()
  act(() => system.clock.send({ type: 'clock.compared', offset: -45 * 60_000 }))
  expect(screen.getByText(/clock is 45m 0s ahead/)).toBeTruthy()
})

it('say why no machine of the account is there', () => {
  const { system, advance } = open()
  act(() => advance(20_000))
  expect(screen.getByText(/^The account server is slow to respond/)).toBeTruthy()
  const done = { type: 'xstate.done.actor.0.account.restoring', actorId: '0.account.restoring' }
  const fault = { kind: 'unreadable', message: '' }
  const account: AnyActorRef = system.account
  act(() => account.send({ ...done, output: { ok: false, fault } }))
  expect(screen.getByText(/A login page or proxy of your network may be interfering/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Logout' }))
  expect(all()).toBe('')
  act(() => system.relay.send({ type: 'relay.activate', target: { url: webSocketUrl('wss://node1.test/'), keys } }))
  act(() => advance(8000))
  expect(screen.getByText(/^The relay to your account’s machines cannot be reached/)).toBeTruthy()
  act(() => system.relay.send({ type: 'relay.deactivate', invalidNode: '999.1' }))
  expect(screen.getByText(/^Your account’s node “999.1” is not a valid address/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Account settings' })).toBeTruthy()
})

it('say once that the version is new, and lead to what is new', async () => {
  const { system } = open()
  act(() => system.updates.send({ type: 'updates.upgraded' }))
  fireEvent.click(await screen.findByRole('button', { name: 'What is new' }, { timeout: 20_000 }))
  await waitFor(() => expect(all()).toBe(''))
})

it('ask whether a client that was started takes the place of the simulated one', () => {
  const { receiveSnapshot, receiveChanges } = open()
  const info = { id: 'desk', simulated: true, client_behind: true }
  act(() => receiveSnapshot({ info, config: {}, groups: {}, units: [] }))
  const notice = () => screen.queryByText(/^Folding@home now runs on this computer/)
  expect(notice()).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Show it' })).toBeTruthy()
  act(() => receiveChanges(['info', 'client_behind', false]))
  expect(notice()).toBeNull()
})
