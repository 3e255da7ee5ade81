import { afterAll, expect, it, vi } from 'vitest'
import { createActor } from 'xstate'
import { appMachine } from '../../machines/app/app.machine.ts'
import { selectClientRef } from '../../machines/connection/fleet/fleet.selectors.ts'
import { startTestSystem } from '../../../test/ui/test-system.tsx'
import { routes } from '../routes.tsx'
import { createPrefetcher } from './prefetch.ts'

const FAR = 'far away'
const testSystem = startTestSystem()
const { system } = testSystem
const { id } = testSystem.client().getSnapshot().context
system.fleet.send({ type: 'fleet.machinesListed', account: 'account', machines: [{ id: FAR, name: 'Far' }] })
afterAll(() => system.app.stop())

const prefetch = createPrefetcher(() => system, routes)
function readers(client: string): number | undefined {
  return selectClientRef(client)(system.fleet.getSnapshot())?.getSnapshot().context.logReaders
}

/** Whether a hover is being timed, and how many readers the log of either client has. */
function after(path: string | undefined, isNavigating = false) {
  prefetch({ path, isNavigating })
  return [system.log.getSnapshot().hasTag('hoverIntent'), readers(id), readers(FAR)]
}

it('requests a log on hover, through a relay after a longer hover, and when its screen is opened', () => {
  expect(after('/machines')).toEqual([false, 0, 0])
  expect(after('/nobody/log', true)).toEqual([false, 0, 0])
  expect(after(`/${id}/details`, true)).toEqual([false, 0, 0])
  expect(after('/far%20away/log')).toEqual([true, 0, 0])
  expect(after('/machines', true)).toEqual([true, 0, 0])
  expect(after(undefined)).toEqual([false, 0, 0])
  expect(after('/far%20away/log', true)).toEqual([false, 0, 1])
  testSystem.advance(5000)
  expect(after(`/${id}/log`)).toEqual([false, 1, 0])
  expect(after(undefined)).toEqual([false, 1, 0])
  expect(system.log.getSnapshot().hasTag('present')).toBe(false)
})

it.each([
  [`/${id}/log`, 'log'],
  ['/projects', 'projects'],
  ['/stats/power', 'power'],
  [`/${id}/view/unit`, 'viewer'],
])('has the machine of the screen %s loaded on hover of a link to it, when it does not run yet', (path, part) => {
  const app = createActor(appMachine, { input: system.app.getSnapshot().context.input })
  const send = vi.spyOn(app, 'send')
  const prefetchEarly = createPrefetcher(() => ({ ...system, app }), routes)
  prefetchEarly({ path: '/machines', isNavigating: false })
  expect(send).not.toHaveBeenCalled()
  prefetchEarly({ path, isNavigating: false })
  expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'app.want', part })
})

it('reads the history, and asks direct clients, on hover of a link to it, and not before', () => {
  const isUnread = (): boolean => system.history.getSnapshot().can({ type: 'history.open' })
  const isAsked = (client: string) =>
    selectClientRef(client)(system.fleet.getSnapshot())?.getSnapshot().context.collects
  const found = ['/machines', '/stats', '/wus', '/wus'].map(path => {
    prefetch({ path, isNavigating: false })
    return [isUnread(), isAsked(id), isAsked(FAR)]
  })
  expect(found).toEqual([
    [true, false, false],
    [true, false, false],
    [false, true, false],
    [false, true, false],
  ])
})
